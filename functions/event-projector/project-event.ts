import type { Needs } from '../../shared/context.ts';
import type { Write } from '../../shared/db/table.ts';
import { DeadJobError, FailedJobError, type Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import type { WebhookEvent } from '../../shared/payments/events/webhook-event.ts';
import { DuplicateEventError, getPaymentEvent, markPaymentEventProjected } from '../../shared/payments/payment-repository.ts';
import { isMissing } from '../../shared/payments/provider/stripe-client.ts';
import { refreshByEvent } from '../../shared/sellers/seller-onboarding.ts';
import type { UpdateNeeds } from './apply-payment-update.ts';
import { projectDispute, projectFailedRefund, projectRefund } from './project-charge.ts';
import { projectDecline, projectSession } from './project-checkout.ts';

/**
 * Projects a stored event onto order, payment and license, or onto the seller's
 * payment fields: once, and in any order with other events.
 * See "Facts and statuses" in shared/payments/facts.md
 */
export async function projectEvent(c: UpdateNeeds & Needs<'provider' | 'STAGE'>, job: Job<'project-event'>) {
  const event = await getPaymentEvent(c.table, job.task.eventId);
  const done = [markPaymentEventProjected(event, c.now()), finishJob(job)];
  try {
    await project(c, event, done);
  } catch (error) {
    if (!(error instanceof DuplicateEventError)) throw error;
    await c.table.transact([finishJob(job)]);
  }
}

async function project(c: UpdateNeeds & Needs<'provider' | 'STAGE'>, event: WebhookEvent, done: readonly Write[]): Promise<void> {
  const { payload } = event;
  switch (payload.kind) {
    case 'session':
      return projectSession(c, event, payload, done);
    case 'decline':
      return projectDecline(c, event, payload, done);
    case 'refund':
      return projectRefund(c, event, payload, done);
    case 'failed-refund':
      return projectFailedRefund(c, payload, done);
    case 'dispute':
      return projectDispute(c, event, payload, done);
    case 'account':
      // The account is retrieved and recorded first: what is done twice does no harm.
      await refreshByEvent(c, { id: event.id, payload }).catch(retryIfMissing);
      return c.table.transact(done);
    case 'unreadable':
      throw new DeadJobError('event_unreadable');
    case 'ignored':
      return c.table.transact(done);
  }
}

/** The provider's API may not know an account or event until some time after notifying us. */
function retryIfMissing(error: unknown): never {
  throw isMissing(error) ? new FailedJobError('account_unknown') : error;
}
