import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { queueDefinitions } from '../../../infra/constructs/queues.ts';
import type { Table } from '../../../shared/db/table.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { listDeadJobs, redriveDeadJob } from '../../../shared/jobs/dead-job-repository.ts';
import { DeadJobError, Job, type JobKind, type JobTask, ThrottledJobError } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob, markJobDead, sleepJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob, addJobOnce, wakeJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { runWithRequestId } from '../../../shared/logging/request-id.ts';
import { createWorker, type JobOutcome } from '../../../shared/queue/create-worker.ts';
import { queueOfJob } from '../../../shared/queue/messages.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { type JobRoom, openJobRoom } from '../../support/scenes/job-room.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

let room: JobRoom;
let task: JobTask & { kind: 'send-mail' };
let id: string;
/** The requests of this name to the table fail. */
let failing: string | undefined;
/** The requests of this name are made twice, as by a client that lost the first answer. */
let repeated: string | undefined;
beforeAll(async () => {
  room = await openJobRoom({
    async call(name, make) {
      if (name === failing) throw new AppError('dependency_unavailable');
      if (name === repeated) await make();
      return make();
    },
  });
});
beforeEach(async () => {
  [failing, repeated] = [undefined, undefined];
  task = { kind: 'send-mail', orderId: newId('order'), mailId: 'issuance' };
  id = await room.add(task);
  for (const list of [room.lines, room.sent]) list.length = 0;
});

type Run = (job: Job<'send-mail'>) => Promise<void>;
const finish: Run = (job) => room.table.transact([finishJob(job)]);
const fail = (error: Error) => () => Promise.reject(error);
const workerThat = (run: (job: Job<'send-mail'>) => Promise<void> | Promise<JobOutcome>) =>
  createWorker(room.c, { run: { 'send-mail': (_, job) => run(job) as Promise<void> }, leaseSeconds: 60 });
/** Runs the job by its message. */
const work = (run: Run, of = id) => workerThat(run)(toSqsEvent([of]));
const handled = { batchItemFailures: [] };

