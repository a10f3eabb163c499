import {
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createPartStore } from '../../../../shared/product-files/parts/part-store.ts';

/** One version of an object, or the marker that hides those before it. */
export interface StoredVersion {
  key: string;
  versionId: string;
  /** Nothing lies over it. */
  isNewest: boolean;
  isMarker: boolean;
  storedAt: string;
}

/** An upload in parts that was neither put together nor ended. */
export interface OpenUpload {
  key: string;
  uploadId: string;
  begunAt: string;
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

  const partStore = createPartStore({ bucketName: Bucket, client });

  return {
    list,

    /** By key, as many at a time as a page has. */
    async *listUploads(Prefix: string): AsyncGenerator<OpenUpload[]> {
      let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
      while (next) {
        const page: ListMultipartUploadsCommandOutput = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...next }));
        yield (page.Uploads ?? []).map(({ Key = '', UploadId = '', Initiated }) => ({
          key: Key,
          uploadId: UploadId,
          begunAt: Initiated?.toISOString() ?? '',
        }));
        next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
      }
    },

    /** How many bytes the parts of an upload take. */
    async bytesOf(upload: OpenUpload): Promise<number> {
      return ((await partStore.listParts(upload)) ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    },

    /** Ends an upload with all its parts, for good. */
    endUpload: (upload: OpenUpload): Promise<void> => partStore.abortUpload(upload),

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
