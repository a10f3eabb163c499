import { emailRequestKey, listKey } from '../../db/keys.ts';
import { lockConflict } from '../../db/optimistic-lock.ts';
import { filteredPage, listAcrossShards, type Page, type PageRequest } from '../../db/sharded-list.ts';
import type { Table, Write } from '../../db/table.ts';
import { isId, type OrderId } from '../../ids.ts';
import { type EmailRequestDecision, EmailRequestRecord, isOpen, type OpenEmailRequest, ttlOf, unlessForgotten } from './email-request.ts';

export type EmailRequestRepository = ReturnType<typeof createEmailRequestRepository>;

/** The one request of each order: the last. */
export function createEmailRequestRepository({ table, now = () => new Date() }: { table: Table; now?: (() => Date) | undefined }) {
  async function findRequest(orderId: OrderId): Promise<EmailRequestRecord | undefined> {
    const item = isId('order', orderId) ? await table.get(emailRequestKey(orderId)) : undefined;
    return item && unlessForgotten(EmailRequestRecord.parse(item), now());
  }

  return {
    findRequest,

    async findOpenRequest(orderId: OrderId): Promise<OpenEmailRequest | undefined> {
      const request = await findRequest(orderId);
      return request && isOpen(request, now()) ? request : undefined;
    },

    /** Oldest first. */
    listOpenRequests(page: PageRequest): Promise<Page<OpenEmailRequest>> {
      return filteredPage(
        page,
        () => true,
        async (request) => {
          const { items, nextCursor } = await listAcrossShards(table, 'email-requests', { ...request, newestFirst: false });
          const requests = items.map((item) => EmailRequestRecord.parse(item));
          return { items: requests.filter((one) => isOpen(one, now())), nextCursor };
        },
      );
    },

    /** In the place of whatever was asked for this order before. */
    openRequest(request: Pick<OpenEmailRequest, 'orderId' | 'sellerId' | 'sealedWanted'>): Write {
      const at = now();
      const requestedAt = at.toISOString();
      const Key = emailRequestKey(request.orderId);
      const place = listKey('email-requests', requestedAt, request.orderId);
      return { put: { Item: { ...Key, ...place, ...request, requestedAt, ttl: ttlOf(at) } } };
    },

    /** The address is gone from the record, and the record stays. Asked again or decided since → OptimisticLockError. */
    decideRequest({ orderId, sellerId, requestedAt, sealedWanted }: OpenEmailRequest, decision: EmailRequestDecision['decision']): Write {
      return {
        put: {
          Item: { ...emailRequestKey(orderId), orderId, sellerId, requestedAt, decision },
          ConditionExpression: 'sealedWanted = :read',
          ExpressionAttributeValues: { ':read': sealedWanted },
        },
        onConditionFailed: lockConflict,
      };
    },

    /** Nobody asks for another address any more. */
    withdrawRequest: (orderId: OrderId): Write => ({ delete: { Key: emailRequestKey(orderId) } }),
  };
}
