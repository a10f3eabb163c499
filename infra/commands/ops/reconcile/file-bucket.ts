import { DeleteObjectCommand, ListObjectVersionsCommand, type ListObjectVersionsCommandOutput, type S3Client } from '@aws-sdk/client-s3';

/** One version of an object, or the marker that hides those before it. */
export interface StoredVersion {
  key: string;
  versionId: string;
  /** Nothing lies over it. */
  isNewest: boolean;
  isMarker: boolean;
  storedAt: string;
}

export type FileBucket = ReturnType<typeof createFileBucket>;

/** The bucket of product files as operators work on it, version by version. */
export function createFileBucket({ bucketName: Bucket, client }: { bucketName: string; client: S3Client }) {
  /** By key, of each key the newest first, as many at a time as a page has. */
  async function* list(Prefix: string): AsyncGenerator<StoredVersion[]> {
    let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
    while (next) {
      const page: ListObjectVersionsCommandOutput = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix, ...next }));
      yield [
        ...(page.Versions ?? []).map((version) => ({ ...version, isMarker: false })),
        ...(page.DeleteMarkers ?? []).map((marker) => ({ ...marker, isMarker: true })),
      ].map(({ Key = '', VersionId = '', IsLatest = false, LastModified, isMarker }) => ({
        key: Key,
        versionId: VersionId,
        isNewest: IsLatest,
        isMarker,
        storedAt: LastModified?.toISOString() ?? '',
      }));
      next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : undefined;
    }
  }

  return {
    list,

    async versionsOf(key: string): Promise<StoredVersion[]> {
      const found: StoredVersion[] = [];
      for await (const page of list(key)) found.push(...page.filter((version) => version.key === key));
      return found;
    },

    /** Hides all versions of the object; where the bucket expires what is hidden, they go with time. */
    async hide(Key: string): Promise<void> {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },

    /** Deletes one version for good. */
    async deleteVersion({ key, versionId }: StoredVersion): Promise<void> {
      await client.send(new DeleteObjectCommand({ Bucket, Key: key, VersionId: versionId }));
    },
  };
}
