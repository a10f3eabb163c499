import { beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { Needs } from '../../../shared/context.ts';
import type { Table } from '../../../shared/db/table.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { type JobTask, LeaseLostError } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob, markJobDead } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { countJobs, listJobs, redriveJob } from '../../../shared/jobs/stuck-jobs.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { createTestQueue } from '../../support/scenes/projection-harness.ts';

const interleaver = createInterleaver();
const admin = { userId: 'admin' };
let place: TestTable;
let table: Table;
let clock: Date;
let c: Needs<'table' | 'now' | 'sendJob'>;
let queue: ReturnType<typeof createTestQueue>;

beforeEach(async () => {
  place = await createTestTable({ faults: interleaver });
  table = place.table;
  clock = new Date('2026-01-31T09:00:00.000Z');
  queue = createTestQueue();
  c = { table, now: () => clock, sendJob: queue.sendJob };
});

const pass = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000);
};
const event = (number: number): JobTask => ({ kind: 'project-event', eventId: `evt_${number}` });
async function add(task: JobTask, delaySeconds?: number): Promise<string> {
  await table.write(addJob(c, task, delaySeconds));
  return jobId(task);
}
async function lease(id: string, seconds = 60) {
  const job = await leaseJob(c, id, seconds);
  if (!job) throw new Error('The job is not there.');
  return job;
}
async function addDead(task: JobTask, failure = 'order_unknown'): Promise<string> {
  const id = await add(task);
  await markJobDead(c, await lease(id), failure);
  return id;
}
const read = async (id: string) => (await place.readAll())[`JOB#${id} JOB`];
const audits = async (targetId: string) => (await listAudit(table, { targetId, limit: 10 })).items;
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : String(error));

