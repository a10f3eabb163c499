import { beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { type JobTask, LeaseLostError } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob, markJobDead } from '../../../shared/jobs/job-lease-repository.ts';
import { countJobs, listJobs, redriveJob } from '../../../shared/jobs/stuck-jobs.ts';
import { createInterleaver, inEveryOrder, meetingsOf } from '../../support/interleave.ts';
import { type JobRoom, openJobRoom } from '../../support/scenes/job-room.ts';
import { expectSerializable } from '../../support/serializable.ts';

const interleaver = createInterleaver();
const orderId = newId('order');
const later: JobTask = { kind: 'discard-upload', productId: newId('product'), fileId: newId('file') };
const event = (number: number): JobTask => ({ kind: 'project-event', eventId: `evt_${number}` });
let room: JobRoom;
beforeEach(async () => {
  room = await openJobRoom(interleaver);
});

async function addDead(task: JobTask, failure = 'order_unknown'): Promise<string> {
  const id = await room.add(task);
  await markJobDead(room.c, await room.lease(id), failure);
  return id;
}
/** Each a second after the one before. */
async function addAll(numbers: readonly number[], add: (task: JobTask) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (const number of numbers) {
    ids.push(await add(event(number)));
    room.pass(1);
  }
  return ids;
}
const redrive = (id: string) =>
  redriveJob(room.c, { userId: 'admin' }, id).then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error)),
  );

