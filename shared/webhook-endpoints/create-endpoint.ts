import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { findSellerOfUser } from '../sellers/seller-repository.ts';
import {
  auditedEndpoint,
  type CreateWebhookEndpointRequest,
  storedTypes,
  toWebhookEndpoint,
  type WebhookEndpointRecord,
} from './endpoints/webhook-endpoint.ts';
import { addEndpoint } from './endpoints/webhook-endpoint-repository.ts';
import { newSealedSecret, recordEndpointAudit, sellerRights, type WebhookEndpointWithSecret } from './own-endpoint.ts';

/** @throws AppError seller_required, seller_not_eligible, rate_limited, too_many_endpoints */
export async function createEndpoint(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'limitRate'>,
  caller: Caller,
  request: CreateWebhookEndpointRequest,
): Promise<WebhookEndpointWithSecret> {
  const seller = await findSellerOfUser(c.table, caller.userId);
  if (!seller) throw new AppError('seller_required');
  const writeConditions = sellerRights(seller);
  await c.limitRate('endpoint-calls', `seller ${seller.id}`);
  const at = c.now();
  const id = newId('endpoint', at);
  const { secret, sealed } = newSealedSecret(c, id);
  const endpoint: WebhookEndpointRecord = {
    ...request,
    id,
    sellerId: seller.id,
    eventTypes: storedTypes(request.eventTypes),
    enabled: true,
    sealedSecret: sealed,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    revision: 1,
  };
  await c.table.transact([
    writeConditions,
    ...addEndpoint(endpoint),
    recordEndpointAudit(c, auditActorOf(caller), endpoint, { action: 'webhook_endpoint.create', after: auditedEndpoint(endpoint) }),
  ]);
  return { ...toWebhookEndpoint(endpoint), secret };
}
