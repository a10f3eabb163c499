import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { EndpointId } from '../ids.ts';
import { cancelReplay } from './deliveries/delivery-repository.ts';
import {
  auditedEndpoint,
  revisedEndpoint,
  toWebhookEndpoint,
  type UpdateWebhookEndpointRequest,
  type WebhookEndpoint,
} from './endpoints/webhook-endpoint.ts';
import { changeEndpoint } from './endpoints/webhook-endpoint-repository.ts';
import { deliveryTask, getEndpointAndSeller, limitOf, recordEndpointAudit, sellerRights, wakeSender } from './own-endpoint.ts';

/**
 * Changes what was sent and differs. Enabled, it is sent what is still to be sent; disabled, no replay goes on.
 *
 * @throws AppError endpoint_not_found, seller_not_eligible, rate_limited where the URL is another
 */
export function updateEndpoint(
  c: Needs<'table' | 'now' | 'sendJob' | 'limitRate'>,
  userId: string,
  endpointId: EndpointId,
  request: UpdateWebhookEndpointRequest,
): Promise<WebhookEndpoint> {
  const count = limitOf(c, 'endpoint-calls');
  return retryOptimisticLock(async () => {
    const { seller, endpoint } = await getEndpointAndSeller(c.table, userId, endpointId);
    const writeConditions = sellerRights(seller);
    const { next, changed, isDisabled, beginsAnew } = revisedEndpoint(endpoint, request, c.now());
    if (changed.length === 0) return toWebhookEndpoint(endpoint);
    if (next.url !== endpoint.url) await count(seller);
    await c.table.transactOnce([
      writeConditions,
      changeEndpoint(endpoint, next),
      ...(beginsAnew ? [wakeSender(c, endpoint)] : []),
      ...(isDisabled ? [cancelReplay(endpointId)] : []),
      recordEndpointAudit(c, userId, endpoint, {
        action: 'webhook_endpoint.update',
        before: auditedEndpoint(endpoint),
        after: { ...auditedEndpoint(next), changed: changed.join(' ') },
      }),
    ]);
    if (beginsAnew) await c.sendJob(deliveryTask(endpoint));
    return toWebhookEndpoint(next);
  });
}
