import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import type { Engine } from '../../infra/local/engines/engine.ts';
import { createPollingClient, startSqs } from '../../infra/local/engines/queue-engine.ts';
import { startQueuePoller } from '../../infra/local/lambda/queue-poller.ts';
import { eventually } from '../support/scenes/stack-harness.ts';

describe('the local event source mapping', () => {
  let engine: Engine;
  let sqs: SQSClient;
  let queueUrl: string;
  let deadUrl: string;
  let poller: { stop(): Promise<void> } | undefined;
  let bodies: string[];
  let round = 0;

  beforeAll(async () => {
    engine = await startSqs();
    sqs = createPollingClient(engine.endpoint);
  });
  afterAll(() => engine.stop());
  afterEach(() => poller?.stop());
  beforeEach(async () => {
    round += 1;
    bodies = [];
    const arnOf = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
    const create = async (QueueName: string, Attributes: Record<string, string>) =>
      (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? '';
    deadUrl = await create(`dead-${round}`, {});
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf(`dead-${round}`), maxReceiveCount: 2 });
    queueUrl = await create(`jobs-${round}`, { VisibilityTimeout: '1', RedrivePolicy });
  });

  const send = (body: string) => sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
  const countIn = async (QueueUrl: string) => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages) + Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
  };
  const until = (holds: () => Promise<boolean>) => eventually('it comes to that', 10, async () => (await holds()) || undefined);
  const startWith = (handle: (event: SQSEvent) => unknown, maxConcurrency = 20) => {
    const invoke = async (event: unknown) => {
      const batch = event as SQSEvent;
      bodies.push(...batch.Records.map((record) => record.body));
      return handle(batch);
    };
    poller = startQueuePoller(sqs, { queueUrl, queueArn: 'arn', batchSize: 10, maxConcurrency, invoke });
  };

  test('hears of what comes at once, however many pollers wait, and removes what was handled', async () => {
    startWith(() => ({ batchItemFailures: [] }), 500);
    await Promise.all(['a', 'b', 'c'].map(send));
    await until(async () => bodies.length === 3 && (await countIn(queueUrl)) === 0);
    expect([...bodies].sort()).toEqual(['a', 'b', 'c']);
  });

  test('gives back only what the function reports, and moves it to the dead letters in the end', async () => {
    startWith(({ Records }) => ({
      batchItemFailures: Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({ itemIdentifier: messageId })),
    }));
    await Promise.all(['good', 'bad'].map(send));
    await until(async () => (await countIn(deadUrl)) === 1);
    expect(bodies.filter((body) => body === 'bad')).toHaveLength(2);
    expect(bodies.filter((body) => body === 'good')).toHaveLength(1);
    expect(await countIn(queueUrl)).toBe(0);
  });

  test('gives back the whole batch when the function fails', async () => {
    let failures = 1;
    startWith(() => {
      if (failures-- > 0) throw new Error('crashed');
    });
    await send('again');
    await until(async () => bodies.length === 2 && (await countIn(queueUrl)) === 0);
  });
});
