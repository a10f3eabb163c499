import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Needs } from '../../../shared/context.ts';
import { jobKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { type Job, type JobTask, ThrottledJobError } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createWorker } from '../../../shared/queue/create-worker.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

const task: JobTask = { kind: 'send-mail', orderId: newId('order'), mailId: 'issuance' };
const id = jobId(task);

describe('a job that may not be done now', () => {
  let table: Table;
  let c: Needs<'table' | 'now'>;
  let clock: number;
  let lines: Record<string, unknown>[];
  let delays: number[];
  let outcome: () => Promise<void>;
  let work: ReturnType<typeof createWorker>;
  const stored = () => table.get(jobKey(id));
  const throttled = () => Promise.reject(new ThrottledJobError('mail_quota', 600));

  beforeEach(async () => {
    ({ table } = await createTestTable());
    clock = Date.parse('2026-01-31T09:00:00.000Z');
    c = { table, now: () => new Date(clock) };
    lines = [];
    delays = [];
    const sender = { sendJob: async (_: JobTask, delay = 0) => void delays.push(delay), sendJobOrFail: async () => undefined };
    const logger = createLogger({}, (line) => lines.push(JSON.parse(line)));
    work = createWorker({ ...c, ...sender, logger }, { run: { 'send-mail': () => outcome() }, leaseSeconds: 60 });
    await table.write(addJob(c, task));
  });
  /** Runs the job, and lets the time pass until it comes again. */
  async function run(): Promise<void> {
    const before = delays.length;
    expect(await work(toSqsEvent([id]))).toEqual({ batchItemFailures: [] });
    clock += (delays[before] ?? 0) * 1000;
  }

  test('comes again when it was told to, named, with no attempt counted', async () => {
    outcome = throttled;
    const at = clock;
    await run();
    expect(delays).toEqual([600]);
    expect(await stored()).toMatchObject({
      state: 'waiting',
      attempts: 0,
      lastFailure: 'mail_quota',
      dueAt: new Date(at + 615_000).toISOString(),
    });
    expect(await stored()).not.toHaveProperty('leasedUntil');
    expect(lines).toMatchObject([{ level: 'warn', message: 'job_throttled', jobId: id, reason: 'mail_quota', delay: 600 }]);
  });

  test('does not die of waiting, however long, and has its day of attempts after that', async () => {
    outcome = throttled;
    for (let times = 0; times < 3 * 24 * 6; times += 1) await run();
    expect(await stored()).toMatchObject({ state: 'waiting', attempts: 0 });
    outcome = () => Promise.reject(new Error('down'));
    const begun = clock;
    while ((await stored())?.['state'] === 'waiting') await run();
    expect(clock - begun).toBeGreaterThan(23.5 * 3600_000);
    expect(clock - begun).toBeLessThanOrEqual(24 * 3600_000);
  });

  test('keeps the attempts that failed before', async () => {
    outcome = () => Promise.reject(new Error('down'));
    await run();
    await run();
    outcome = throttled;
    await run();
    expect(await stored()).toMatchObject({ attempts: 2, lastFailure: 'mail_quota' });
    outcome = () => Promise.reject(new Error('down'));
    await run();
    expect(delays).toEqual([5, 15, 600, 60]);
  });

  test('cannot be finished by a worker whose lease ran out before', async () => {
    const late = (await leaseJob(c, id, 60)) as Job;
    clock += 61_000;
    outcome = throttled;
    await run();
    const [again] = [(await leaseJob(c, id, 60)) as Job];
    expect(again.attempts).toBe(late.attempts + 1);
    await expect(table.transact([finishJob(late)])).rejects.toThrow();
    await table.transact([finishJob(again)]);
  });
});
