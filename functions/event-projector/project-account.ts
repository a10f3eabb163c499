import type { Needs } from '../../shared/context.ts';
import type { Write } from '../../shared/db/table.ts';
import { FailedJobError } from '../../shared/jobs/job.ts';
import type { PayloadOf, WebhookEvent } from '../../shared/payments/events/webhook-event.ts';
import { isMissing } from '../../shared/payments/provider/stripe-client.ts';
import { refreshByEvent } from '../../shared/sellers/seller-onboarding.ts';

/** Projects an event about a seller's account: retrieves the account, and updates the seller's payment fields. `done` is committed after that. */
export async function projectAccount(
  c: Needs<'table' | 'now' | 'provider'>,
  { id }: WebhookEvent,
  payload: PayloadOf<'account'>,
  done: readonly Write[],
): Promise<void> {
  await refreshByEvent(c, { id, payload }).catch(retryIfMissing);
  await c.table.transact(done);
}

/** The provider's API may not know an account or event until some time after notifying us. */
function retryIfMissing(error: unknown): never {
  throw isMissing(error) ? new FailedJobError('account_unknown') : error;
}
