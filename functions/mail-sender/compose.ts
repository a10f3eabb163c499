import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { OutgoingMail, SendMail } from '../../shared/mail/mail-client.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createMailingRepository } from '../../shared/mail/mailing-repository.ts';
import { UndeliverableMailError } from '../../shared/mail/sending/send-failure.ts';
import { operatorOf } from '../../shared/operator.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';
import type { settingNames } from './declaration.ts';
import { createReceive } from './receive.ts';
import { createRecordReport } from './record-report.ts';
import { createSendEndpointNotice } from './send-endpoint-notice.ts';
import { createSendLinks } from './send-links.ts';
import { createSendMail } from './send-mail.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

/**
 * The worker that sends the mails of the outbox, those with fresh links, and what sellers are told of their endpoints;
 * it also takes what the mail service reports of the mails of the outbox.
 */
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
  const mails = createMailRepository({ table });
  const dependencies = {
    table,
    orders: createOrderRepository({ table }),
    jobs,
    operator: operatorOf(settings),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    encryptionKeys: settings.ENCRYPTION_KEYS,
    tokenKeys: settings.TOKEN_KEYS,
    now,
  };
  const run = {
    'send-mail': createSendMail({ ...dependencies, send, mails, logger }),
    'send-endpoint-notice': createSendEndpointNotice({
      ...dependencies,
      send: sendOrDrop,
      sellers: createSellerRepository({ table }),
      endpoints: createWebhookEndpointRepository({ table }),
    }),
    'send-links': createSendLinks({ ...dependencies, send: sendOrDrop, mailings: createMailingRepository({ table, now }) }),
  };
  return createReceive({
    work: createWorker({ run, jobs, sender, logger, leaseSeconds, now }),
    recordReport: createRecordReport({ table, mails, audit: createAuditRepository({ table, now }), logger }),
    logger,
  });

  /** For mails that nothing is recorded about. */
  async function sendOrDrop(mail: OutgoingMail): Promise<void> {
    try {
      await send(mail);
    } catch (error) {
      if (!(error instanceof UndeliverableMailError)) throw error;
      logger.error('mail_undeliverable', { reference: mail.reference, reason: error.reason });
    }
  }
}
