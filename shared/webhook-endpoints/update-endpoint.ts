import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
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
import { decideOnEndpoint, deliveryTask, recordEndpointAudit, wakeSender } from './own-endpoint.ts';

/**
 * Changes what was sent and differs. Enabled, it is sent what is still to be sent; disabled, no replay goes on.
 *
 * @throws AppError endpoint_not_found, seller_not_eligible, rate_limited where the URL is another
 */
export function updateEndpoint(
  c: Needs<'table' | 'now' | 'sendJob' | 'limitRate'>,
  caller: Caller,
  endpointId: EndpointId,
  request: UpdateWebhookEndpointRequest,
): Promise<WebhookEndpoint> {
  return decideOnEndpoint(c, 'endpoint-calls', caller, endpointId, async ({ endpoint, rights, count }) => {
    const { next, changed, isDisabled, beginsAnew } = revisedEndpoint(endpoint, request, c.now());
    if (changed.length === 0) return toWebhookEndpoint(endpoint);
    if (next.url !== endpoint.url) await count();
    await c.table.transactOnce([
      rights,
      changeEndpoint(endpoint, next),
      ...(beginsAnew ? [wakeSender(c, endpoint)] : []),
      ...(isDisabled ? [cancelReplay(endpointId)] : []),
      recordEndpointAudit(c, auditActorOf(caller), endpoint, {
        action: 'webhook_endpoint.update',
        before: auditedEndpoint(endpoint),
        after: { ...auditedEndpoint(next), changed: changed.join(' ') },
      }),
    ]);
    if (beginsAnew) await c.sendJob(deliveryTask(endpoint));
    return toWebhookEndpoint(next);
  });
}
