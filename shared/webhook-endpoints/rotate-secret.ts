import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import type { EndpointId } from '../ids.ts';
import { withSecret } from './endpoints/signing-secret.ts';
import { toWebhookEndpoint } from './endpoints/webhook-endpoint.ts';
import { changeEndpoint } from './endpoints/webhook-endpoint-repository.ts';
import { decideOnEndpoint, newSealedSecret, recordEndpointAudit, type WebhookEndpointWithSecret } from './own-endpoint.ts';

/**
 * Gives the endpoint another secret; those that it had sign too for 24 hours each.
 *
 * @throws AppError endpoint_not_found, seller_not_eligible, rate_limited
 */
export function rotateSecret(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'limitRate'>,
  caller: Caller,
  endpointId: EndpointId,
): Promise<WebhookEndpointWithSecret> {
  return decideOnEndpoint(c, 'rotations', caller, endpointId, async ({ endpoint, rights, count }) => {
    await count();
    const at = c.now();
    const { secret, sealed } = newSealedSecret(c, endpointId);
    const next = { ...endpoint, ...withSecret(endpoint, sealed, at), updatedAt: at.toISOString() };
    await c.table.transactOnce([
      rights,
      changeEndpoint(endpoint, next),
      recordEndpointAudit(c, auditActorOf(caller), endpoint, { action: 'webhook_endpoint.rotate_secret' }),
    ]);
    return { ...toWebhookEndpoint(next), secret };
  });
}
