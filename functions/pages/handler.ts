import { join } from 'node:path';
import { createSignedDynamo } from '../../shared/db/dynamo/signed-dynamo.ts';
import { createTable } from '../../shared/db/table.ts';
import { createStripeClient } from '../../shared/payments/provider/stripe-client.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { createSignedSend } from '../../shared/queue/send-signed.ts';
import { codeFolder, startFunction } from '../../shared/start-function.ts';
import { readPageAssets } from './assets/assets.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('pages', settingNames, (settings, logger) =>
  compose({
    settings,
    logger,
    table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSignedDynamo() }),
    sender: createJobSender({ queues: settings, logger, sendMessage: createSignedSend() }),
    provider: createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: settings.PAYMENT_API_BASE }),
    assets: readPageAssets(join(codeFolder(import.meta.dirname), 'assets')),
  }),
);
