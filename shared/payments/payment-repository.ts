import * as z from 'zod/mini';
import { findItem } from '../db/find-items.ts';
import { chargeKey, paymentKey, webhookEventKey } from '../db/keys.ts';
import { putRevision } from '../db/optimistic-lock.ts';
import type { Item, Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type EventPayload, WebhookEvent } from './events/webhook-event.ts';
import { Payment } from './payment.ts';
import { noChargeFacts } from './payment-facts.ts';

/** The event was stored or projected before; `old` is its record. */
export class DuplicateEventError extends Error {
  readonly old: Item | undefined;
  constructor(old: Item | undefined) {
    super('The event is known.');
    this.old = old;
  }
}

/** A payment of which nothing is known. */
export const unknownPayment = (id: string): Payment => ({ id, charge: noChargeFacts, revision: 0 });

/** From a charge to its payment. */
const ChargeLink = z.object({ paymentIntentId: z.string() });

export const findPaymentEvent = (table: Table, eventId: string) => findItem(table, webhookEventKey(eventId), WebhookEvent);

/** @throws AppError internal_error when it is gone: only an event that was stored is ever read */
export async function getPaymentEvent(table: Table, eventId: string): Promise<WebhookEvent> {
  const event = await findPaymentEvent(table, eventId);
  if (!event) throw new AppError('internal_error', `The event ${eventId} is gone.`);
  return event;
}

/**
 * Stores an event that is not stored yet, or replaces a weaker version of it: the provider
 * may send one event to several endpoints, and it has effect on only one of them.
 *
 * @throws EventKnownError
 */
export function storePaymentEvent(event: WebhookEvent): Write {
  const weaker = Object.fromEntries(weakerKinds(event.payload.kind).map((kind) => [`:${kind}`, kind]));
  const isNewOrWeaker = ['attribute_not_exists(pk)', ...Object.keys(weaker).map((value) => `payload.kind = ${value}`)].join(' OR ');
  return {
    put: {
      Item: { ...webhookEventKey(event.id), ...event },
      ConditionExpression: isNewOrWeaker,
      ...(Object.keys(weaker).length > 0 && { ExpressionAttributeValues: weaker }),
    },
    onConditionFailed: (old) => new DuplicateEventError(old),
  };
}

/** Part of the transaction that holds the event's effect. @throws EventKnownError */
export function markPaymentEventProjected(event: WebhookEvent, at: Date): Write {
  return {
    update: {
      Key: webhookEventKey(event.id),
      UpdateExpression: 'SET projectedAt = :at',
      ConditionExpression: 'attribute_not_exists(projectedAt)',
      ExpressionAttributeValues: { ':at': at.toISOString() },
    },
    onConditionFailed: (old) => new DuplicateEventError(old),
  };
}

/** The payment as far as it is known; an unknown one has no facts and revision 0. */
export const readPayment = async (table: Table, paymentIntentId: string): Promise<Payment> =>
  (await findItem(table, paymentKey(paymentIntentId), Payment)) ?? unknownPayment(paymentIntentId);

/** Records which payment a charge belongs to, for later events that carry the charge's id alone. */
export function linkCharge(chargeId: string, paymentIntentId: string): Write {
  return { put: { Item: { ...chargeKey(chargeId), paymentIntentId } } };
}

export const findPaymentIdOfCharge = async (table: Table, chargeId: string): Promise<string | undefined> =>
  (await findItem(table, chargeKey(chargeId), ChargeLink))?.paymentIntentId;

/** Replaces the payment as it was read. @throws OptimisticLockError */
export const replacePayment = (read: Payment, next: Omit<Payment, 'revision'>): Write =>
  putRevision(read, { ...paymentKey(read.id), ...next });

function weakerKinds(kind: EventPayload['kind']): EventPayload['kind'][] {
  if (kind === 'ignored') return [];
  return kind === 'unreadable' ? ['ignored'] : ['ignored', 'unreadable'];
}
