import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Checks whether each of these queues answers. Rejects when one does not within a second or two. */
export function createQueueProbe(queueUrls: readonly string[]): () => Promise<void> {
  const client = new SQSClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 500, requestTimeout: 1500, throwOnRequestTimeout: true },
  });
  return async () => {
    await Promise.all(queueUrls.map((QueueUrl) => client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }))));
  };
}
