import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { createPollingClient, startSqs } from '../../../infra/local/engines/queue-engine.ts';
import { jobKey, listKey } from '../../../shared/db/keys.ts';
import { listDeadJobs } from '../../../shared/jobs/dead-job-repository.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { callOps } from '../../support/call-command.ts';
import { type JobRoom, openJobRoom } from '../../support/scenes/job-room.ts';

let room: JobRoom;
let engine: Engine;
let sqs: SQSClient;
beforeAll(async () => {
  room = await openJobRoom();
  engine = await startSqs();
  sqs = createPollingClient(engine.endpoint);
});
afterAll(async () => {
  sqs.destroy();
  await engine.stop();
});

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
const idOf = (number: number) => `project-event:evt_${number}`;
const at = '2026-01-31T09:00:00.000Z';
const dead = { state: 'dead', attempts: 12, dueAt: at, createdAt: at, lastFailure: 'amount_differs' };
async function addDeadJobs(numbers: readonly number[]): Promise<string[]> {
  const ids = numbers.map(idOf);
  const writes = ids.map((id) => ({ put: { Item: { ...jobKey(id), ...listKey('dead-jobs', at, id), id, ...dead } } }));
  for (let start = 0; start < ids.length; start += 90) await room.table.transact(writes.slice(start, start + 90));
  return ids;
}
const ops = (...args: string[]) => {
  const endpoints = { AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'], AWS_ENDPOINT_URL_SQS: engine.endpoint };
  return callOps(args, { TABLE_NAME: room.tableName, STAGE: 'staging', ...endpoints });
};

test('redrive --all makes every dead job due now, with all its attempts, however many there are', async () => {
  const ids = await addDeadJobs(numbersFrom(0, 230));
  const listed = await ops('dead-letters');
  expect(listed.lines.at(-1)).toBe('230 dead');
  expect(listed.lines[0]).toMatch(/^project-event:evt_\d+ {2}amount_differs {2}attempts 12 {2}since 2026-01-31T09:00:00.000Z$/);
  const { status, lines } = await ops('redrive', '--all');
  expect([status, lines.toSorted()]).toEqual([0, ids.map((id) => `${id} is due; the next sweep sends it`).toSorted()]);
  expect((await ops('dead-letters')).lines).toEqual(['0 dead']);
  const due = await takeDueJobs({ table: room.table, now: () => new Date() });
  expect(due.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(new Set(due.map(({ attempts, state }) => `${state} ${attempts}`))).toEqual(new Set(['waiting 0']));
});

test('redrive brings back the dead among the jobs that it is given, and leaves every other as it is', async () => {
  const [first = '', second = '', third = ''] = await addDeadJobs(numbersFrom(1000, 3));
  await room.add({ kind: 'project-event', eventId: 'evt_1001' });
  const before = await room.stored(second);
  const { status, lines } = await ops('redrive', second, first, 'project-event:evt_none');
  const expected = [`${second} is not dead`, `${first} is due; the next sweep sends it`, 'project-event:evt_none is not dead'];
  expect([status, lines]).toEqual([1, expected]);
  expect(await room.stored(second)).toEqual(before);
  expect((await listDeadJobs(room.table, { limit: 10 })).items.map(({ id }) => id)).toEqual([third]);
});

test('empty shows each message of the dead-letter queue, and removes what it showed when it is told that this is wanted', async () => {
  const [queue = '', other = ''] = await Promise.all(
    ['staging', 'production'].map(async (stage) => {
      const QueueName = `license-service-${stage}-data-MailDeadLetters1A2B3C4D-xyz`;
      const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName }));
      return QueueUrl.replace(/^https?:\/\/[^/]+/, engine.endpoint);
    }),
  );
  const held = async (QueueUrl: string) => {
    const AttributeNames = ['ApproximateNumberOfMessages' as const, 'ApproximateNumberOfMessagesNotVisible' as const];
    const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
    return AttributeNames.map((name) => Number(Attributes[name]));
  };
  const bodies = numbersFrom(0, 12).map((number) => JSON.stringify({ jobId: `send-mail:ord/${number}` }));
  await sqs.send(new SendMessageCommand({ QueueUrl: other, MessageBody: 'of another stage' }));
  for (const MessageBody of bodies) await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody }));

  const { lines } = await ops('empty', 'Mail');
  const shown = lines.slice(0, 12);
  expect(shown.map((line) => line.slice(26)).toSorted()).toEqual(bodies.toSorted());
  expect(shown[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}\{/);
  expect(lines.slice(12)).toEqual(['12 in the dead letters of Mail', 'Nothing was removed']);
  expect(await held(queue)).toEqual([12, 0]);

  const removed = await ops('empty', 'Mail', '--yes');
  expect([removed.status, removed.lines.slice(12)]).toEqual([0, ['12 in the dead letters of Mail', '12 removed']]);
  expect([await held(queue), await held(other)]).toEqual([
    [0, 0],
    [1, 0],
  ]);
  expect((await ops('empty', 'Mail')).lines).toEqual(['0 in the dead letters of Mail']);
});
