import { createTable } from '../../shared/db/table.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { createReceiveEvent } from './receive-event.ts';
import { routes } from './routes.ts';

export const handler = startFunction('payment-webhooks', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const now = () => new Date();
  const receiveEvent = createReceiveEvent({
    payments: createPaymentRepository({ table }),
    jobs: createJobRepository({ table }),
    sender: createJobSender({ queues: settings, logger }),
    encryptionKeys: settings.ENCRYPTION_KEYS,
    now,
  });
  const services = {
    receiveEvent,
    platformSecrets: settings.PAYMENT_WEBHOOK_SECRET,
    connectSecrets: settings.PAYMENT_CONNECT_WEBHOOK_SECRET,
    now,
  };
  return createHandler({ routes, services, logger });
});
