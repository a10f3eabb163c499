import type { Actor } from '../../audit/actor.ts';
import { createAuditRepository } from '../../audit/audit-repository.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { openText, sealText } from '../../crypto/sealed-text.ts';
import { retryOptimisticLock } from '../../db/optimistic-lock.ts';
import type { Page, PageRequest } from '../../db/sharded-list.ts';
import type { Table } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import type { OrderId } from '../../ids.ts';
import { type Person, refuseSelfReview } from '../../sellers/seller.ts';
import { createSellerRepository } from '../../sellers/seller-repository.ts';
import { maskEmail } from '../buyer-email.ts';
import type { BuyerEmailService } from '../buyer-email-service.ts';
import { type Order, wasPaid } from '../order.ts';
import { createOrderRepository } from '../order-repository.ts';
import type { EmailRequest, EmailRequestDecision } from './email-request.ts';
import { createEmailRequestRepository } from './email-request-repository.ts';

export type EmailRequestService = ReturnType<typeof createEmailRequestService>;

/** A seller asks for another address of a sale, and an admin decides. See README.md */
export function createEmailRequestService(options: {
  table: Table;
  buyerEmails: Pick<BuyerEmailService, 'correctEmail'>;
  encryptionKeys: Keyring;
  now?: (() => Date) | undefined;
}) {
  const { table, buyerEmails, encryptionKeys, now = () => new Date() } = options;
  const requests = createEmailRequestRepository({ table, now });
  const orders = createOrderRepository({ table });
  const sellers = createSellerRepository({ table, now });
  const audit = createAuditRepository({ table, now });

  /** What decides on the open request as it is now, and the address that it asks for. @throws AppError request_not_found, self_review_forbidden */
  async function decisionOn(admin: Person, orderId: OrderId, { decision, note }: EmailRequestDecision) {
    const request = await requests.findOpenRequest(orderId);
    if (!request) throw new AppError('request_not_found');
    refuseSelfReview(admin, await sellers.findSeller(request.sellerId));
    const action = decision === 'approve' ? 'order.approve_email_request' : 'order.reject_email_request';
    return {
      email: openText(request.sealedWanted, orderId, encryptionKeys),
      writes: [
        requests.decideRequest(request, decision),
        audit.recordAudit({ actor: admin.userId, action, targetId: orderId, note: note || undefined }),
      ],
    };
  }

  return {
    /**
     * Asks for `email` as the address of the order, in the place of what was asked before; alike for every address.
     *
     * @throws AppError what keeps the actor from it, order_not_paid
     */
    async requestCorrection(actor: Actor, order: Order, email: string): Promise<void> {
      const { id: orderId, sellerId } = order;
      const rights = actor.rights();
      if (!wasPaid(order)) throw new AppError('order_not_paid');
      await table.transact([
        ...rights,
        requests.openRequest({ orderId, sellerId, sealedWanted: sealText(email, orderId, encryptionKeys) }),
        audit.recordAudit({ actor: actor.userId, action: 'order.request_email_correction', targetId: orderId }),
      ]);
    },

    /** Those that wait for a decision, oldest first. */
    async listRequests(page: PageRequest): Promise<Page<EmailRequest>> {
      const { items, nextCursor } = await requests.listOpenRequests(page);
      const found = await orders.findOrders(items.map(({ orderId }) => orderId));
      const sealedOf = new Map(found.map(({ id, sealedBuyerEmail }) => [id, sealedBuyerEmail]));
      const masked = (sealed: string, orderId: OrderId) => maskEmail(openText(sealed, orderId, encryptionKeys));
      return {
        items: items.map(({ orderId, sellerId, requestedAt, sealedWanted }) => {
          const current = sealedOf.get(orderId);
          return {
            orderId,
            sellerId,
            requestedAt,
            currentMasked: current && masked(current, orderId),
            wantedMasked: masked(sealedWanted, orderId),
          };
        }),
        nextCursor,
      };
    },

    /** Approved, it is an admin's correction of the address. @throws AppError request_not_found, self_review_forbidden */
    async decide(admin: Person, orderId: OrderId, decision: EmailRequestDecision): Promise<void> {
      const decided = () => decisionOn(admin, orderId, decision);
      if (decision.decision === 'reject') return retryOptimisticLock(async () => table.transactOnce((await decided()).writes));
      // Whether there is a request is told before whether there is the order.
      await decided();
      return buyerEmails.correctEmail(admin.userId, orderId, decided);
    },
  };
}
