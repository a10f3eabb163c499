import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '../../errors.ts';
import { attachmentDisposition } from './file-name.ts';

/** What the store knows of an object without reading it. */
export interface StoredObject {
  versionId: string;
  sizeBytes: number;
  contentType: string;
  /** The encoding that clients decode; an upload may set it unsigned. */
  contentEncoding: string | undefined;
  /** Lower case; absent when the upload came without this checksum, or in parts. */
  sha256Hex: string | undefined;
  /** The store put it together from parts, and knows the checksums of these alone. */
  isMultipart: boolean;
  uploadedAt: string;
}

export interface UploadRequest {
  key: string;
  contentType: string;
  sizeBytes: number;
  sha256Hex: string;
}

export type ObjectStore = ReturnType<typeof createObjectStore>;

/** A stream without data for this long counts as broken. */
const stallMs = 30_000;

/** Bounded well inside the gateway's 30 s; the SDK adds checksums only where they are required, so none of its own to signed URLs. */
export function createS3Client(config: S3ClientConfig = {}): S3Client {
  return new S3Client({
    maxAttempts: 3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
    ...config,
  });
}

/** The store of product files, or undefined where no bucket is configured: files are then described and never stored. */
export const findObjectStore = (bucketName: string | undefined): ObjectStore | undefined =>
  bucketName === undefined ? undefined : createObjectStore({ bucketName });

/**
 * The private, versioned bucket of product files.
 *
 * A store that cannot be reached or refuses the request is thrown as AppError `dependency_unavailable`.
 */
export function createObjectStore({
  bucketName,
  client = createS3Client(),
  now = () => new Date(),
}: {
  bucketName: string;
  client?: S3Client;
  now?: (() => Date) | undefined;
}) {
  const named = (key: string) => ({ Bucket: bucketName, Key: key });

  return {
    bucketName,

    /**
     * A URL for one PUT of exactly these bytes, and the headers that must come with it.
     *
     * All are signed as headers, because the store ignores a checksum in the query; so the store
     * refuses other bytes, another type or length, and a second write. See "Uploads" in shared/product-files/bytes.md.
     */
    async presignUpload(upload: UploadRequest, seconds: number): Promise<{ url: string; headers: Record<string, string> }> {
      const { key, contentType, sizeBytes, sha256Hex } = upload;
      const checksum = Buffer.from(sha256Hex, 'hex').toString('base64');
      const command = new PutObjectCommand({
        ...named(key),
        ContentType: contentType,
        ContentLength: sizeBytes,
        ChecksumSHA256: checksum,
        IfNoneMatch: '*',
      });
      const url = await getSignedUrl(client, command, {
        expiresIn: seconds,
        signingDate: now(),
        unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
        signableHeaders: new Set(['host', 'content-type', 'content-length', 'if-none-match']),
      });
      const headers = {
        'content-type': contentType,
        'content-length': String(sizeBytes),
        'x-amz-checksum-sha256': checksum,
        'if-none-match': '*',
      };
      return { url, headers };
    },

    /** A URL under which one version of an object can be downloaded, as an attachment of this name. */
    presignDownload(object: { key: string; versionId: string; fileName: string; contentType: string }, seconds: number): Promise<string> {
      const command = new GetObjectCommand({
        ...named(object.key),
        VersionId: object.versionId,
        ResponseContentDisposition: attachmentDisposition(object.fileName),
        ResponseContentType: object.contentType,
        ResponseCacheControl: 'private, no-store',
      });
      return getSignedUrl(client, command, { expiresIn: seconds, signingDate: now() });
    },

    /** The newest version of an object, or undefined when there is none. */
    async findObject(key: string): Promise<StoredObject | undefined> {
      const head = await callStore(() => client.send(new HeadObjectCommand({ ...named(key), ChecksumMode: 'ENABLED' })));
      if (!head) return undefined;
      if (!head.VersionId || head.VersionId === 'null') throw new Error('The bucket of product files does not keep versions.');
      const isOfParts = head.ChecksumType === 'COMPOSITE';
      return {
        versionId: head.VersionId,
        sizeBytes: head.ContentLength ?? 0,
        contentType: head.ContentType ?? '',
        contentEncoding: head.ContentEncoding,
        sha256Hex: isOfParts || !head.ChecksumSHA256 ? undefined : Buffer.from(head.ChecksumSHA256, 'base64').toString('hex'),
        isMultipart: isOfParts,
        // The store takes an object of parts for as old as its first part may be.
        uploadedAt: (isOfParts ? now() : (head.LastModified ?? now())).toISOString(),
      };
    },

    /** One version of an object, to be read as it comes; undefined when it is not there. A stream that stalls throws. */
    async openObject(
      key: string,
      versionId: string,
    ): Promise<{ sizeBytes: number; contentType: string; chunks: AsyncIterable<Uint8Array> } | undefined> {
      const reply = await callStore(() => client.send(new GetObjectCommand({ ...named(key), VersionId: versionId })));
      if (!reply?.Body) return undefined;
      const { Body: body, ContentLength: sizeBytes = 0, ContentType: contentType = '' } = reply;
      if (!(body instanceof Readable)) throw new Error('The body of an object cannot be streamed here.');
      return { sizeBytes, contentType, chunks: watched(body) };
    },

    /** Stores these bytes as the newest version of an object; returns the version's id. */
    async putObject(key: string, object: { bytes: Uint8Array; contentType: string }): Promise<string> {
      const { bytes: Body, contentType: ContentType } = object;
      const reply = await callStore(() => client.send(new PutObjectCommand({ ...named(key), Body, ContentType })));
      if (!reply?.VersionId) throw new Error('The bucket of product files does not keep versions.');
      return reply.VersionId;
    },

    /** Deletes an object for good, with every version of it; again it changes nothing. */
    async deleteVersions(key: string): Promise<void> {
      for (let more = true; more; ) {
        const page = await callStore(() => client.send(new ListObjectVersionsCommand({ Bucket: bucketName, Prefix: key })));
        const versions = [...(page?.Versions ?? []), ...(page?.DeleteMarkers ?? [])].filter((version) => version.Key === key);
        await Promise.all(
          versions.map(({ VersionId }) => callStore(() => client.send(new DeleteObjectCommand({ ...named(key), VersionId })))),
        );
        more = page?.IsTruncated === true && versions.length > 0;
      }
    },
  };
}

const missing = new Set(['NotFound', 'NoSuchKey', 'NoSuchVersion']);

/** What `send` returns, or undefined when what it is about is not there. */
export async function callStore<T>(send: () => Promise<T>, absent: ReadonlySet<string> = missing): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Error && absent.has(error.name)) return undefined;
    throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1, cause: error });
  }
}

/** The chunks of a stream, which is ended when it stalls, fails or is not wanted any more. */
async function* watched(body: Readable): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const watch = setTimeout(() => body.destroy(new Error('The stream of an object stalled.')), stallMs);
      const next = await chunks.next().finally(() => clearTimeout(watch));
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1, cause: error });
  } finally {
    body.destroy();
  }
}
