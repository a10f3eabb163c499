import type { Table, Write } from '../../shared/db/table.ts';
import { FailedJobError } from '../../shared/jobs/job.ts';
import { createConnectedAccounts } from '../../shared/payments/connected-accounts.ts';
import { isMissing, type StripeClient } from '../../shared/payments/stripe-client.ts';
import type { PayloadOf, WebhookEvent } from '../../shared/payments/webhook-event.ts';
import { createSellerOnboarding } from '../../shared/sellers/seller-onboarding.ts';

/** Projects an event about a seller's account: retrieves the account, and updates the seller's payment fields. `done` is committed after that. */
export function createProjectAccount(options: {
  stage: string;
  publicBaseUrl: string;
  country: string;
  table: Table;
  provider: StripeClient;
  now: () => Date;
}) {
  const { stage, publicBaseUrl, country, table, provider, now } = options;
  const accounts = createConnectedAccounts({ provider, stage, publicBaseUrl });
  const onboarding = createSellerOnboarding({ table, accounts, country, now });

  return async ({ id }: WebhookEvent, payload: PayloadOf<'account'>, done: readonly Write[]): Promise<void> => {
    await onboarding.refreshByEvent({ id, payload }).catch(retryIfMissing);
    await table.transact(done);
  };
}

/** The provider may know an account or event of its own only a while after it told us of it. */
function retryIfMissing(error: unknown): never {
  throw isMissing(error) ? new FailedJobError('account_unknown') : error;
}
