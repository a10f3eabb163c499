import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { testBucket } from '../engines/test-object-store.ts';

/** The least that a part holds which is not the last. */
export const partSize = 5 * 1024 ** 2;

/** What a client does with an upload in parts. */
export function partsBy(client: S3Client, Key: string) {
  const of = { Bucket: testBucket, Key };
  return {
    async begin(): Promise<string> {
      const command = new CreateMultipartUploadCommand({ ...of, ContentType: 'application/zip', ChecksumAlgorithm: 'SHA256' });
      return (await client.send(command)).UploadId ?? '';
    },
    async store(UploadId: string, PartNumber: number, Body: Buffer) {
      const ChecksumSHA256 = createHash('sha256').update(Body).digest('base64');
      const { ETag } = await client.send(new UploadPartCommand({ ...of, UploadId, PartNumber, Body, ChecksumSHA256 }));
      return { PartNumber, ETag, ChecksumSHA256 };
    },
    list: (UploadId: string, more = {}) => client.send(new ListPartsCommand({ ...of, UploadId, ...more })),
    complete: (UploadId: string, Parts: object[], more: Partial<CompleteMultipartUploadCommandInput> = {}) =>
      client.send(new CompleteMultipartUploadCommand({ ...of, UploadId, MultipartUpload: { Parts }, ...more })),
    abort: (UploadId: string) => client.send(new AbortMultipartUploadCommand({ ...of, UploadId })),
  };
}
