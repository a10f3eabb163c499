/** A seller asks for another address of a sale, and an admin decides. See README.md */

import type { Actor } from '../audit/actor.ts';
import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { openText, sealText } from '../crypto/sealed-text.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { mapPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import { AppError, requireFound } from '../errors.ts';
import type { OrderId } from '../ids.ts';
import { type Order, wasPaid } from '../orders/order.ts';
import { findOrders } from '../orders/order-repository.ts';
import { type Person, refuseSelfReview } from '../sellers/seller.ts';
import { findSeller } from '../sellers/seller-repository.ts';
import { maskEmail } from './buyer-email.ts';
import { correctEmail } from './buyer-email-service.ts';
import type { EmailRequest, EmailRequestDecision } from './email-request.ts';
import { findOpenEmailRequest, listOpenEmailRequests, openEmailRequest, recordEmailDecision } from './email-request-repository.ts';

type RequestNeeds = Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>;

/** What decides on the open request as it is now, and the address that it asks for. @throws AppError request_not_found, self_review_forbidden */
async function decisionOn(c: RequestNeeds, admin: Person, orderId: OrderId, { decision, note }: EmailRequestDecision) {
  const request = await requireFound(findOpenEmailRequest(c, orderId), 'request_not_found');
  refuseSelfReview(admin, await findSeller(c.table, request.sellerId));
  const action = decision === 'approve' ? 'order.approve_email_request' : 'order.reject_email_request';
  return {
    email: openText(request.sealedWanted, orderId, c.settings.ENCRYPTION_KEYS),
    writes: [
      recordEmailDecision(request, decision),
      recordAudit(c, { actor: admin.userId, action, targetId: orderId, note: note || undefined }),
    ],
  };
}

/**
 * Asks for `email` as the address of the order, in the place of what was asked before; alike for every address.
 *
 * @throws AppError what keeps the actor from it, order_not_paid
 */
export async function requestEmailCorrection(c: RequestNeeds, actor: Actor, order: Order, email: string): Promise<void> {
  const { id: orderId, sellerId } = order;
  const writeConditions = actor.writeConditions();
  if (!wasPaid(order)) throw new AppError('order_not_paid');
  await c.table.transact([
    ...writeConditions,
    openEmailRequest(c, { orderId, sellerId, sealedWanted: sealText(email, orderId, c.settings.ENCRYPTION_KEYS) }),
    recordAudit(c, { actor: actor.name, action: 'order.request_email_correction', targetId: orderId }),
  ]);
}

/** Those that wait for a decision, oldest first. */
export async function listEmailRequests(c: RequestNeeds, request: PageRequest): Promise<Page<EmailRequest>> {
  const page = await listOpenEmailRequests(c, request);
  const found = await findOrders(
    c.table,
    page.items.map(({ orderId }) => orderId),
  );
  const sealedOf = new Map(found.map(({ id, sealedBuyerEmail }) => [id, sealedBuyerEmail]));
  const masked = (sealed: string, orderId: OrderId) => maskEmail(openText(sealed, orderId, c.settings.ENCRYPTION_KEYS));
  return mapPage(page, ({ orderId, sellerId, requestedAt, sealedWanted }) => {
    const current = sealedOf.get(orderId);
    const addresses = { currentMasked: current && masked(current, orderId), wantedMasked: masked(sealedWanted, orderId) };
    return { orderId, sellerId, requestedAt, ...addresses };
  });
}

/** Approved, it is an admin's correction of the address. @throws AppError request_not_found, self_review_forbidden */
export async function decideEmailRequest(
  c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>,
  admin: Person,
  orderId: OrderId,
  decision: EmailRequestDecision,
): Promise<void> {
  const decided = () => decisionOn(c, admin, orderId, decision);
  if (decision.decision === 'reject') return retryOptimisticLock(async () => c.table.transactOnce((await decided()).writes));
  // Whether there is a request is told before whether there is the order.
  await decided();
  return correctEmail(c, admin.userId, orderId, decided);
}
