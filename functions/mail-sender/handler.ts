import { createTable } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createMailClient } from '../../shared/mail/mail-client.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { createSendMail } from './send-mail.ts';

export const handler = startFunction('mail-sender', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const jobs = createJobRepository({ table });
  const sendMail = createSendMail({
    orders: createOrderRepository({ table }),
    mails: createMailRepository({ table }),
    jobs,
    send: createMailClient({ from: settings.MAIL_FROM }),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    encryptionKeys: settings.ENCRYPTION_KEYS,
    tokenKeys: settings.TOKEN_KEYS,
    now: () => new Date(),
  });
  const sender = createJobSender({ queues: settings, logger });
  return createWorker({ run: { 'send-mail': sendMail }, jobs, sender, logger, leaseSeconds: 30 });
});
