import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import type { Engine } from '../../infra/local/engines/engine.ts';
import { createPollingClient, startSqs } from '../../infra/local/engines/queue-engine.ts';
import { startQueuePoller } from '../../infra/local/lambda/queue-poller.ts';
import { startTableStream } from '../../infra/local/lambda/table-stream.ts';
import { jobIdOfKey } from '../../shared/db/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import { newId } from '../../shared/ids.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { jobId } from '../../shared/jobs/new-job.ts';
import { recordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { eventually } from '../support/scenes/stack-harness.ts';

const until = (holds: () => boolean | Promise<boolean>) => eventually('it comes to that', 10, async () => (await holds()) || undefined);

describe('the local event source mapping of a queue', () => {
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

const newEvents = { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'JOB#publish-event:' }] } } } };

describe('the local stream of the table', () => {
  let table: Table;
  let stream: { stop(): Promise<void> } | undefined;
  let batches: string[][];
  beforeEach(async () => {
    ({ table } = await createTestTable());
    batches = [];
  });
  afterEach(() => stream?.stop());

  const told = () => batches.flat();
  function follow({ batchSize = 100, failing = 0 } = {}) {
    let left = failing;
    const invoke = async (event: unknown) => {
      const { Records } = event as DynamoDBStreamEvent;
      batches.push(Records.map(({ dynamodb }) => jobIdOfKey({ pk: dynamodb?.Keys?.['pk']?.S ?? '' })));
      left -= 1;
      if (left >= 0) throw new Error('It fails.');
      return { batchItemFailures: [] };
    };
    stream = startTableStream(table, { batchSize, patterns: [newEvents], invoke });
  }
  /** Records an event; the id of its job. */
  async function happen(): Promise<string> {
    const write = recordEvent({ now: () => new Date() }, newId('seller'), { type: 'test', data: { endpointId: newId('endpoint') } });
    await table.write(write);
    return 'put' in write ? String(write.put.Item?.['id']) : '';
  }

  test('tells of each new event once, in batches, and of no other job', async () => {
    const before = await happen();
    follow({ batchSize: 2 });
    const task = { kind: 'deliver-events', sellerId: newId('seller'), endpointId: newId('endpoint') } as const;
    await table.write(addJob({ now: () => new Date() }, task));
    const ids = [await happen(), await happen(), await happen()];
    await until(() => ids.every((id) => told().includes(id)));
    const last = await happen();
    await until(() => told().includes(last));
    const since = told().filter((id) => id !== before);
    expect(since.toSorted()).toEqual([...ids, last].toSorted());
    expect(told()).not.toContain(jobId(task));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(2);
  });

  test('tells again of what could not be handled', async () => {
    follow({ failing: 1 });
    const id = await happen();
    await until(() => told().length >= 2);
    expect(told()).toEqual([id, id]);
  });
});
