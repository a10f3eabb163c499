import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createLogger } from '../../../shared/logging/logger.ts';
import { runUntilStopped, type Stoppable } from '../shutdown.ts';

const logger = createLogger({ part: 'queue-poller' });

export interface EventSource {
  queueUrl: string;
  queueArn: string;
  batchSize: number;
  maxConcurrency: number;
  invoke: (event: unknown) => Promise<unknown>;
}

/** How many batches of the cloud one batch here stands for: one machine has less to share out. */
const cloudBatches = 5;
const waitSeconds = 20;

const BatchReply = z.nullish(z.object({ batchItemFailures: z._default(z.array(z.object({ itemIdentifier: z.string() })), []) }));

/**
 * Feeds a function from a queue, as an event source mapping with partial batch
 * responses does: what the function reports as failed, or all if it fails itself,
 * stays in the queue and comes again after its visibility timeout, until the queue's
 * redrive policy moves it to the dead letters.
 */
export function startQueuePoller(client: SQSClient, source: EventSource): Stoppable {
  const pollers = Array.from({ length: Math.ceil(source.maxConcurrency / cloudBatches) });
  return runUntilStopped((signal) => Promise.all(pollers.map(() => poll(client, source, signal))));
}

async function poll(client: SQSClient, source: EventSource, signal: AbortSignal): Promise<void> {
  const { queueUrl: QueueUrl, batchSize } = source;
  while (!signal.aborted) {
    try {
      const receive = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(10, batchSize),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      });
      const { Messages = [] } = await client.send(receive, { abortSignal: signal });
      if (Messages.length > 0) await handle(client, source, Messages);
    } catch (error) {
      if (signal.aborted) return;
      logger.warn('batch_not_handled', { queueArn: source.queueArn, error });
      await sleep(1000, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function handle(client: SQSClient, source: EventSource, messages: readonly Message[]): Promise<void> {
  const reply = z.parse(BatchReply, await source.invoke(toSqsEvent(source, messages)));
  const failed = new Set(reply?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const done = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
  if (done.length === 0) return;
  await client.send(
    new DeleteMessageBatchCommand({
      QueueUrl: source.queueUrl,
      Entries: done.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
    }),
  );
}

function toSqsEvent({ queueArn }: EventSource, messages: readonly Message[]) {
  return {
    Records: messages.map((message) => ({
      messageId: message.MessageId,
      receiptHandle: message.ReceiptHandle,
      body: message.Body,
      attributes: message.Attributes ?? {},
      messageAttributes: {},
      md5OfBody: message.MD5OfBody,
      eventSource: 'aws:sqs',
      eventSourceARN: queueArn,
      awsRegion: 'us-east-1',
    })),
  };
}