describe('what does not get done', () => {
  test('is listed: dead jobs, the first that died first, then those that are due for ten minutes, longest first', async () => {
    const orderId = newId('order');
    const late = await add({ kind: 'send-mail', orderId, mailId: 'issuance' });
    pass(5);
    const swept = await add(event(1));
    pass(20);
    // A sweep puts off both, and no worker takes them.
    await takeDueJobs(c);
    pass(600);
    const dead = await addDead(event(2));
    pass(1);
    const alsoDead = await addDead({ kind: 'send-review-notice', sellerId: newId('seller'), noticeId: 'aud_1' }, 'mail_rejected');
    await add(event(3));
    const held = await add(event(4));
    await lease(held, 900);
    await add({ kind: 'discard-upload', productId: newId('product'), fileId: newId('file') }, 86_400);

    const { items, nextCursor } = await listJobs(c, { limit: 50 });
    expect(items.map(({ id }) => id)).toEqual([dead, alsoDead, late, swept]);
    expect(nextCursor).toBeUndefined();
    expect(items[0]).toEqual({
      id: dead,
      kind: 'project-event',
      targetId: 'evt_2',
      attempts: 1,
      lastFailure: 'order_unknown',
      createdAt: '2026-01-31T09:10:25.000Z',
      dueAt: '2026-01-31T09:10:25.000Z',
    });
    // Since when it is due, and not until when the sweep put it off.
    expect(items[2]).toEqual({
      id: late,
      kind: 'send-mail',
      targetId: orderId,
      attempts: 0,
      createdAt: '2026-01-31T09:00:00.000Z',
      dueAt: '2026-01-31T09:00:15.000Z',
    });
    expect(await countJobs(c, 999)).toEqual({ dead: 2, late: 2 });
    expect(await countJobs(c, 1)).toEqual({ dead: 1, late: 1 });
    place.takeRequestCounts();
    await countJobs(c, 999);
    expect(place.takeRequestCounts()).toEqual({ Query: 16 });
  });

  test('is listed in pages, of one state or of both, while sweeps go on', async () => {
    const tasks = [1, 2, 3].map(event);
    const late: string[] = [];
    for (const task of tasks) {
      late.push(await add(task));
      pass(1);
    }
    pass(630);
    const dead: string[] = [];
    for (const number of [4, 5]) {
      dead.push(await addDead(event(number)));
      pass(1);
    }
    const pages = async (request: { limit: number; state?: 'dead' | 'late' }) => {
      const found: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await listJobs(c, { ...request, cursor });
        found.push(page.items.map(({ id }) => id));
        cursor = page.nextCursor;
        await takeDueJobs(c);
        pass(20);
      } while (cursor !== undefined);
      return found;
    };
    const all = [...dead, ...late];
    expect(await pages({ limit: 1 })).toEqual(all.map((id) => [id]));
    expect(await pages({ limit: 2 })).toEqual([dead, late.slice(0, 2), late.slice(2)]);
    expect(await pages({ limit: 3 })).toEqual([all.slice(0, 3), all.slice(3)]);
    expect(await pages({ limit: 1, state: 'dead' })).toEqual(dead.map((id) => [id]));
    expect(await pages({ limit: 2, state: 'late' })).toEqual([late.slice(0, 2), late.slice(2)]);
    const { nextCursor: cursor } = await listJobs(c, { limit: 1, state: 'dead' });
    await expect(listJobs(c, { limit: 1, state: 'late', cursor })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(listJobs(c, { limit: 1, cursor: Buffer.from('jobs odd:1').toString('base64url') })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('a job that an admin has done', () => {
  test('is as new where it was dead, and its message is sent', async () => {
    const id = await addDead(event(1));
    pass(3600);
    place.takeRequestCounts();
    expect(await redriveJob(c, admin, id)).toEqual({});
    expect(place.takeRequestCounts()).toEqual({ GetItem: 1, TransactWriteItems: 1 });
    expect(queue.sent).toEqual([id]);
    expect(await read(id)).toMatchObject({ state: 'waiting', attempts: 0, dueAt: clock.toISOString(), createdAt: clock.toISOString() });
    expect(await listJobs(c, { limit: 5 })).toEqual({ items: [] });
    expect(await audits('evt_1')).toMatchObject([
      { actor: 'admin', action: 'job.redrive', before: { state: 'dead', attempts: 1 }, after: { jobId: id, state: 'waiting' } },
    ]);
    const job = await lease(id);
    await table.transact([finishJob(job)]);
  });

  test('is due now where it waits, with its attempts, and no lease that ran out keeps its worker from finishing', async () => {
    const id = await add(event(1));
    const job = await lease(id);
    pass(700);
    await redriveJob(c, admin, id);
    expect(queue.sent).toEqual([id]);
    expect(await read(id)).toMatchObject({ state: 'waiting', attempts: 1, dueAt: clock.toISOString(), createdAt: job.createdAt });
    expect((await listJobs(c, { limit: 5 })).items).toEqual([]);
    await table.transact([finishJob(job)]);
    await expect(redriveJob(c, admin, id)).rejects.toMatchObject({ code: 'job_not_found' });
  });

  test('is left to the worker that holds it, and before its time', async () => {
    const held = await add(event(1));
    const job = await lease(held);
    const later = await add({ kind: 'discard-upload', productId: newId('product'), fileId: newId('file') }, 86_400);
    const before = await place.readAll();
    for (const id of [held, later]) expect(await redriveJob(c, admin, id)).toEqual({});
    expect(await place.readAll()).toEqual(before);
    expect(queue.sent).toEqual([]);
    await table.transact([finishJob(job)]);
  });

  test.each(['project-event:evt_9', 'x', 'later-kind:a', 'JOB', '💥'.repeat(500)])('is not found where there is none: %s', async (id) => {
    await expect(redriveJob(c, admin, id)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(Object.keys(await place.readAll())).toEqual([]);
  });

  test('in every order with its worker, is done once', async () => {
    let number = 0;
    await inEveryOrder(async (picks) => {
      number += 1;
      const id = await add(event(number));
      pass(700);
      const work = async () => {
        const job = await leaseJob(c, id, 60);
        if (!job) return 'none';
        return table.transact([finishJob(job)]).then(
          () => 'done',
          (error) => (error instanceof LeaseLostError ? 'lost' : Promise.reject(error)),
        );
      };
      const redrive = () => redriveJob(c, admin, id).then(() => 'accepted', codeOf);
      const [worked, redriven] = await interleaver.run(picks, [work, redrive]);
      expect(worked).toBe('done');
      expect(['accepted', 'job_not_found']).toContain(redriven);
      expect(await read(id)).toBeUndefined();
    });
  });

  test('by fifty at once is accepted by all or refused by none, and there is one job', async () => {
    const id = await addDead(event(1));
    const replies = await Promise.all(Array.from({ length: 50 }, () => redriveJob(c, admin, id).then(() => 'accepted', codeOf)));
    expect(replies.filter((reply) => reply !== 'accepted' && reply !== 'dependency_unavailable')).toEqual([]);
    expect(replies).toContain('accepted');
    expect(await read(id)).toMatchObject({ state: 'waiting', attempts: 0 });
  }, 60_000);
});
