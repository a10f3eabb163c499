import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose } from '../../../functions/sweeper/compose.ts';
import { pendingKey, pendingPartitions } from '../../../shared/db/keys.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob, markJobDead } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { type JobRoom, openJobRoom } from '../../support/scenes/job-room.ts';

const projection = (number: number): JobTask => ({ kind: 'project-event', eventId: `evt_${number}` });
const shardOf = (id: string) => pendingKey(id, '').pendingPk;
const refuse = () => Promise.reject(new AppError('dependency_unavailable'));

let room: JobRoom;
let sweep: (resume?: boolean, remaining?: number) => Promise<unknown>;
/** What is not told by each sweep anyway. */
const logged = () => room.messages().filter((message) => message !== 'sweep_finished');
/** How long, by each sweep that tells it, the oldest due job had waited. */
const waits = () => room.lines.flatMap(({ oldestDueSeconds }) => oldestDueSeconds ?? []);
const sentIds = () => room.sent.map(([id]) => id).toSorted();

beforeEach(async () => {
  room = await openJobRoom();
  const { c } = room;
  // What a test puts in the place of the queue's own is called too.
  const sender = { sendJob: c.sendJob, sendJobOrFail: (task: JobTask) => c.sendJobOrFail(task) };
  const run = compose({ logger: c.logger, table: c.table, sender, now: c.now });
  sweep = (resume = false, remaining = 60_000) => run({ resume }, { getRemainingTimeInMillis: () => remaining });
});

/** Jobs that are due a minute later; all of one shard, if that is asked for. */
async function addJobs(count: number, { inOneShard = false } = {}): Promise<string[]> {
  const candidates = Array.from({ length: inOneShard ? count * 16 : count }, (_, number) => projection(number));
  const shard = inOneShard ? shardOf(jobId(projection(0))) : undefined;
  const tasks = candidates.filter((task) => !shard || shardOf(jobId(task)) === shard).slice(0, count);
  for (let start = 0; start < count; start += 90) {
    await room.table.transact(tasks.slice(start, start + 90).map((task) => addJob(room.c, task)));
  }
  room.pass(60);
  return tasks.map(jobId).toSorted();
}

/** Fails the request of this name and number, and no other. */
function failAt(name: string, number = 1, fault: <T>(make: () => Promise<T>) => Promise<T> = refuse): void {
  let calls = 0;
  room.faults = {
    call(called, make) {
      if (called === name) calls += 1;
      return called === name && calls === number ? fault(make) : make();
    },
  };
}

