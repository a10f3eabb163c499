import { tableContext } from '../../shared/function-parts.ts';
import { createStripeClient } from '../../shared/payments/provider/stripe-client.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('additions', settingNames, (settings, logger) =>
  compose({
    ...tableContext(settings, logger),
    provider: createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: settings.PAYMENT_API_BASE }),
  }),
);
