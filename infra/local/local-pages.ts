import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { MailOutbox } from './mail-outbox.ts';
import type { LocalQueue } from './provision.ts';

/** `GET /__local/outbox` and `GET /__local/queues`: what a developer wants to see, and the cloud does not have. */
export function createLocalPages({ outbox, sqs, queues }: { outbox: MailOutbox; sqs: SQSClient; queues: readonly LocalQueue[] }) {
  async function countsOf({ url }: LocalQueue) {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: url,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible', 'ApproximateNumberOfMessagesDelayed'],
      }),
    );
    const { ApproximateNumberOfMessages: ready, ApproximateNumberOfMessagesDelayed: delayed } = Attributes;
    return { waiting: Number(ready) + Number(delayed), inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible) };
  }

  async function describeQueue(queue: LocalQueue) {
    const deadLetters = queues.find(({ arn }) => arn === queue.deadLetterArn);
    const { waiting, inFlight } = await countsOf(queue);
    const dead = deadLetters ? (await countsOf(deadLetters)).waiting : 0;
    return { name: queue.name, waiting, in_flight: inFlight, dead };
  }

  return async (method: string, path: string): Promise<unknown> => {
    if (method !== 'GET') return undefined;
    if (path === '/__local/outbox') return { items: await outbox.listMails() };
    if (path === '/__local/queues') {
      return { items: await Promise.all(queues.filter(({ deadLetterArn }) => deadLetterArn !== undefined).map(describeQueue)) };
    }
    return undefined;
  };
}
