import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';

/** Gives a paid order its license, if it has none yet. */
export function createIssuePostponed(options: {
  table: Table;
  applyPaymentUpdate: ApplyPaymentUpdate;
  now: () => Date;
}): RunJob<'issue-license'> {
  const { table, applyPaymentUpdate, now } = options;
  const jobs = createJobRepository({ table, now });
  return (job) => applyPaymentUpdate({ orderId: job.task.orderId }, [jobs.finishJob(job)]);
}
