import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '../../errors.ts';
import { callStore, createObjectStore, createS3Client } from '../storage/object-store.ts';
import type { StoredPart } from './upload-parts.ts';

/** An upload in parts, as the store knows it. */
export interface PartUpload {
  key: string;
  uploadId: string;
}

export type PartStore = ReturnType<typeof createPartStore>;

/** Assembling a file may take the store minutes, longer than a request lasts; the next request finds the result. */
const completionMs = 15_000;
/** As often an abort is repeated for parts that were on their way. */
const abortAttempts = 5;

/** The object store and the part store, or neither if no bucket is configured. */
export function findStores(bucketName: string | undefined) {
  if (bucketName === undefined) return { store: undefined, partStore: undefined };
  const client = createS3Client();
  return { store: createObjectStore({ bucketName, client }), partStore: createPartStore({ bucketName, client }) };
}

/**
 * Uploads in parts to the bucket of product files. A bundle that has nothing to do with them is without this.
 *
 * A store that cannot be reached or refuses the request is thrown as AppError `dependency_unavailable`.
 */
export function createPartStore({
  bucketName: Bucket,
  client,
  now = () => new Date(),
}: {
  bucketName: string;
  client: S3Client;
  now?: (() => Date) | undefined;
}) {
  const named = ({ key, uploadId }: PartUpload) => ({ Bucket, Key: key, UploadId: uploadId });

  /** Every part that is stored, by number; undefined when the upload is no more, completed or aborted. */
  async function listParts(upload: PartUpload): Promise<StoredPart[] | undefined> {
    const parts: StoredPart[] = [];
    let after: string | undefined;
    do {
      const page: ListPartsCommandOutput | undefined = await orGone(() =>
        client.send(new ListPartsCommand({ ...named(upload), PartNumberMarker: after })),
      );
      if (!page) return undefined;
      for (const { PartNumber: partNumber = 0, Size: sizeBytes = 0, ETag: etag = '', ChecksumSHA256: sha256 = '' } of page.Parts ?? []) {
        parts.push({ partNumber, sizeBytes, etag, sha256Hex: Buffer.from(sha256, 'base64').toString('hex') });
      }
      after = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (after !== undefined);
    return parts;
  }

  return {
    listParts,

    /** Begins an upload of an object of this type; returns its id. */
    async beginUpload(Key: string, ContentType: string): Promise<string> {
      const command = new CreateMultipartUploadCommand({
        Bucket,
        Key,
        ContentType,
        ChecksumAlgorithm: 'SHA256',
        ChecksumType: 'COMPOSITE',
      });
      const reply = await callStore(() => client.send(command));
      if (!reply?.UploadId) throw new Error('The store began an upload without an id.');
      return reply.UploadId;
    },

    /** A URL for a PUT of exactly these bytes as a part, as often as it lives, and the headers that must come with it. */
    async presignPart(
      upload: PartUpload,
      part: { partNumber: number; sizeBytes: number; sha256Hex: string },
      seconds: number,
    ): Promise<{ url: string; headers: Record<string, string> }> {
      const checksum = Buffer.from(part.sha256Hex, 'hex').toString('base64');
      const command = new UploadPartCommand({
        ...named(upload),
        PartNumber: part.partNumber,
        ContentLength: part.sizeBytes,
        ChecksumSHA256: checksum,
      });
      // As headers, because the store ignores a checksum in the query.
      const url = await getSignedUrl(client, command, {
        expiresIn: seconds,
        signingDate: now(),
        unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
        signableHeaders: new Set(['host', 'content-length']),
      });
      return { url, headers: { 'content-length': String(part.sizeBytes), 'x-amz-checksum-sha256': checksum } };
    },

    /**
     * Makes one object of the parts, unless there is an object under its key: then that stays. Returns false when the
     * upload is no more; otherwise only a look tells what there is now, for another request may have been first.
     */
    async completeUpload(upload: PartUpload, parts: readonly StoredPart[]): Promise<boolean> {
      const command = new CompleteMultipartUploadCommand({
        ...named(upload),
        IfNoneMatch: '*',
        MultipartUpload: {
          Parts: parts.map(({ partNumber: PartNumber, etag: ETag, sha256Hex }) => ({
            PartNumber,
            ETag,
            ChecksumSHA256: Buffer.from(sha256Hex, 'hex').toString('base64'),
          })),
        },
      });
      const isDone = await orGone(async () => {
        try {
          await client.send(command, { abortSignal: AbortSignal.timeout(completionMs) });
        } catch (error) {
          if (!(error instanceof Error && overtaken.has(error.name))) throw error;
        }
        return true;
      });
      return isDone ?? false;
    },

    /** Ends an upload with all that it has stored; again, or of one that was completed, it changes nothing. */
    async abortUpload(upload: PartUpload): Promise<void> {
      for (let attempt = 1; attempt <= abortAttempts; attempt += 1) {
        const aborted = await orGone(() => client.send(new AbortMultipartUploadCommand(named(upload))));
        // A part that was on its way may have been stored all the same.
        if (!aborted || !(await listParts(upload))?.length) return;
      }
      throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1 });
    },
  };
}

/** What a completion is told when another write of the object, or a part that was stored once more, came before it. */
const overtaken = new Set(['PreconditionFailed', 'ConditionalRequestConflict', 'InvalidPart']);

/** What `send` returns, or undefined when the upload is no more. */
const orGone = <T>(send: () => Promise<T>): Promise<T | undefined> => callStore(send, new Set(['NoSuchUpload']));
