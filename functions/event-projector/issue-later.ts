import type { JobTask } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';
import type { IssueLicense } from './issue-license.ts';

/** Leaves the license of a paid order to a job, which is retried on its own. */
export function createIssueLater({ jobs }: { jobs: JobRepository }): IssueLicense {
  return async ({ id: orderId }) => {
    const task: JobTask = { kind: 'issue-license', orderId };
    return { order: {}, writes: [jobs.addJob(task)], jobs: [task] };
  };
}

/** Gives a paid order its license, if it has none yet. */
export function createIssuePostponed(dependencies: {
  jobs: JobRepository;
  applyPaymentUpdate: ApplyPaymentUpdate;
}): RunJob<'issue-license'> {
  const { jobs, applyPaymentUpdate } = dependencies;
  return (job) => applyPaymentUpdate({ orderId: job.task.orderId }, [jobs.finishJob(job)]);
}