describe('the sweep', () => {
  test('sends what is due, each job once, however much it is, and begins no pass that its time would not let it end', async () => {
    const ids = await addJobs(210, { inOneShard: true });
    expect(await sweep(false, 9999)).toEqual({ sent: 100, failed: 0 });
    expect(await sweep(false, 10_000)).toEqual({ sent: 110, failed: 0 });
    expect(sentIds()).toEqual(ids);
    expect(await sweep()).toEqual({ sent: 0, failed: 0 });
    expect(logged()).toEqual(['jobs_sent_again', 'jobs_sent_again']);
  });

  test('takes what is due after the queue had its time to deliver it, each job by one of many sweeps, and again when that did not help', async () => {
    const id = await room.add(projection(1));
    room.pass(14.999);
    expect(await takeDueJobs(room.c)).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      room.pass(15.001);
      const sweeps = await Promise.all(Array.from({ length: 10 }, () => takeDueJobs(room.c)));
      expect(sweeps.flat().map((job) => job.id)).toEqual([id]);
    }
  });

  test('honours leases, except when it resumes after an outage', async () => {
    const [id = ''] = await addJobs(1);
    await room.lease(id, 600);
    room.pass(60);
    expect(await sweep()).toEqual({ sent: 0, failed: 0 });
    expect(await sweep(true)).toEqual({ sent: 1, failed: 0 });
    expect(await room.lease(id, 600)).toMatchObject({ attempts: 2 });
  });

  test('by a clock that is ahead takes no job from its worker, which ends it', async () => {
    const [id = ''] = await addJobs(1);
    const held = await room.lease(id, 60);
    room.pass(90);
    expect(await sweep()).toEqual({ sent: 1, failed: 0 });
    room.pass(-90);
    expect(await leaseJob(room.c, id, 60)).toBeUndefined();
    await room.table.transact([finishJob(held)]);
    expect(await room.stored(id)).toBeUndefined();
  });

  test('leaves a job that is to begin later until then, even after an outage, and one that is dead for good', async () => {
    const later: JobTask = { kind: 'discard-upload', productId: newId('product'), fileId: newId('file') };
    await room.add(later, 24 * 3600);
    await markJobDead(room.c, await room.lease(await room.add(projection(1))), 'amount_differs');
    const shards = await Promise.all(pendingPartitions().map((partition) => room.table.query({ index: 'pending', partition })));
    expect(shards.flatMap(({ items }) => items)).toHaveLength(1);
    room.pass(23 * 3600);
    for (const evenIfLeased of [false, true]) expect(await takeDueJobs(room.c, { evenIfLeased })).toEqual([]);
    room.pass(3600 + 16);
    expect(await takeDueJobs(room.c)).toMatchObject([{ task: later, attempts: 0 }]);
  });

  test('tells how long the oldest due job waits for a worker, however often it was sent again, if it can look at all', async () => {
    await sweep();
    const id = await room.add(projection(0));
    for (const seconds of [0, 315, 300]) {
      room.pass(seconds);
      await sweep();
    }
    await room.lease(id);
    room.pass(100);
    await sweep();
    expect(waits()).toEqual([0, 0, 300, 600, 40]);
    for (const name of ['Query', 'UpdateItem']) {
      failAt(name);
      room.pass(60);
      await sweep();
    }
    expect(waits()).toHaveLength(5);
  });

  test('sends what stands in a shard of fewer, as before there were as many', async () => {
    const ids = await addJobs(40);
    for (const id of ids) {
      const pendingPk = `PENDING#${Number(shardOf(id).at(-1)) % 4}`;
      await room.table.write({ put: { Item: { ...(await room.stored(id)), pendingPk } } });
    }
    expect(await sweep()).toEqual({ sent: 40, failed: 0 });
    expect(sentIds()).toEqual(ids);
    for (const id of ids) await room.table.write(finishJob(await room.lease(id)));
    room.pass(60);
    expect(await sweep()).toEqual({ sent: 0, failed: 0 });
  });

  test.each([1, 25, 60])('of which write %i fails sends every other job, and that one the next time', async (number) => {
    const ids = await addJobs(60);
    failAt('UpdateItem', number);
    expect(await sweep(false, 0)).toEqual({ sent: 59, failed: 1 });
    expect(new Set(sentIds()).size).toBe(59);
    expect(logged()).toEqual(['job_not_taken', 'jobs_sent_again']);
    expect(await sweep()).toEqual({ sent: 1, failed: 0 });
    expect(sentIds()).toEqual(ids);
  });

  test('of which a shard cannot be read sends the jobs of the others', async () => {
    const ids = await addJobs(60);
    failAt('Query');
    expect(await sweep(false, 0)).toMatchObject({ failed: 1 });
    const left = ids.filter((id) => !sentIds().includes(id));
    expect([new Set(left.map(shardOf)).size, new Set(sentIds().map(shardOf)).size]).toEqual([1, 7]);
    expect(await sweep()).toEqual({ sent: left.length, failed: 0 });
  });

  test('in which one record cannot be read sends the other jobs of its shard', async () => {
    const ids = await addJobs(20);
    const { pendingPk, pendingSk } = pendingKey(ids[0] ?? '', '2026-01-31T08:00:00.000Z');
    await room.table.write({ put: { Item: { pk: 'JOB#unreadable', sk: 'JOB', pendingPk, pendingSk } } });
    // The record stays where it is, so each pass meets it again.
    expect(await sweep(false, 0)).toMatchObject({ failed: 1 });
    expect(sentIds()).toEqual(ids);
  });

  test('is not kept from its work by a job that this version cannot read', async () => {
    const newer = jobId(projection(1)).replace('project-event', 'of-a-later-version');
    const item = await room.stored(await room.add(projection(1)));
    await room.table.write({ delete: { Key: { pk: item?.['pk'], sk: item?.['sk'] } } });
    const pendingPk = shardOf(jobId(projection(0)));
    await room.table.write({ put: { Item: { ...item, pk: `JOB#${newer}`, id: newer, pendingPk } } });
    room.pass(1);
    await room.add(projection(0));
    room.pass(60);
    const failures: unknown[] = [];
    const take = () => takeDueJobs(room.c, { limitPerShard: 1, onFailure: (error) => failures.push(error) });
    expect([await take(), failures.length]).toEqual([[], 1]);
    expect(await take()).toMatchObject([{ task: projection(0) }]);
  });

  test('sends a job whose due time it moved by a write that the client made twice', async () => {
    const ids = await addJobs(3);
    failAt('UpdateItem', 1, async (make) => {
      await make();
      return make();
    });
    expect(await sweep()).toEqual({ sent: 3, failed: 0 });
    expect(sentIds()).toEqual(ids);
  });

  test('that cannot send a job sends the others, and that one as soon as it is due again', async () => {
    const ids = await addJobs(20);
    const [refused] = ids;
    const { sendJobOrFail } = room.c;
    room.c.sendJobOrFail = (task) => (jobId(task) === refused ? refuse() : sendJobOrFail(task));
    expect(await sweep()).toEqual({ sent: 19, failed: 1 });
    expect(sentIds()).toEqual(ids.slice(1));
    expect(logged()).toEqual(['job_not_sent', 'jobs_sent_again']);
    room.c.sendJobOrFail = sendJobOrFail;
    room.pass(14);
    expect(await sweep()).toEqual({ sent: 0, failed: 0 });
    room.pass(1);
    await sweep();
    expect(sentIds()).toContain(refused);
  });

  test('that can send nothing takes no further jobs', async () => {
    await addJobs(130, { inOneShard: true });
    room.c.sendJobOrFail = refuse;
    expect(await sweep()).toEqual({ sent: 0, failed: 100 });
  });

  test('tells whoever takes jobs without a hearer of failures that one could not be taken', async () => {
    await addJobs(2);
    failAt('UpdateItem');
    await expect(takeDueJobs(room.c)).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });
});
