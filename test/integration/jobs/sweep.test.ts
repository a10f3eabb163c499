import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose } from '../../../functions/sweeper/compose.ts';
import type { Needs } from '../../../shared/context.ts';
import { pendingKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createTestQueue } from '../../support/scenes/projection-harness.ts';

type Call = <T>(name: string, make: () => Promise<T>) => Promise<T>;

describe('the sweep', () => {
  let table: Table;
  let c: Needs<'table' | 'now'>;
  let clock: Date;
  let queue: ReturnType<typeof createTestQueue>;
  let logged: string[];
  /** How long, by each sweep that tells it, the oldest due job had waited. */
  let waits: number[];
  let sweep: ReturnType<typeof compose>;
  /** Stands before each request to the table. */
  let onCall: Call;
  const passThrough: Call = (_name, make) => make();
  const projection = (number: number): JobTask => ({ kind: 'project-event', eventId: `evt_${number}` });
  const inTime = { getRemainingTimeInMillis: () => 60_000 };

  beforeEach(async () => {
    onCall = passThrough;
    ({ table } = await createTestTable({ faults: { call: (name, make) => onCall(name, make) } }));
    clock = new Date('2026-01-31T09:00:00.000Z');
    c = { table, now: () => clock };
    queue = createTestQueue();
    logged = [];
    waits = [];
    const log = (line: string) => {
      const { message, oldestDueSeconds } = JSON.parse(line);
      if (message === 'sweep_finished') waits.push(oldestDueSeconds);
      else logged.push(message);
    };
    // What a test puts in the place of the queue's own is called too.
    const sender = { ...queue, sendJobOrFail: (task: JobTask) => queue.sendJobOrFail(task) };
    sweep = compose({ logger: createLogger({}, log), table, sender, now: c.now });
  });
  const pass = (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1000);
  };

  /** Jobs that are due a minute later; all of one shard, if that is asked for. */
  async function addJobs(count: number, { inOneShard = false } = {}): Promise<string[]> {
    const candidates = Array.from({ length: inOneShard ? count * 16 : count }, (_, number) => projection(number));
    const shard = inOneShard ? shardOf(jobId(projection(0))) : undefined;
    const tasks = candidates.filter((task) => !shard || shardOf(jobId(task)) === shard).slice(0, count);
    for (let start = 0; start < count; start += 90) {
      await table.transact(tasks.slice(start, start + 90).map((task) => addJob(c, task)));
    }
    return tasks.map(jobId).toSorted();
  }
  const shardOf = (id: string) => pendingKey(id, '').pendingPk;

  /** In the place of the first request of this name, and of no later one. */
  const first = (name: string, fault: <T>(make: () => Promise<T>) => Promise<T>): Call => {
    let isOver = false;
    return (called, make) => {
      if (called !== name || isOver) return make();
      isOver = true;
      return fault(make);
    };
  };
  const refuse = () => Promise.reject(new AppError('dependency_unavailable'));

  test('sends what is due, each job once, however much it is', async () => {
    const ids = await addJobs(210, { inOneShard: true });
    expect(await sweep({}, inTime)).toEqual({ sent: 0, failed: 0 });
    pass(60);
    expect(await sweep({}, inTime)).toEqual({ sent: 210, failed: 0 });
    expect(queue.sent.toSorted()).toEqual(ids);
    expect(await sweep({}, inTime)).toEqual({ sent: 0, failed: 0 });
    expect(logged).toEqual(['jobs_sent_again']);
  });

  test('tells how long the oldest due job waits for a worker, however often it was sent again', async () => {
    await sweep({}, inTime);
    await addJobs(1);
    await sweep({}, inTime);
    pass(315);
    await sweep({}, inTime);
    pass(300);
    await sweep({}, inTime);
    await leaseJob(c, jobId(projection(0)), 60);
    pass(100);
    await sweep({}, inTime);
    expect(waits).toEqual([0, 0, 300, 600, 40]);
  });

  test('tells of no wait while it cannot look at every job that is due', async () => {
    await addJobs(20);
    pass(60);
    onCall = first('Query', refuse);
    await sweep({}, inTime);
    onCall = first('UpdateItem', refuse);
    pass(60);
    await sweep({}, inTime);
    expect(waits).toEqual([]);
    onCall = passThrough;
    await sweep({}, inTime);
    expect(waits).toHaveLength(1);
  });

  test('begins no pass that its time would not let it end, and leaves the rest to the next sweep', async () => {
    const ids = await addJobs(130, { inOneShard: true });
    pass(60);
    expect(await sweep({}, { getRemainingTimeInMillis: () => 9999 })).toEqual({ sent: 100, failed: 0 });
    expect(await sweep({}, { getRemainingTimeInMillis: () => 10_000 })).toEqual({ sent: 30, failed: 0 });
    expect(queue.sent.toSorted()).toEqual(ids);
  });

  test('sends what stands in a shard of fewer, as before there were as many', async () => {
    const ids = await addJobs(40);
    for (const id of ids) {
      const item = (await table.query({ partition: `JOB#${id}` })).items[0];
      await table.write({ put: { Item: { ...item, pendingPk: `PENDING#${Number(shardOf(id).at(-1)) % 4}` } } });
    }
    pass(60);
    expect(await sweep({}, inTime)).toEqual({ sent: 40, failed: 0 });
    expect(queue.sent.toSorted()).toEqual(ids);
    for (const id of ids) await table.write(finishJob((await leaseJob(c, id, 30))!));
    pass(60);
    expect(await sweep({}, inTime)).toEqual({ sent: 0, failed: 0 });
  });

  test('honours leases, except when it resumes after an outage', async () => {
    const task: JobTask = { kind: 'send-mail', orderId: newId('order'), mailId: 'issuance' };
    await table.write(addJob(c, task));
    await leaseJob(c, jobId(task), 600);
    pass(60);
    expect(await sweep({}, inTime)).toEqual({ sent: 0, failed: 0 });
    expect(await sweep({ resume: true }, inTime)).toEqual({ sent: 1, failed: 0 });
    expect(await leaseJob(c, jobId(task), 600)).toMatchObject({ attempts: 2 });
  });

  test.each([1, 25, 60])('of which write %i fails sends every other job, and that one the next time', async (failing) => {
    const ids = await addJobs(60);
    pass(60);
    let updates = 0;
    onCall = (name, make) => {
      if (name === 'UpdateItem') updates += 1;
      return name === 'UpdateItem' && updates === failing ? refuse() : make();
    };
    expect(await sweep({}, { getRemainingTimeInMillis: () => 0 })).toEqual({ sent: 59, failed: 1 });
    expect(new Set(queue.sent).size).toBe(59);
    expect(logged).toEqual(['job_not_taken', 'jobs_sent_again']);
    onCall = passThrough;
    expect(await sweep({}, inTime)).toEqual({ sent: 1, failed: 0 });
    expect(queue.sent.toSorted()).toEqual(ids);
  });

  test('of which a shard cannot be read sends the jobs of the others', async () => {
    const ids = await addJobs(60);
    pass(60);
    onCall = first('Query', refuse);
    const { sent, failed } = await sweep({}, { getRemainingTimeInMillis: () => 0 });
    expect(failed).toBe(1);
    const left = ids.filter((id) => !queue.sent.includes(id));
    expect(new Set(left.map(shardOf)).size).toBe(1);
    expect(queue.sent).toHaveLength(sent);
    expect(new Set(queue.sent.map(shardOf)).size).toBe(7);
    expect(logged).toEqual(['job_not_taken', 'jobs_sent_again']);
    expect(await sweep({}, inTime)).toEqual({ sent: left.length, failed: 0 });
  });

  test('in which one record cannot be read sends the other jobs of its shard', async () => {
    const ids = await addJobs(20);
    pass(60);
    const { pendingPk, pendingSk } = pendingKey(ids[0] ?? '', '2026-01-31T08:00:00.000Z');
    await table.write({ put: { Item: { pk: 'JOB#unreadable', sk: 'JOB', pendingPk, pendingSk } } });
    // The record stays where it is, so each pass meets it again.
    const { failed } = await sweep({}, { getRemainingTimeInMillis: () => 0 });
    expect(failed).toBe(1);
    expect(queue.sent.toSorted()).toEqual(ids);
  });

  test('sends a job whose due time it moved by a write that the client made twice', async () => {
    const ids = await addJobs(3);
    pass(60);
    onCall = first('UpdateItem', async (make) => {
      await make();
      return make();
    });
    expect(await sweep({}, inTime)).toEqual({ sent: 3, failed: 0 });
    expect(queue.sent.toSorted()).toEqual(ids);
  });

  test('that cannot send a job sends the others, and that one as soon as it is due again', async () => {
    const ids = await addJobs(20);
    pass(60);
    const refused = ids[7];
    const { sendJobOrFail } = queue;
    queue.sendJobOrFail = (task) => (jobId(task) === refused ? refuse() : sendJobOrFail(task));
    expect(await sweep({}, inTime)).toEqual({ sent: 19, failed: 1 });
    expect(queue.sent.toSorted()).toEqual(ids.filter((id) => id !== refused));
    expect(logged).toEqual(['job_not_sent', 'jobs_sent_again']);
    queue.sendJobOrFail = sendJobOrFail;
    pass(14);
    expect(await sweep({}, inTime)).toEqual({ sent: 0, failed: 0 });
    pass(1);
    await sweep({}, inTime);
    expect(queue.sent).toContain(refused);
  });

  test('that can send nothing takes no further jobs', async () => {
    await addJobs(210, { inOneShard: true });
    pass(60);
    queue.sendJobOrFail = refuse;
    const { sent, failed } = await sweep({}, inTime);
    expect(sent).toBe(0);
    expect(failed).toBeLessThan(210);
  });

  test('is not kept from its work by a job that this version cannot read', async () => {
    const newer = jobId(projection(1)).replace('project-event', 'of-a-later-version');
    const { put } = addJob(c, projection(1)) as { put: { Item: Record<string, unknown> } };
    await table.write({ put: { Item: { ...put.Item, pk: `JOB#${newer}`, id: newer, pendingPk: shardOf(jobId(projection(0))) } } });
    pass(1);
    await table.write(addJob(c, projection(0)));
    pass(60);
    const failures: unknown[] = [];
    const take = () => takeDueJobs(c, { limitPerShard: 1, onFailure: (error) => failures.push(error) });
    expect(await take()).toEqual([]);
    expect(failures).toHaveLength(1);
    expect(await take()).toMatchObject([{ task: projection(0) }]);
  });

  test('tells whoever takes jobs without a hearer of failures that one could not be taken', async () => {
    await addJobs(2);
    pass(60);
    onCall = first('UpdateItem', refuse);
    await expect(takeDueJobs(c)).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });
});
