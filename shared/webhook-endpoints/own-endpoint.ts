import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type AuditEntry, recordAudit } from '../audit/audit-repository.ts';
import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { sealText } from '../crypto/sealed-text.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { EndpointId } from '../ids.ts';
import type { TaskOf } from '../jobs/job.ts';
import { wakeJob } from '../jobs/job-repository.ts';
import { requireApproved, type SellerRecord } from '../sellers/seller.ts';
import { checkSellerApproved, findSellerOfUser } from '../sellers/seller-repository.ts';
import { deliveryLeaseSeconds } from './deliveries/delivery.ts';
import { newSigningSecret } from './endpoints/signing-secret.ts';
import { WebhookEndpoint, type WebhookEndpointRecord } from './endpoints/webhook-endpoint.ts';
import { findEndpoint } from './endpoints/webhook-endpoint-repository.ts';

/** An endpoint with its signing secret, which shows when it is made and never again. */
export const WebhookEndpointWithSecret = z.extend(WebhookEndpoint, { secret: z.string() });

export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

/** What of a seller is counted: tests, replays and new URLs together, and rotated secrets. */
type Limit = 'endpoint-calls' | 'rotations';

interface Owned {
  seller: SellerRecord;
  endpoint: WebhookEndpointRecord;
}

/** @throws AppError endpoint_not_found, of another's too */
export async function getEndpointAndSeller(table: Table, caller: Caller, endpointId: EndpointId): Promise<Owned> {
  const seller = await findSellerOfUser(table, caller.userId);
  const endpoint = seller && (await findEndpoint(table, seller.id, endpointId));
  if (!endpoint) throw new AppError('endpoint_not_found');
  return { seller, endpoint };
}

/**
 * What is decided on again when the endpoint or its seller changed meanwhile. `rights` is a condition of its writes; `count`
 * counts the call, once however often it is decided on.
 *
 * @throws AppError endpoint_not_found, seller_not_eligible
 */
export function decideOnEndpoint<Result>(
  c: Needs<'table' | 'limitRate'>,
  limit: Limit,
  caller: Caller,
  endpointId: EndpointId,
  decide: (owned: Owned & { rights: Write; count: () => Promise<void> }) => Promise<Result>,
): Promise<Result> {
  let counted: Promise<void> | undefined;
  return retryOptimisticLock(async () => {
    const owned = await getEndpointAndSeller(c.table, caller, endpointId);
    const count = () => {
      counted ??= c.limitRate(limit, `seller ${owned.seller.id}`);
      return counted;
    };
    return decide({ ...owned, rights: sellerRights(owned.seller), count });
  });
}

/** What everything that makes the service send needs of the seller. @throws AppError seller_not_eligible */
export function sellerRights(seller: SellerRecord): Write {
  requireApproved(seller);
  return checkSellerApproved(seller.id);
}

export const recordEndpointAudit = (
  c: Needs<'now'>,
  actor: string,
  { id: targetId }: WebhookEndpointRecord,
  entry: Pick<AuditEntry, 'action' | 'before' | 'after'>,
) => recordAudit(c, { actor, targetId, ...entry });

export function newSealedSecret(c: Needs<'ENCRYPTION_KEYS'>, endpointId: EndpointId) {
  const secret = newSigningSecret(randomBytes);
  return { secret, sealed: sealText(secret, endpointId, c.settings.ENCRYPTION_KEYS) };
}

export const deliveryTask = ({ sellerId, id: endpointId }: WebhookEndpointRecord): TaskOf<'deliver-events'> => ({
  kind: 'deliver-events',
  sellerId,
  endpointId,
});

/** A request implies that the receiver was fixed, so the endpoint no longer rests. */
export const wakeSender = (c: Needs<'now'>, endpoint: WebhookEndpointRecord) =>
  wakeJob(c, deliveryTask(endpoint), deliveryLeaseSeconds, {});
