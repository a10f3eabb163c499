import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createAuthenticate } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { createSellerEventRepository } from '../../shared/seller-events/seller-event-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createDeliveryRepository } from '../../shared/webhook-endpoints/delivery-repository.ts';
import { createEndpointRequest, updateEndpointRequest } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';
import { createWebhookEndpointService } from '../../shared/webhook-endpoints/webhook-endpoint-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers say where their systems hear what happens, and see how that goes. */
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
  const { STAGE: stage, ENCRYPTION_KEYS: encryptionKeys } = settings;
  return createHandler({
    routes,
    services: {
      webhookEndpoints: createWebhookEndpointService({
        table,
        sellers: createSellerRepository({ table, now }),
        endpoints: createWebhookEndpointRepository({ table }),
        deliveries: createDeliveryRepository({ table }),
        events: createSellerEventRepository({ table, now }),
        recordEvent: createRecordEvent({ now }),
        jobs: createJobRepository({ table, now }),
        audit: createAuditRepository({ table, now }),
        sendJob: sender.sendJob,
        encryptionKeys,
        now,
      }),
      createRequest: createEndpointRequest(stage),
      updateRequest: updateEndpointRequest(stage),
    },
    logger,
    authenticate: createAuthenticate(settings),
    consoleOrigins: settings.CONSOLE_ORIGINS,
    ...callersBy(settings),
  });
}
