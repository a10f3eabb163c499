import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import type { settingNames } from './declaration.ts';
import { createWebhookReceiver } from './receive-event.ts';
import { routes } from './routes.ts';

/** The endpoints to which the payment provider sends its events. */
export function compose({
  settings,
  logger,
  table,
  sender,
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  sender: JobSender;
  now?: () => Date;
}) {
  const webhooks = createWebhookReceiver({
    secrets: { platform: settings.PAYMENT_WEBHOOK_SECRET, connect: settings.PAYMENT_CONNECT_WEBHOOK_SECRET },
    table,
    payments: createPaymentRepository({ table }),
    jobs: createJobRepository({ table, now }),
    sender,
    encryptionKeys: settings.ENCRYPTION_KEYS,
    now,
  });
  return createHandler({ routes, services: { webhooks }, logger, ...callersBy(settings) });
}
