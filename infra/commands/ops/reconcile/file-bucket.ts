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

/** The bucket of product files as operators work on it, version by version. */
export interface FileBucket {
  bucketName: string;
  client: S3Client;
}

/** By key, of each key the newest first, as many at a time as a page has. */
export async function* listVersions({ bucketName: Bucket, client }: FileBucket, Prefix: string): AsyncGenerator<StoredVersion[]> {
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

/** By key, as many at a time as a page has. */
export async function* listUploads({ bucketName: Bucket, client }: FileBucket, Prefix: string): AsyncGenerator<OpenUpload[]> {
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
}

/** How many bytes the parts of an upload take. */
export async function bytesOf(bucket: FileBucket, upload: OpenUpload): Promise<number> {
  return ((await createPartStore(bucket).listParts(upload)) ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

export async function versionsOf(bucket: FileBucket, key: string): Promise<StoredVersion[]> {
  const found: StoredVersion[] = [];
  for await (const page of listVersions(bucket, key)) found.push(...page.filter((version) => version.key === key));
  return found;
}

/** Hides all versions of the object; where the bucket expires what is hidden, they go with time. */
export async function hideObject({ bucketName: Bucket, client }: FileBucket, Key: string): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket, Key }));
}

/** Deletes one version for good. */
export async function deleteVersion({ bucketName: Bucket, client }: FileBucket, { key, versionId }: StoredVersion): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket, Key: key, VersionId: versionId }));
}
