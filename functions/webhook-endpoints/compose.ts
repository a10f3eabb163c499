import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createEndpointRequest, updateEndpointRequest } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import { createWebhookEndpointService } from '../../shared/webhook-endpoints/webhook-endpoint-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers say where their systems hear what happens, and see how that goes. */
export function compose({ settings, logger, table, sender, now }: Composition<typeof settingNames, 'table' | 'sender'>) {
  const { STAGE: stage, ENCRYPTION_KEYS: encryptionKeys } = settings;
  return createHandler({
    routes,
    services: {
      webhookEndpoints: createWebhookEndpointService({ table, sendJob: sender.sendJob, encryptionKeys, now }),
      createRequest: createEndpointRequest(stage),
      updateRequest: updateEndpointRequest(stage),
    },
    logger,
    ...usersBy(settings),
  });
}
