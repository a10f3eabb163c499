import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { queueDefinitions } from '../../../infra/constructs/queues.ts';
import type { Needs } from '../../../shared/context.ts';
import { jobKey } from '../../../shared/db/keys.ts';
import type { Table, Write } from '../../../shared/db/table.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { listDeadJobs } from '../../../shared/jobs/dead-job-repository.ts';
import { DeadJobError, type Job, type JobKind, type JobTask } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob, wakeJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { runWithRequestId } from '../../../shared/logging/request-id.ts';
import { createWorker, type JobOutcome, type RunJob } from '../../../shared/queue/create-worker.ts';
import { queueOfJob } from '../../../shared/queue/messages.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const task: JobTask = { kind: 'send-mail', orderId: newId('order'), mailId: 'issuance' };
const id = jobId(task);

let table: Table;
let c: Needs<'table' | 'now' | 'logger' | 'sendJob' | 'sendJobOrFail'>;
let clock: Date;
let lines: Record<string, unknown>[];
let delays: [string, number][];
/** Fails the requests of this name to the table. */
let failing: string | undefined;
const pass = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000);
};
const sender = {
  sendJob: async (sent: JobTask, delay = 0) => void delays.push([jobId(sent), delay]),
  sendJobOrFail: () => Promise.reject(new Error('Workers go on where sending fails.')),
};

beforeEach(async () => {
  failing = undefined;
  const call = <T>(name: string, make: () => Promise<T>) =>
    name === failing ? Promise.reject(new AppError('dependency_unavailable')) : make();
  ({ table } = await createTestTable({ faults: { call } }));
  clock = new Date('2026-01-31T09:00:00.000Z');
  lines = [];
  const logger = createLogger({}, (line) => lines.push(JSON.parse(line)));
  c = { table, now: () => clock, logger, ...sender };
  delays = [];
  await table.write(addJob(c, task));
});

type Run = (job: Job<'send-mail'>) => Promise<void>;
const finish: Run = (job) => table.transact([finishJob(job)]);
const workerThat = (run: Run) => createWorker(c, { run: { 'send-mail': (_, job) => run(job) }, leaseSeconds: 60 });
const storedJob = (jobIdOf = id) => table.get(jobKey(jobIdOf));
const messages = () => lines.map(({ message }) => message);

