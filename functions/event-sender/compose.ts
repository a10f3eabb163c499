import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createSellerEventRepository } from '../../shared/seller-events/seller-event-repository.ts';
import { createDeliveryRepository } from '../../shared/webhook-endpoints/delivery-repository.ts';
import { createDeliveryService } from '../../shared/webhook-endpoints/delivery-service.ts';
import { createReplayer } from '../../shared/webhook-endpoints/replayer.ts';
import { createSendRequest, type SendRequest } from '../../shared/webhook-endpoints/send-request.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';
import type { settingNames } from './declaration.ts';
import { createDeliverEvents } from './deliver-events.ts';

/** As long as the function may run; whoever wakes its jobs counts on it. */
export const leaseSeconds = 60;

/** The worker that sends events to sellers' endpoints. */
export function compose({
  settings,
  logger,
  table,
  sender,
  send = createSendRequest({ stage: settings.STAGE }),
  now = () => new Date(),
  random = Math.random,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  sender: JobSender;
  send?: SendRequest;
  now?: () => Date;
  random?: () => number;
}) {
  const jobs = createJobRepository({ table, now });
  const endpoints = createWebhookEndpointRepository({ table });
  const deliveries = createDeliveryRepository({ table });
  const events = createSellerEventRepository({ table, now });
  const service = createDeliveryService({
    table,
    endpoints,
    deliveries,
    events,
    jobs,
    announce: (task) => sender.sendJob(task),
    send,
    encryptionKeys: settings.ENCRYPTION_KEYS,
    logger,
    now,
    random,
  });
  const deliverEvents = createDeliverEvents({
    table,
    jobs,
    endpoints,
    deliveries,
    service,
    createReplayer: () => createReplayer({ table, deliveries, events, now }),
    sender,
    logger,
    leaseSeconds,
    now,
  });
  return createWorker({ run: { 'deliver-events': deliverEvents }, jobs, sender, logger, leaseSeconds, now });
}
