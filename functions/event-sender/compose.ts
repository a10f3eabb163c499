import type { Composition } from '../../shared/function-parts.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { createDeliveryService } from '../../shared/webhook-endpoints/delivery-service.ts';
import { createSendRequest, type SendRequest } from '../../shared/webhook-endpoints/send-request.ts';
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
  send = createSendRequest({ stage: settings.STAGE, publicBaseUrl: settings.PUBLIC_BASE_URL }),
  now = () => new Date(),
  random = Math.random,
}: Composition<typeof settingNames, 'table' | 'sender'> & { send?: SendRequest; random?: () => number }) {
  const { sendJob } = sender;
  const service = createDeliveryService({ table, sendJob, send, encryptionKeys: settings.ENCRYPTION_KEYS, logger, now, random });
  const deliverEvents = createDeliverEvents({ table, service, sendJob, logger, leaseSeconds, now });
  return createWorker({ run: { 'deliver-events': deliverEvents }, table, sender, logger, leaseSeconds, now });
}
