/** The one request of each order: the last. */

import type { Needs } from '../context.ts';
import { findItem } from '../db/find-items.ts';
import { emailRequestKey, listKey } from '../db/keys.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import { filteredPage, listAcrossShards, type Page, type PageRequest, parsePage } from '../db/sharded-list.ts';
import type { Write } from '../db/table.ts';
import { isId, type OrderId } from '../ids.ts';
import {
  type EmailRequestDecision,
  EmailRequestRecord,
  emailRequestTtl,
  isOpen,
  type OpenEmailRequest,
  unlessExpired,
} from './email-request.ts';

export async function findEmailRequest(c: Needs<'table' | 'now'>, orderId: OrderId): Promise<EmailRequestRecord | undefined> {
  const request = isId('order', orderId) ? await findItem(c.table, emailRequestKey(orderId), EmailRequestRecord) : undefined;
  return request && unlessExpired(request, c.now());
}

export async function findOpenEmailRequest(c: Needs<'table' | 'now'>, orderId: OrderId): Promise<OpenEmailRequest | undefined> {
  const request = await findEmailRequest(c, orderId);
  return request && isOpen(request, c.now()) ? request : undefined;
}

/** Oldest first. */
export function listOpenEmailRequests(c: Needs<'table' | 'now'>, page: PageRequest): Promise<Page<OpenEmailRequest>> {
  return filteredPage(
    page,
    () => true,
    async (request) => {
      const listed = parsePage(await listAcrossShards(c.table, 'email-requests', { ...request, newestFirst: false }), EmailRequestRecord);
      return { ...listed, items: listed.items.filter((one) => isOpen(one, c.now())) };
    },
  );
}

/** In the place of whatever was asked for this order before. */
export function openEmailRequest(c: Needs<'now'>, request: Pick<OpenEmailRequest, 'orderId' | 'sellerId' | 'sealedWanted'>): Write {
  const at = c.now();
  const requestedAt = at.toISOString();
  const Key = emailRequestKey(request.orderId);
  const place = listKey('email-requests', requestedAt, request.orderId);
  return { put: { Item: { ...Key, ...place, ...request, requestedAt, ttl: emailRequestTtl(at) } } };
}

/** The address is gone from the record, and the record stays. Asked again or decided since → OptimisticLockError. */
export function recordEmailDecision(
  { orderId, sellerId, requestedAt, sealedWanted }: OpenEmailRequest,
  decision: EmailRequestDecision['decision'],
): Write {
  return {
    put: {
      Item: { ...emailRequestKey(orderId), orderId, sellerId, requestedAt, decision },
      ConditionExpression: 'sealedWanted = :read',
      ExpressionAttributeValues: { ':read': sealedWanted },
    },
    onConditionFailed: lockConflict,
  };
}

/** Nobody asks for another address any more. */
export const withdrawEmailRequest = (orderId: OrderId): Write => ({ delete: { Key: emailRequestKey(orderId) } });
