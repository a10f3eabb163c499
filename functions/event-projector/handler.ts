import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createConnectedAccounts } from '../../shared/payments/connected-accounts.ts';
import { createStripeClient } from '../../shared/payments/stripe-client.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { createSellerOnboarding } from '../../shared/sellers/seller-onboarding.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { createEventProjector } from './event-projector.ts';

export const handler = startFunction('event-projector', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const provider = createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: settings.PAYMENT_API_BASE });
  const onboarding = createSellerOnboarding({
    table,
    sellers: createSellerRepository({ table }),
    accounts: createConnectedAccounts({ provider, stage: settings.STAGE, publicBaseUrl: settings.PUBLIC_BASE_URL }),
    audit: createAuditRepository({ table }),
    country: settings.PAYMENT_ACCOUNT_COUNTRY,
  });
  return createEventProjector({
    settings,
    table,
    provider,
    refreshAccount: (event) => onboarding.refreshByEvent(event),
    sender: createJobSender({ queues: settings, logger }),
    logger,
  });
});
