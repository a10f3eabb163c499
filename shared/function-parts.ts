/** What reaches out of functions in Lambda, by the names under which their declarations ask for it. A bundle holds what its function asks for alone. */

import { createSdkDynamo } from './db/dynamo/sdk-dynamo.ts';
import { createSignedDynamo } from './db/dynamo/signed-dynamo.ts';
import { createTable } from './db/table.ts';
import type { Logger } from './logging/logger.ts';
import { createMailClient } from './mail/sending/mail-client.ts';
import { createStripeClient } from './payments/provider/stripe-client.ts';
import { findStores } from './product-files/parts/part-store.ts';
import { findDownloadSigner } from './product-files/storage/download-signer.ts';
import { findObjectStore } from './product-files/storage/object-store.ts';
import { createJobSender } from './queue/job-sender.ts';
import type { QueueSetting } from './queue/messages.ts';
import { createSdkSend } from './queue/send-by-sdk.ts';
import { createSignedSend } from './queue/send-signed.ts';

interface Given<Named> {
  settings: Named;
  logger: Logger;
}
type TableSettings = { TABLE_NAME: string };
type BucketSettings = { BUCKET_NAME: string | undefined };

export const table = ({ settings }: Given<TableSettings>) => ({
  table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSdkDynamo() }),
});

/** The same without the SDK, which would be most of the code of a function that others wait for. */
export const signedTable = ({ settings }: Given<TableSettings>) => ({
  table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSignedDynamo() }),
});

/** What sends jobs to the queues that the settings name. */
export const sender = ({ settings, logger }: Given<Partial<Record<QueueSetting, string>>>) => ({
  sender: createJobSender({ queues: settings, logger, sendMessage: createSdkSend() }),
});

export const signedSender = ({ settings, logger }: Given<Partial<Record<QueueSetting, string>>>) => ({
  sender: createJobSender({ queues: settings, logger, sendMessage: createSignedSend() }),
});

export const provider = ({ settings }: Given<{ PAYMENT_SECRET_KEY: string; PAYMENT_API_BASE: string | undefined }>) => ({
  provider: createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: settings.PAYMENT_API_BASE }),
});

export const store = ({ settings }: Given<BucketSettings>) => ({ store: findObjectStore(settings.BUCKET_NAME) });

/** The store, and that of uploads in parts. */
export const stores = ({ settings }: Given<BucketSettings>) => findStores(settings.BUCKET_NAME);

export const downloadSigner = ({ settings }: Given<BucketSettings>) => ({ downloadSigner: findDownloadSigner(settings.BUCKET_NAME) });

export const mail = ({ settings }: Given<{ MAIL_FROM: string; MAIL_CONFIGURATION_SET: string }>) => ({
  send: createMailClient({ from: settings.MAIL_FROM, configurationSet: settings.MAIL_CONFIGURATION_SET }),
});
