import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { SendMail } from '../../shared/mail/mail-client.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createMailingRepository } from '../../shared/mail/mailing-repository.ts';
import { operatorOf } from '../../shared/operator.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';
import type { settingNames } from './env.ts';
import { createSendEndpointNotice } from './send-endpoint-notice.ts';
import { createSendLinks } from './send-links.ts';
import { createSendMail } from './send-mail.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

/** The worker that sends the mails of the outbox, those with fresh links, and what sellers are told of their endpoints. */
export function compose({
  settings,
  logger,
  table,
  send,
  sender,
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  send: SendMail;
  sender: JobSender;
  now?: () => Date;
}) {
  const jobs = createJobRepository({ table, now });
  const dependencies = {
    table,
    orders: createOrderRepository({ table }),
    jobs,
    send,
    operator: operatorOf(settings),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    encryptionKeys: settings.ENCRYPTION_KEYS,
    tokenKeys: settings.TOKEN_KEYS,
    now,
  };
  const run = {
    'send-mail': createSendMail({ ...dependencies, mails: createMailRepository({ table }) }),
    'send-endpoint-notice': createSendEndpointNotice({
      ...dependencies,
      sellers: createSellerRepository({ table }),
      endpoints: createWebhookEndpointRepository({ table }),
    }),
    'send-links': createSendLinks({ ...dependencies, mailings: createMailingRepository({ table, now }) }),
  };
  return createWorker({ run, jobs, sender, logger, leaseSeconds, now });
}
