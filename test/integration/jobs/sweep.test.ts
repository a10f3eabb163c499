import { beforeEach, describe, expect, test } from '@jest/globals';
import { createSweep } from '../../../functions/sweeper/sweep.ts';
import type { Table } from '../../../shared/db/table.ts';
import { jobId } from '../../../shared/jobs/job.ts';
import { createJobRepository, type JobRepository } from '../../../shared/jobs/job-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';

describe('the sweep', () => {
  let table: Table;
  let jobs: JobRepository;
  let clock: Date;
  let sent: string[];
  let sweep: ReturnType<typeof createSweep>;
  const inTime = { getRemainingTimeInMillis: () => 60_000 };

  beforeEach(async () => {
    ({ table } = await createTestTable());
    clock = new Date('2026-01-31T09:00:00.000Z');
    jobs = createJobRepository({ table, now: () => clock });
    sent = [];
    const sender = { sendJob: async (_kind: string, ref: string) => void sent.push(ref), sendJobOrFail: async () => {} };
    sweep = createSweep({ jobs, sender, logger: { info: () => {}, warn: () => {}, error: () => {} } });
  });
  const pass = (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1000);
  };

  test('sends what is due, however much it is', async () => {
    const refs = Array.from({ length: 450 }, (_, number) => `evt_${number}`);
    for (let start = 0; start < refs.length; start += 90) {
      await table.transact(refs.slice(start, start + 90).map((ref) => jobs.addJob('project-event', ref)));
    }
    expect(await sweep({}, inTime)).toEqual({ sent: 0 });
    pass(60);
    expect(await sweep({}, inTime)).toEqual({ sent: 450 });
    expect(new Set(sent)).toEqual(new Set(refs));
    expect(await sweep({}, inTime)).toEqual({ sent: 0 });
  });

  test('begins no pass that its time would not let it end', async () => {
    await table.transact(Array.from({ length: 90 }, (_, number) => jobs.addJob('project-event', `evt_${number}`)));
    pass(60);
    expect(await sweep({}, { getRemainingTimeInMillis: () => 5000 })).toEqual({ sent: 90 });
  });

  test('honours leases, except when it resumes after an outage', async () => {
    await table.write(jobs.addJob('send-mail', 'ord_1/issuance'));
    await jobs.leaseJob(jobId('send-mail', 'ord_1/issuance'), 600);
    pass(60);
    expect(await sweep({}, inTime)).toEqual({ sent: 0 });
    expect(await sweep({ resume: true }, inTime)).toEqual({ sent: 1 });
  });
});
