import { createSdkDynamo } from '../../shared/db/sdk-dynamo.ts';
import { createTable } from '../../shared/db/table.ts';
import { createStripeClient } from '../../shared/payments/stripe-client.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './env.ts';

export const handler = startFunction('storefront', settingNames, (settings, logger) =>
  compose({
    settings,
    logger,
    table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSdkDynamo() }),
    provider: createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: settings.PAYMENT_API_BASE }),
  }),
);
