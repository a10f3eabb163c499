import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ListQueuesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** How long a look keeps messages from others. */
const lookSeconds = 300;

/**
 * The URL of a queue's dead-letter queue. Its name begins with what the templates call it, here and in the cloud.
 *
 * @throws Error when there is none of this stage.
 */
export async function findDeadLetterQueue(sqs: SQSClient, stage: string, queueId: string): Promise<string> {
  const QueueNamePrefix = `license-service-${stage}-data-${queueId}DeadLetters`;
  const { QueueUrls: [url] = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix }));
  if (url === undefined) throw new Error(`There is no queue ${QueueNamePrefix}….`);
  return url;
}

/** Everything in the queue, hidden from others for five minutes. */
export async function receiveAll(sqs: SQSClient, QueueUrl: string): Promise<Message[]> {
  const seen = new Map<string, Message>();
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: lookSeconds,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['SentTimestamp'],
      }),
    );
    const before = seen.size;
    for (const message of Messages) seen.set(message.MessageId ?? '', message);
    if (seen.size === before) return [...seen.values()];
  }
}

/** Removes these messages, and no other that arrived since. */
export async function deleteMessages(sqs: SQSClient, QueueUrl: string, messages: readonly Message[]): Promise<void> {
  for (const { ReceiptHandle } of messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
}

/** Leaves these messages as they were before the look. */
export async function returnMessages(sqs: SQSClient, QueueUrl: string, messages: readonly Message[]): Promise<void> {
  for (const { ReceiptHandle } of messages)
    await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
}

/** What an operator is shown of a message: when it was sent, and its body, which holds ids alone. */
export function describeMessage({ Attributes, Body = '' }: Message): string {
  const sentAt = new Date(Number(Attributes?.SentTimestamp ?? 0)).toISOString();
  return `${sentAt}  ${Body}`;
}
