import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { EndpointId } from '../ids.ts';
import { requireEligible } from '../sellers/seller.ts';
import { checkSellerEligible } from '../sellers/seller-repository.ts';
import { cancelReplay } from './deliveries/delivery-repository.ts';
import { auditedEndpoint } from './endpoints/webhook-endpoint.ts';
import { removeEndpoint } from './endpoints/webhook-endpoint-repository.ts';
import { getEndpointAndSeller, recordEndpointAudit } from './own-endpoint.ts';

/** Nothing is sent there any more, for good. @throws AppError endpoint_not_found, seller_not_eligible */
export const deleteEndpoint = (c: Needs<'table' | 'now'>, caller: Caller, endpointId: EndpointId): Promise<void> =>
  retryOptimisticLock(async () => {
    const { seller, endpoint } = await getEndpointAndSeller(c.table, caller, endpointId);
    requireEligible(seller);
    await c.table.transactOnce([
      checkSellerEligible(seller.id),
      ...removeEndpoint(endpoint),
      cancelReplay(endpointId),
      recordEndpointAudit(c, auditActorOf(caller), endpoint, { action: 'webhook_endpoint.delete', before: auditedEndpoint(endpoint) }),
    ]);
  });
