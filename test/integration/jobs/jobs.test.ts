import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Needs } from '../../../shared/context.ts';
import { pendingPartitions } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { listDeadJobs, redriveDeadJob } from '../../../shared/jobs/dead-job-repository.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { type JobTask, nextRetryDelay } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob, markJobDead, postponeJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob, addJobOnce } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createTestTable } from '../../support/engines/test-table.ts';

describe('jobs', () => {
  let table: Table;
  let c: Needs<'table' | 'now'>;
  let clock: Date;
  const task: JobTask = { kind: 'send-mail', orderId: newId('order'), mailId: 'issuance' };
  const id = jobId(task);
  const pass = (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1000);
  };

  beforeEach(async () => {
    ({ table } = await createTestTable());
    clock = new Date('2026-01-31T09:00:00.000Z');
    c = { table, now: () => clock };
    await table.write(addJob(c, task));
  });

  test('a job is leased by one worker at a time', async () => {
    const leases = await Promise.all(Array.from({ length: 8 }, () => leaseJob(c, id, 30)));
    expect(leases.filter(Boolean)).toHaveLength(1);
  });

  test('a lease that ran out can be taken over, and its first holder can no longer finish', async () => {
    const first = await leaseJob(c, id, 30);
    pass(31);
    const second = await leaseJob(c, id, 30);
    expect(second?.attempts).toBe(2);
    await expect(table.write(finishJob(first!))).rejects.toThrow();
    await table.write(finishJob(second!));
    pass(3600);
    expect(await takeDueJobs(c)).toEqual([]);
  });

  test('the sweep takes only what is due, and each job once', async () => {
    expect(await takeDueJobs(c)).toEqual([]);
    pass(16);
    const sweeps = await Promise.all(Array.from({ length: 10 }, () => takeDueJobs(c)));
    expect(sweeps.flat().map((job) => job.id)).toEqual([id]);
    expect(await takeDueJobs(c)).toEqual([]);
    pass(16);
    expect(await takeDueJobs(c)).toHaveLength(1);
  });

  test('after an outage every waiting job is taken, leased or not', async () => {
    await leaseJob(c, id, 30);
    expect(await takeDueJobs(c)).toEqual([]);
    expect(await takeDueJobs(c, { evenIfLeased: true })).toHaveLength(1);
    expect(await leaseJob(c, id, 30)).toBeDefined();
  });

  test('a job that is to begin later is not taken before, not even after an outage', async () => {
    const { table } = await createTestTable();
    const c = { table, now: () => clock };
    const discard: JobTask = { kind: 'discard-upload', productId: newId('product'), fileId: newId('file') };
    await table.write(addJob(c, discard, 24 * 3600));
    pass(23 * 3600);
    expect(await takeDueJobs(c)).toEqual([]);
    expect(await takeDueJobs(c, { evenIfLeased: true })).toEqual([]);
    pass(3600 + 16);
    expect(await takeDueJobs(c)).toMatchObject([{ task: discard, attempts: 0 }]);
  });

  test('a postponed job is due after its delay; a dead one only after it was re-armed', async () => {
    const job = await leaseJob(c, id, 30);
    await postponeJob(c, job!, 60, 'TimeoutError');
    pass(70);
    expect(await takeDueJobs(c)).toEqual([]);
    pass(10);
    expect(await takeDueJobs(c)).toHaveLength(1);

    const again = await leaseJob(c, id, 30);
    await markJobDead(c, again!, 'amount_differs');
    pass(24 * 3600);
    expect(await takeDueJobs(c)).toEqual([]);
    expect((await listDeadJobs(table, { limit: 10 })).items).toMatchObject([{ id, lastFailure: 'amount_differs' }]);
    await redriveDeadJob(c, id);
    expect(await takeDueJobs(c)).toMatchObject([{ id, attempts: 0 }]);
    expect((await listDeadJobs(table, { limit: 10 })).items).toEqual([]);
    const redriven = await leaseJob(c, id, 30);
    expect(nextRetryDelay(redriven!, clock)).toBe(5);
    pass(24 * 3600 - 5);
    expect(nextRetryDelay(redriven!, clock)).toBe(5);
    pass(1);
    expect(nextRetryDelay(redriven!, clock)).toBeUndefined();
  });

  test('a dead job takes no place among those that are due, and a job that is added again none among the dead', async () => {
    const dead = await leaseJob(c, id, 30);
    await markJobDead(c, dead!, 'amount_differs');
    const partitions = () => Promise.all(pendingPartitions().map((partition) => table.query({ index: 'pending', partition })));
    expect((await partitions()).flatMap(({ items }) => items)).toEqual([]);
    await table.write(addJob(c, task));
    expect((await listDeadJobs(table, { limit: 10 })).items).toEqual([]);
    pass(16);
    expect(await takeDueJobs(c)).toMatchObject([{ id, attempts: 0 }]);
  });

  test('a job that is added once is not added again while it is there', async () => {
    const refused = () => new Error('It is there.');
    await expect(table.write(addJobOnce(c, task, refused))).rejects.toThrow('It is there.');
    const other: JobTask = { ...task, mailId: 'other' };
    await table.write(addJobOnce(c, other, refused));
    expect(await leaseJob(c, jobId(other), 30)).toMatchObject({ task: other });
  });
});