describe('what does not get done', () => {
  test('is listed: dead jobs, the first that died first, then those that are due for ten minutes, longest first', async () => {
    const late = await room.add({ kind: 'send-mail', orderId, mailId: 'issuance' });
    room.pass(5);
    const swept = await room.add(event(1));
    room.pass(20);
    // A sweep puts off both, and no worker takes them.
    await takeDueJobs(room.c);
    room.pass(600);
    const [dead = '', alsoDead = ''] = await addAll([2, 3], addDead);
    await room.add(event(4));
    await room.lease(await room.add(event(5)), 900);
    await room.add(later, 86_400);

    const { items, nextCursor } = await listJobs(room.c, { limit: 50 });
    expect([items.map(({ id }) => id), nextCursor]).toEqual([[dead, alsoDead, late, swept], undefined]);
    const died = '2026-01-31T09:10:25.000Z';
    const ofDead = { id: dead, kind: 'project-event', targetId: 'evt_2', attempts: 1, lastFailure: 'order_unknown' };
    expect(items[0]).toEqual({ ...ofDead, createdAt: died, dueAt: died });
    // Since when it is due, and not until when the sweep put it off.
    const ofLate = { id: late, kind: 'send-mail', targetId: orderId, attempts: 0 };
    expect(items[2]).toEqual({ ...ofLate, createdAt: '2026-01-31T09:00:00.000Z', dueAt: '2026-01-31T09:00:15.000Z' });
    expect(await countJobs(room.c, 1)).toEqual({ dead: 1, late: 1 });
    room.takeRequestCounts();
    expect(await countJobs(room.c, 999)).toEqual({ dead: 2, late: 2 });
    expect(room.takeRequestCounts()).toEqual({ Query: 16 });
  });

  test('is listed in pages, of one state or of both, while sweeps go on', async () => {
    const late = await addAll([1, 2, 3], room.add);
    room.pass(630);
    const dead = await addAll([4, 5], addDead);
    const pages = async (request: { limit: number; state?: 'dead' | 'late' }) => {
      const found: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await listJobs(room.c, { ...request, cursor });
        found.push(page.items.map(({ id }) => id));
        cursor = page.nextCursor;
        await takeDueJobs(room.c);
        room.pass(20);
      } while (cursor !== undefined);
      return found;
    };
    const all = [...dead, ...late];
    expect(await pages({ limit: 1 })).toEqual(all.map((id) => [id]));
    expect(await pages({ limit: 2 })).toEqual([dead, late.slice(0, 2), late.slice(2)]);
    expect(await pages({ limit: 3 })).toEqual([all.slice(0, 3), all.slice(3)]);
    expect(await pages({ limit: 1, state: 'dead' })).toEqual(dead.map((id) => [id]));
    expect(await pages({ limit: 2, state: 'late' })).toEqual([late.slice(0, 2), late.slice(2)]);
    const { nextCursor } = await listJobs(room.c, { limit: 1, state: 'dead' });
    for (const cursor of [nextCursor, Buffer.from('jobs odd:1').toString('base64url')]) {
      await expect(listJobs(room.c, { limit: 1, state: 'late', cursor })).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});

describe('a job that an admin has done', () => {
  test('is as new where it was dead, and its message is sent', async () => {
    const id = await addDead(event(1));
    room.pass(3600);
    room.takeRequestCounts();
    expect(await redrive(id)).toBe('accepted');
    expect(room.takeRequestCounts()).toEqual({ GetItem: 1, TransactWriteItems: 1 });
    expect(room.sent).toEqual([[id, 0]]);
    expect(await room.stored(id)).toMatchObject({ state: 'waiting', attempts: 0, dueAt: room.at(), createdAt: room.at() });
    expect(await listJobs(room.c, { limit: 5 })).toEqual({ items: [] });
    expect((await listAudit(room.table, { targetId: 'evt_1', limit: 10 })).items).toMatchObject([
      { actor: 'admin', action: 'job.redrive', before: { state: 'dead', attempts: 1 }, after: { jobId: id, state: 'waiting' } },
    ]);
    await room.lease(id);
  });

  test('by fifty at once is accepted by all or refused by none, and there is one job', async () => {
    const id = await addDead(event(1));
    const replies = await Promise.all(Array.from({ length: 50 }, () => redrive(id)));
    expect(replies.filter((reply) => reply !== 'accepted' && reply !== 'dependency_unavailable')).toEqual([]);
    expect(replies).toContain('accepted');
    expect(await room.stored(id)).toMatchObject({ state: 'waiting', attempts: 0 });
  }, 60_000);

  test('is due now where it waits, with its attempts, and no lease that ran out keeps its worker from finishing', async () => {
    const id = await room.add(event(1));
    const job = await room.lease(id);
    room.pass(700);
    expect(await redrive(id)).toBe('accepted');
    expect(room.sent).toEqual([[id, 0]]);
    expect(await room.stored(id)).toMatchObject({ state: 'waiting', attempts: 1, dueAt: room.at(), createdAt: job.createdAt });
    expect((await listJobs(room.c, { limit: 5 })).items).toEqual([]);
    await room.table.transact([finishJob(job)]);
  });

  test('is left to the worker that holds it, and before its time, and is not found where there is none', async () => {
    const held = await room.add(event(1));
    await room.lease(held);
    const waiting = await room.add(later, 86_400);
    const before = await room.readAll();
    for (const id of [held, waiting]) expect(await redrive(id)).toBe('accepted');
    for (const id of ['project-event:evt_9', 'x', 'later-kind:a', 'JOB', '💥'.repeat(500)]) expect(await redrive(id)).toBe('job_not_found');
    expect([await room.readAll(), room.sent]).toEqual([before, []]);
  });

  test('in every order with its worker, is done once', async () => {
    let number = 0;
    await inEveryOrder(async (picks) => {
      number += 1;
      const id = await room.add(event(number));
      room.pass(700);
      const work = async () => {
        const job = await leaseJob(room.c, id, 60);
        await room.table.transact(job ? [finishJob(job)] : []).catch((error) => expect(error).toBeInstanceOf(LeaseLostError));
      };
      const [, redriven] = await interleaver.run<unknown>(picks, [work, () => redrive(id)]);
      expect(['accepted', 'job_not_found']).toContain(redriven);
      expect(await room.stored(id)).toBeUndefined();
    });
  });

  test('by two at once is as new', async () => {
    await expectSerializable(meetingsOf(interleaver), async () => {
      const id = await addDead(event(room.lines.push({})));
      const end = async () => {
        const { state, attempts } = (await room.stored(id)) ?? {};
        return { state, attempts };
      };
      return { tasks: [() => redrive(id), () => redrive(id)], end };
    });
  });
});