describe('a worker', () => {
  test('removes a job that it did, tells how long it took, and drops a message that comes again', async () => {
    const run = jest.fn<Run>(async (job) => {
      room.pass(2.5);
      await finish(job);
    });
    expect(await work(run)).toEqual(handled);
    expect(await room.stored(id)).toBeUndefined();
    expect(await work(run)).toEqual(handled);
    expect(run).toHaveBeenCalledTimes(1);
    const told = { at: expect.any(String), level: 'info', message: 'job_ended', jobKind: 'send-mail', jobId: id };
    expect(room.lines).toEqual([{ ...told, durationMs: 2500, outcome: 'done' }]);
  });

  test('tells of a job that ended as its run says, where there are several ways', async () => {
    await workerThat(async (job) => {
      await finish(job);
      return { outcome: 'withheld', mailKind: 'completion' };
    })(toSqsEvent([id]));
    expect(room.lines).toMatchObject([{ message: 'job_ended', outcome: 'withheld', mailKind: 'completion' }]);
  });

  test('tells of a job, and of each that it adds, with the id of the latest request that caused it, where one did', async () => {
    const further: JobTask = { kind: 'send-links', mailId: newId('mail') };
    const finishAndAdd: Run = (job) => room.table.transact([finishJob(job), addJob(room.c, further)]);
    for (const add of [() => addJob(room.c, task, 60), () => wakeJob(room.c, task, 60)]) {
      await runWithRequestId('req-1', () => room.table.write(addJob(room.c, task)));
      await runWithRequestId('req-2', () => room.table.write(add()));
      expect(await room.stored(id)).toMatchObject({ requestId: 'req-2' });
    }
    await work(finishAndAdd);
    await work(finish, jobId(further));
    expect(room.lines).toMatchObject([
      { message: 'job_ended', requestId: 'req-2' },
      { message: 'job_dead', requestId: 'req-2' },
    ]);
    await room.add(task);
    await work(finish);
    expect(room.lines[2]).not.toHaveProperty('requestId');
  });

  test('gives back the messages that it could not handle, and no other', async () => {
    const other = await room.add({ ...task, mailId: 'resent' });
    const done: string[] = [];
    const event = toSqsEvent([id, 'unreadable', other, 'send-mail:none/of-ours']);
    const [first, unreadable] = event.Records as [SQSRecord, SQSRecord];
    unreadable.body = '{"job": 7';
    const runAll = workerThat(async (job) => {
      done.push(job.id);
      await finish(job);
    });
    expect(await runAll(event)).toEqual({ batchItemFailures: [{ itemIdentifier: unreadable.messageId }] });
    expect(done.toSorted()).toEqual([id, other].toSorted());
    expect(room.messages().toSorted()).toEqual(['job_ended', 'job_ended', 'message_not_handled']);

    await room.add(task);
    failing = 'UpdateItem';
    expect(await runAll({ Records: [first] })).toEqual({ batchItemFailures: [{ itemIdentifier: first.messageId }] });
    failing = undefined;
    expect(await runAll({ Records: [first] })).toEqual(handled);
    expect(await room.stored(id)).toBeUndefined();
  });

  test('gives a message back when it could not record how the run failed', async () => {
    const { batchItemFailures } = await work(async () => {
      failing = 'UpdateItem';
      throw new Error('down');
    });
    expect(batchItemFailures).toHaveLength(1);
    expect(room.sent).toEqual([]);
  });

  test('has a failed job sent and due again in its time, and leaves it dead after a day', async () => {
    expect(await work(fail(new TypeError('secret detail')))).toEqual(handled);
    expect(room.sent).toEqual([[id, 5]]);
    expect(await room.stored(id)).toMatchObject({ state: 'waiting', attempts: 1, lastFailure: 'TypeError', dueAt: room.at(20) });
    expect(await room.stored(id)).not.toHaveProperty('leasedUntil');
    room.pass(24 * 3600);
    const run = jest.fn<Run>(fail(new AppError('dependency_unavailable')));
    await work(run);
    await work(run);
    expect(run).toHaveBeenCalledTimes(1);
    expect(await room.stored(id)).toMatchObject({ state: 'dead', lastFailure: 'dependency_unavailable' });
    expect(room.messages()).toEqual(['job_postponed', 'job_dead']);
    expect(room.lines[1]).toMatchObject({ jobKind: 'send-mail', jobId: id, attempts: 2, failure: 'dependency_unavailable' });
    expect((await listDeadJobs(room.table, { limit: 100 })).items).toContainEqual(expect.objectContaining({ id }));
  });

  test('leaves a job dead at once that no repetition can help, or that its queue should not carry', async () => {
    await work(fail(new DeadJobError('amount_differs')));
    const lost = await room.add({ kind: 'send-links', mailId: newId('mail') });
    await work(finish, lost);
    expect(await room.stored(id)).toMatchObject({ state: 'dead', lastFailure: 'amount_differs' });
    expect(await room.stored(lost)).toMatchObject({ state: 'dead', lastFailure: 'wrong_queue' });
    expect(room.messages()).toEqual(['job_dead', 'job_dead']);
  });

  test('puts off a job that may not be done now, with no attempt counted, and leaves it its day', async () => {
    await work(fail(new Error('down')));
    const { createdAt } = Job.parse(await room.stored(id));
    room.pass(5);
    const late = await room.lease(id);
    room.pass(60);
    expect(await work(fail(new ThrottledJobError('mail_quota', 600)))).toEqual(handled);
    expect(room.sent.at(-1)).toEqual([id, 600]);
    const stored = await room.stored(id);
    expect(stored).toMatchObject({ state: 'waiting', attempts: 2, lastFailure: 'mail_quota', dueAt: room.at(615) });
    expect(Date.parse(String(stored?.['createdAt'])) - Date.parse(createdAt)).toBe(600_000);
    expect(stored).not.toHaveProperty('leasedUntil');
    expect(room.lines.at(-1)).toMatchObject({ level: 'warn', message: 'job_throttled', jobId: id, reason: 'mail_quota', delay: 600 });
    room.pass(600);
    const again = await room.lease(id);
    expect(again.attempts).toBe(late.attempts + 1);
    await expect(room.table.transact([finishJob(late)])).rejects.toThrow();
    await room.table.transact([finishJob(again)]);
  });

  const putOff: [string, number, () => Promise<unknown>][] = [
    ['failed', 5, () => work(fail(new Error('down')))],
    ['may not be done now', 600, () => work(fail(new ThrottledJobError('mail_quota', 600)))],
    ['is to begin later', 86_400, () => room.add(task, 86_400)],
    ['went to sleep', 300, () => work((job) => room.table.transact([sleepJob(room.c, job, 300)]))],
  ];
  test.each(putOff)('begins a job that %s after %d s and no sooner, however often its message comes', async (_, seconds, act) => {
    await act();
    const run = jest.fn(finish);
    for (const early of [0, seconds - 3]) {
      room.pass(early);
      expect(await work(run)).toEqual(handled);
    }
    expect(run).not.toHaveBeenCalled();
    room.pass(3);
    await work(run);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('begins at once a job that was put off, once it is woken', async () => {
    await room.add(task, 600);
    await room.table.write(wakeJob(room.c, task, 60));
    const run = jest.fn(finish);
    await work(run);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('runs a job whose lease the client took twice, since the first answer was lost', async () => {
    const run = jest.fn(finish);
    repeated = 'UpdateItem';
    await work(run);
    expect(run).toHaveBeenCalledTimes(1);
    expect(await room.stored(id)).toBeUndefined();
  });

  test('does not run a job that another holds, up to the moment at which its lease ends', async () => {
    const run = jest.fn(finish);
    const leases = await Promise.all(Array.from({ length: 8 }, () => leaseJob(room.c, id, 60)));
    expect(leases.filter(Boolean)).toHaveLength(1);
    for (const seconds of [0, 59.999]) {
      room.pass(seconds);
      expect(await work(run)).toEqual(handled);
    }
    expect(run).not.toHaveBeenCalled();
    room.pass(0.001);
    await work(run);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('while a worker runs a job', () => {
  const addAgain = async () => {
    room.pass(1);
    await room.add(task);
  };
  /** By a worker whose clock shows what it showed when the job was added. */
  const addInTheSameMoment = () => room.add(task);
  const takeOver = (seconds: number) => async () => {
    room.pass(seconds);
    await room.lease(id);
  };
  const ends: [string, Run][] = [
    ['is done', finish],
    ['fails', fail(new Error('down'))],
    ['can never be done', fail(new DeadJobError('gone'))],
    ['is put off', fail(new ThrottledJobError('mail_quota', 600))],
  ];
  test.each(
    ends.flatMap(([how, end]) => [
      ['that is added again', how, addAgain, end] as const,
      ['that is added again and taken', how, () => addAgain().then(takeOver(0)), end] as const,
      ['that is added again in the same moment and taken', how, () => addInTheSameMoment().then(takeOver(0)), end] as const,
      ['whose lease ran out and was taken over', how, takeOver(60), end] as const,
    ]),
  )('a job %s is as it was when the earlier run %s', async (_, __, meanwhile, end) => {
    let before: unknown;
    await work(async (job) => {
      await meanwhile();
      before = await room.stored(id);
      await end(job);
    });
    expect(await room.stored(id)).toEqual(before);
    expect(before).toMatchObject({ state: 'waiting' });
  });

  test('its effect is not committed once the lease is lost', async () => {
    const effect = { pk: 'EFFECT', sk: 'EFFECT' };
    await work(async (job) => {
      await addAgain();
      await room.table.transact([{ put: { Item: effect } }, finishJob(job)]);
    });
    expect(await room.table.get(effect)).toBeUndefined();
    expect(room.lines).toMatchObject([{ message: 'job_ended', outcome: 'lease_lost' }]);
  });
});

test('a dead job is started anew when it is redriven or added again, and is among the dead no more; one that is there is not added once', async () => {
  const deadIds = async () => (await listDeadJobs(room.table, { limit: 100 })).items.map((job) => job.id);
  for (const revive of [() => redriveDeadJob(room.c, id), () => room.add(task)]) {
    await markJobDead(room.c, await room.lease(id), 'amount_differs');
    expect(await deadIds()).toContain(id);
    room.pass(24 * 3600);
    await revive();
    expect(await deadIds()).not.toContain(id);
    expect(await room.stored(id)).toMatchObject({ state: 'waiting', attempts: 0, createdAt: room.at() });
  }
  await expect(redriveDeadJob(room.c, id)).rejects.toThrow();
  const refused = () => new Error('It is there.');
  await expect(room.table.write(addJobOnce(room.c, task, refused))).rejects.toThrow('It is there.');
  const other: JobTask = { ...task, mailId: 'other' };
  await room.table.write(addJobOnce(room.c, other, refused));
  expect(await room.lease(jobId(other))).toMatchObject({ task: other });
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
    const sample = await room.add({ kind, ...sampleIds } as JobTask);
    const leases: unknown[] = [];
    const recording: Table = {
      ...room.table,
      async write(write) {
        const item = await room.table.write(write);
        if (item['leasedUntil'] !== undefined) leases.push(item['leasedUntil']);
        return item;
      },
    };
    const { logger, now, sendJob, sendJobOrFail } = room.c;
    const sender = { sendJob, sendJobOrFail };
    await compose({ settings: sampleSettings(settingNames), logger, table: recording, sender, now })(toSqsEvent([sample]));
    expect(leases).toEqual([room.at(leaseSeconds)]);
    expect((await room.stored(sample))?.['lastFailure']).not.toBe('wrong_queue');
  });
});
