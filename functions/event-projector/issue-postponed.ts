import type { Needs } from '../../shared/context.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { applyPaymentUpdate } from './apply-payment-update.ts';

/** Gives a paid order its license, if it has none yet. */
export const issuePostponed = (
  c: Needs<'table' | 'now' | 'logger' | 'sendJob' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS' | 'randomBytes'>,
  job: Job<'issue-license'>,
) => applyPaymentUpdate(c, { orderId: job.task.orderId }, [finishJob(job)]);
