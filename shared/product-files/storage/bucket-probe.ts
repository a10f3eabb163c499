import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

/** Checks whether the file store answers. Rejects when it does not within a second or two. */
export function createBucketProbe(bucketName: string): () => Promise<void> {
  const client = new S3Client({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 500, requestTimeout: 1500, throwOnRequestTimeout: true },
  });
  return async () => {
    await client.send(new HeadBucketCommand({ Bucket: bucketName }));
  };
}