describe('a worker', () => {
  test('removes a job that it did, and drops a message that comes again', async () => {
    const run = jest.fn(finish);
    const work = workerThat(run);
    expect(await work(toSqsEvent([id]))).toEqual({ batchItemFailures: [] });
    expect(await storedJob()).toBeUndefined();
    expect(await work(toSqsEvent([id]))).toEqual({ batchItemFailures: [] });
    expect(run).toHaveBeenCalledTimes(1);
    expect(messages()).toEqual(['job_ended']);
  });

  const ways: [string, (job: Job<'send-mail'>) => Promise<void> | Promise<JobOutcome>, object][] = [
    [
      'as its run says',
      async (job) => {
        await finish(job);
        return { outcome: 'withheld', mailKind: 'completion' };
      },
      { outcome: 'withheld', mailKind: 'completion' },
    ],
    ['in the one way there is', finish, { outcome: 'done' }],
  ];
  test.each(ways)('tells of each job that ended which it was, how it ended, and after how long: %s', async (_, end, told) => {
    const run: RunJob<unknown, 'send-mail'> = (_, job) => {
      pass(2.5);
      return end(job);
    };
    await createWorker(c, { run: { 'send-mail': run }, leaseSeconds: 60 })(toSqsEvent([id]));
    const at = expect.any(String);
    expect(lines).toEqual([{ at, level: 'info', message: 'job_ended', jobKind: 'send-mail', jobId: id, durationMs: 2500, ...told }]);
  });

  test('tells of a job, and of each that it adds, with the id of the request that caused it', async () => {
    await runWithRequestId('req-4711', () => table.write(addJob(c, task)));
    const further: JobTask = { kind: 'send-links', mailId: newId('mail') };
    const work = workerThat(async (job) => {
      await table.transact([finishJob(job), addJob(c, further)]);
    });
    await work(toSqsEvent([id]));
    expect(await storedJob(jobId(further))).toMatchObject({ requestId: 'req-4711' });
    await createWorker(c, { run: {}, leaseSeconds: 60 })(toSqsEvent([jobId(further)]));
    expect(lines).toMatchObject([
      { message: 'job_ended', requestId: 'req-4711' },
      { message: 'job_dead', requestId: 'req-4711' },
    ]);
  });

  test('tells of no request where none caused the job', async () => {
    expect(await storedJob()).not.toHaveProperty('requestId');
    await workerThat(finish)(toSqsEvent([id]));
    expect(lines[0]).not.toHaveProperty('requestId');
  });

  test.each<[string, () => Write]>([
    ['postponed', () => addJob(c, task, 60)],
    ['woken', () => wakeJob(c, task, 60)],
  ])('keeps the request with a job that is %s for another, and takes the latest', async (_, add) => {
    await runWithRequestId('req-1', () => table.write(addJob(c, task)));
    await runWithRequestId('req-2', () => table.write(add()));
    expect(await storedJob()).toMatchObject({ requestId: 'req-2' });
  });

  test('gives back the messages that it could not handle, and no other', async () => {
    const other: JobTask = { ...task, mailId: 'resent' };
    await table.write(addJob(c, other));
    const done: string[] = [];
    const work = workerThat(async (job) => {
      done.push(job.id);
      await finish(job);
    });
    const event = toSqsEvent([id, 'unreadable', jobId(other), 'send-mail:none/of-ours']);
    const [first, unreadable] = event.Records as [SQSRecord, SQSRecord];
    unreadable.body = '{"job": 7';
    expect(await work(event)).toEqual({ batchItemFailures: [{ itemIdentifier: unreadable.messageId }] });
    expect(done.toSorted()).toEqual([id, jobId(other)].toSorted());
    expect(messages().toSorted()).toEqual(['job_ended', 'job_ended', 'message_not_handled']);

    failing = 'UpdateItem';
    await table.write(addJob(c, task));
    const failed = await work({ Records: [first] });
    expect(failed).toEqual({ batchItemFailures: [{ itemIdentifier: first.messageId }] });
    failing = undefined;
    expect(await work({ Records: [first] })).toEqual({ batchItemFailures: [] });
    expect(await storedJob()).toBeUndefined();
  });

  test('gives a message back when it could not record how the run failed', async () => {
    const work = workerThat(async () => {
      failing = 'UpdateItem';
      throw new Error('down');
    });
    const event: SQSEvent = toSqsEvent([id]);
    expect(await work(event)).toEqual({ batchItemFailures: [{ itemIdentifier: event.Records[0]?.messageId }] });
    expect(delays).toEqual([]);
  });

  test('tries a failed run again after 5, 15, 60, 300, 900, 900, … seconds, for a day, and then leaves it dead', async () => {
    const begun = clock.getTime();
    const work = workerThat(() => Promise.reject(new AppError('dependency_unavailable')));
    const seen: number[] = [];
    for (;;) {
      const before = delays.length;
      await work(toSqsEvent([id]));
      const delay = delays[before]?.[1];
      if (delay === undefined) break;
      seen.push(delay);
      expect(await storedJob()).toMatchObject({
        state: 'waiting',
        attempts: seen.length,
        lastFailure: 'dependency_unavailable',
        dueAt: new Date(clock.getTime() + (delay + 15) * 1000).toISOString(),
      });
      expect(await storedJob()).not.toHaveProperty('leasedUntil');
      pass(delay);
    }
    expect(seen.slice(0, 7)).toEqual([5, 15, 60, 300, 900, 900, 900]);
    expect(seen.slice(4).every((delay) => delay === 900)).toBe(true);
    const age = (clock.getTime() - begun) / 1000;
    expect(age).toBeLessThanOrEqual(24 * 3600);
    expect(age).toBeGreaterThan(24 * 3600 - 900);
    expect(await storedJob()).toMatchObject({ state: 'dead', lastFailure: 'dependency_unavailable' });
    expect(messages()).toEqual([...seen.map(() => 'job_postponed'), 'job_dead']);
    expect(lines.at(-1)).toMatchObject({ jobKind: 'send-mail', jobId: id, attempts: seen.length + 1, failure: 'dependency_unavailable' });
    expect((await listDeadJobs(table, { limit: 10 })).items).toMatchObject([{ id }]);
  });

  test.each([
    ['a DeadJobError', new DeadJobError('amount_differs'), 'amount_differs'],
    ['any other error', new TypeError('secret detail'), undefined],
  ])('leaves a job dead at once only when no repetition can help: %s', async (_, error, reason) => {
    await workerThat(() => Promise.reject(error))(toSqsEvent([id]));
    expect(await storedJob()).toMatchObject(
      reason ? { state: 'dead', lastFailure: reason } : { state: 'waiting', lastFailure: 'TypeError' },
    );
    expect(messages()).toEqual([reason ? 'job_dead' : 'job_postponed']);
  });

  test('leaves a job dead that its queue should not carry', async () => {
    await createWorker(c, { run: {}, leaseSeconds: 60 })(toSqsEvent([id]));
    expect(await storedJob()).toMatchObject({ state: 'dead', lastFailure: 'wrong_queue' });
  });

  test('does not run a job that another worker holds, up to the moment at which its lease ends', async () => {
    const run = jest.fn(finish);
    const work = workerThat(run);
    await leaseJob(c, id, 60);
    expect(await work(toSqsEvent([id]))).toEqual({ batchItemFailures: [] });
    pass(59.999);
    await work(toSqsEvent([id]));
    expect(run).not.toHaveBeenCalled();
    pass(0.001);
    await work(toSqsEvent([id]));
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('runs no dead job', async () => {
    await workerThat(() => Promise.reject(new DeadJobError('gone')))(toSqsEvent([id]));
    const run = jest.fn(finish);
    pass(90_000);
    await workerThat(run)(toSqsEvent([id]));
    expect(run).not.toHaveBeenCalled();
  });
});

describe('while a worker runs a job', () => {
  /** What becomes of the job when, during the run, something happens to it and the run then ends in this way. */
  async function whileRunning(meanwhile: () => Promise<unknown>, end: Run) {
    const work = workerThat(async (job) => {
      await meanwhile();
      await end(job);
    });
    const reply = await work(toSqsEvent([id]));
    return { reply, job: await storedJob() };
  }
  const ends: [string, Run][] = [
    ['is done', finish],
    ['fails', () => Promise.reject(new Error('down'))],
    ['can never be done', () => Promise.reject(new DeadJobError('gone'))],
  ];
  const addAgain = async () => {
    pass(1);
    await table.write(addJob(c, task));
  };

  test.each(ends)('a job that is added again is untouched when the earlier run %s', async (_, end) => {
    const { reply, job } = await whileRunning(addAgain, end);
    expect(reply).toEqual({ batchItemFailures: [] });
    expect(job).toMatchObject({ state: 'waiting', attempts: 0, createdAt: clock.toISOString() });
    expect(job).not.toHaveProperty('lastFailure');
    expect(await leaseJob(c, id, 60)).toMatchObject({ attempts: 1 });
  });

  test.each(ends)('a job that is added again and taken by another worker is that one’s when the earlier run %s', async (_, end) => {
    let second: Job | undefined;
    const { job } = await whileRunning(async () => {
      await addAgain();
      second = await leaseJob(c, id, 60);
    }, end);
    expect(job).toMatchObject({ state: 'waiting', attempts: 1, leasedUntil: second?.leasedUntil });
    expect(job).not.toHaveProperty('lastFailure');
    await table.transact([finishJob(second!)]);
    expect(await storedJob()).toBeUndefined();
  });

  test.each(ends)('a lease that ran out and was taken over is the other worker’s when the first run %s', async (_, end) => {
    let second: Job | undefined;
    const { job } = await whileRunning(async () => {
      pass(60);
      second = await leaseJob(c, id, 60);
    }, end);
    expect(second?.attempts).toBe(2);
    expect(job).toMatchObject({ state: 'waiting', attempts: 2, leasedUntil: second?.leasedUntil });
  });

  test('its effect is not committed once the lease is lost', async () => {
    const effect = { pk: 'EFFECT', sk: 'EFFECT' };
    await whileRunning(addAgain, (job) => table.transact([{ put: { Item: effect } }, finishJob(job)]));
    expect(await table.get(effect)).toBeUndefined();
    expect(lines).toMatchObject([{ message: 'job_ended', outcome: 'lease_lost' }]);
  });
});

describe.each(Object.entries(queueDefinitions))('the worker of %s', (queue, { worker, timeoutSeconds }) => {
  const sampleIds = {
    eventId: 'evt_none',
    orderId: newId('order'),
    mailId: 'issuance',
    productId: newId('product'),
    fileId: newId('file'),
    batchId: newId('batch'),
  };
  const kinds = (Object.keys(queueOfJob) as JobKind[]).filter((kind) => queueOfJob[kind] === queue);

  test.each(kinds)('does %s, under a lease that ends no sooner than the function', async (kind) => {
    const { compose, leaseSeconds } = await import(`../../../functions/${worker}/compose.ts`);
    const { settingNames } = await import(`../../../functions/${worker}/declaration.ts`);
    expect(leaseSeconds).toBeGreaterThanOrEqual(timeoutSeconds);
    const sample = { kind, ...sampleIds } as JobTask;
    const leases: unknown[] = [];
    const recording: Table = {
      ...table,
      async write(write) {
        const item = await table.write(write);
        if (item['leasedUntil'] !== undefined) leases.push(item['leasedUntil']);
        return item;
      },
    };
    await table.write(addJob(c, sample));
    const work = compose({ settings: sampleSettings(settingNames), logger: silentLogger, table: recording, sender, now: c.now });
    await work(toSqsEvent([jobId(sample)]));
    expect(leases).toEqual([new Date(clock.getTime() + leaseSeconds * 1000).toISOString()]);
    expect((await storedJob(jobId(sample)))?.['lastFailure']).not.toBe('wrong_queue');
  });
});
