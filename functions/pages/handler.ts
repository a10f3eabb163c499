import { join } from 'node:path';
import { jobParts } from '../../shared/function-parts.ts';
import { createStripeClient } from '../../shared/payments/stripe-client.ts';
import { codeFolder, startFunction } from '../../shared/start-function.ts';
import { readPageAssets } from './assets/assets.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('pages', settingNames, (settings, logger) =>
  compose({
    ...jobParts(settings, logger),
    provider: createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: settings.PAYMENT_API_BASE }),
    assets: readPageAssets(join(codeFolder(import.meta.dirname), 'assets')),
  }),
);
