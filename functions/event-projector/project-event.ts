import type { Keyring } from '../../shared/crypto/keyring.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import { DeadJobError } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createPaymentRepository, EventKnownError } from '../../shared/payments/payment-repository.ts';
import type { StripeClient } from '../../shared/payments/stripe-client.ts';
import type { WebhookEvent } from '../../shared/payments/webhook-event.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { ApplyPaymentUpdate } from './apply-payment-update.ts';
import { createProjectAccount } from './project-account.ts';
import { createProjectCharge } from './project-charge.ts';
import { createProjectCheckout } from './project-checkout.ts';

/**
 * Projects a stored event onto order, payment and license, or onto the seller's
 * payment fields: once, and in any order with other events.
 * See "Facts and statuses" in shared/payments/README.md
 */
export function createProjectEvent(options: {
  stage: string;
  publicBaseUrl: string;
  /** Where sellers' accounts are opened: ISO 3166-1 alpha-2 */
  country: string;
  table: Table;
  provider: StripeClient;
  applyPaymentUpdate: ApplyPaymentUpdate;
  encryptionKeys: Keyring;
  now: () => Date;
}): RunJob<'project-event'> {
  const { table, now } = options;
  const payments = createPaymentRepository({ table });
  const jobs = createJobRepository({ table, now });
  const { projectSession, projectDecline } = createProjectCheckout(options);
  const { projectRefund, projectFailedRefund, projectDispute } = createProjectCharge(options);
  const projectAccount = createProjectAccount(options);

  return async (job) => {
    const event = await payments.getEvent(job.task.eventId);
    const done = [payments.markEventProjected(event, now()), jobs.finishJob(job)];
    try {
      await project(event, done);
    } catch (error) {
      if (!(error instanceof EventKnownError)) throw error;
      await table.transact([jobs.finishJob(job)]);
    }
  };

  async function project(event: WebhookEvent, done: readonly Write[]): Promise<void> {
    const { payload } = event;
    switch (payload.kind) {
      case 'session':
        return projectSession(event, payload, done);
      case 'decline':
        return projectDecline(event, payload, done);
      case 'refund':
        return projectRefund(event, payload, done);
      case 'failed-refund':
        return projectFailedRefund(payload, done);
      case 'dispute':
        return projectDispute(event, payload, done);
      case 'account':
        return projectAccount(event, payload, done);
      case 'unreadable':
        throw new DeadJobError('event_unreadable');
      case 'ignored':
        return table.transact(done);
    }
  }
}
