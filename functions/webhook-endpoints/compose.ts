import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createTableRateLimit } from '../../shared/http/rate-limit.ts';
import { createEndpointRequest, updateEndpointRequest } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import { createWebhookEndpointService } from '../../shared/webhook-endpoints/webhook-endpoint-service.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers say where their systems hear what happens, and see how that goes. */
export function compose({ settings, logger, table, sender, now }: Composition<typeof settingNames, 'table' | 'sender'>) {
  const { STAGE: stage, PUBLIC_BASE_URL: publicBaseUrl, ENCRYPTION_KEYS: encryptionKeys } = settings;
  const perWindow = { 'endpoint-calls': settings.RATE_LIMIT_ENDPOINT_CALLS, rotations: settings.RATE_LIMIT_ROTATIONS };
  const limitRate = createTableRateLimit({ table, perWindow, now });
  return createHandler({
    routes,
    services: {
      webhookEndpoints: createWebhookEndpointService({ table, sendJob: sender.sendJob, encryptionKeys, limitRate, now }),
      createRequest: createEndpointRequest(stage, publicBaseUrl),
      updateRequest: updateEndpointRequest(stage, publicBaseUrl),
    },
    logger,
    ...usersBy(settings, { table, now }),
  });
}
