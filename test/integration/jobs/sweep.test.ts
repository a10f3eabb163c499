import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose } from '../../../functions/sweeper/compose.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { type JobTask, jobId } from '../../../shared/jobs/job.ts';
import { createJobRepository, type JobRepository } from '../../../shared/jobs/job-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createTestQueue, silentLogger } from '../../support/scenes/projection-harness.ts';

describe('the sweep', () => {
  let table: Table;
  let jobs: JobRepository;
  let clock: Date;
  let sent: string[];
  let sweep: ReturnType<typeof compose>;
  const projection = (number: number): JobTask => ({ kind: 'project-event', eventId: `evt_${number}` });
  const inTime = { getRemainingTimeInMillis: () => 60_000 };

  beforeEach(async () => {
    ({ table } = await createTestTable());
    clock = new Date('2026-01-31T09:00:00.000Z');
    jobs = createJobRepository({ table, now: () => clock });
    const queue = createTestQueue();
    sent = queue.sent;
    sweep = compose({ logger: silentLogger, table, sender: queue, now: () => clock });
  });
  const pass = (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1000);
  };

  test('sends what is due, however much it is', async () => {
    const tasks = Array.from({ length: 450 }, (_, number) => projection(number));
    for (let start = 0; start < tasks.length; start += 90) {
      await table.transact(tasks.slice(start, start + 90).map((task) => jobs.addJob(task)));
    }
    expect(await sweep({}, inTime)).toEqual({ sent: 0 });
    pass(60);
    expect(await sweep({}, inTime)).toEqual({ sent: 450 });
    expect(new Set(sent)).toEqual(new Set(tasks.map(jobId)));
    expect(await sweep({}, inTime)).toEqual({ sent: 0 });
  });

  test('begins no pass that its time would not let it end', async () => {
    await table.transact(Array.from({ length: 90 }, (_, number) => jobs.addJob(projection(number))));
    pass(60);
    expect(await sweep({}, { getRemainingTimeInMillis: () => 5000 })).toEqual({ sent: 90 });
  });

  test('honours leases, except when it resumes after an outage', async () => {
    const task: JobTask = { kind: 'send-mail', orderId: newId('order'), mailId: 'issuance' };
    await table.write(jobs.addJob(task));
    await jobs.leaseJob(jobId(task), 600);
    pass(60);
    expect(await sweep({}, inTime)).toEqual({ sent: 0 });
    expect(await sweep({ resume: true }, inTime)).toEqual({ sent: 1 });
  });
});
