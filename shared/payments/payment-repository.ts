import { chargeKey, paymentKey, webhookEventKey } from '../db/keys.ts';
import { OptimisticLockError } from '../db/optimistic-lock.ts';
import type { Item, Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { Payment } from './payment.ts';
import { noChargeFacts } from './payment-facts.ts';
import { type EventPayload, WebhookEvent } from './webhook-event.ts';

/** The event was stored, or projected, before. */
export class EventKnownError extends Error {
  readonly old: Item | undefined;
  constructor(old: Item | undefined) {
    super('The event is known.');
    this.old = old;
  }
}

export type PaymentRepository = ReturnType<typeof createPaymentRepository>;

export function createPaymentRepository({ table }: { table: Table }) {
  async function findEvent(eventId: string): Promise<WebhookEvent | undefined> {
    const item = await table.get(webhookEventKey(eventId));
    return item && WebhookEvent.parse(item);
  }

  return {
    findEvent,

    /** @throws AppError internal_error: a job names it, so it was stored. */
    async getEvent(eventId: string): Promise<WebhookEvent> {
      const event = await findEvent(eventId);
      if (!event) throw new AppError('internal_error', `The event ${eventId} is gone.`);
      return event;
    },

    /**
     * Stores an event that is not stored yet, or of which what is stored says less: a
     * provider may send one event to several endpoints, and it counts on one of them.
     *
     * @throws EventKnownError
     */
    storeEvent(event: WebhookEvent): Write {
      const lesser = Object.fromEntries(weakerKinds(event.payload.kind).map((kind) => [`:${kind}`, kind]));
      const isNew = ['attribute_not_exists(pk)', ...Object.keys(lesser).map((value) => `payload.kind = ${value}`)].join(' OR ');
      return {
        put: {
          Item: { ...webhookEventKey(event.id), ...event },
          ConditionExpression: isNew,
          ...(Object.keys(lesser).length > 0 && { ExpressionAttributeValues: lesser }),
        },
        onConditionFailed: (old) => new EventKnownError(old),
      };
    },

    /** Part of the transaction that holds the event's effect. @throws EventKnownError */
    markEventProjected(event: WebhookEvent, at: Date): Write {
      return {
        update: {
          Key: webhookEventKey(event.id),
          UpdateExpression: 'SET projectedAt = :at',
          ConditionExpression: 'attribute_not_exists(projectedAt)',
          ExpressionAttributeValues: { ':at': at.toISOString() },
        },
        onConditionFailed: (old) => new EventKnownError(old),
      };
    },

    /** The payment as far as it is known; of an unknown one, an empty record. */
    async readPayment(paymentIntentId: string): Promise<Payment> {
      const item = await table.get(paymentKey(paymentIntentId));
      return item ? Payment.parse(item) : { id: paymentIntentId, charge: noChargeFacts, revision: 0 };
    },

    /** Remembers whose charge it is, for events that name the charge alone. */
    linkCharge(chargeId: string, paymentIntentId: string): Write {
      return { put: { Item: { ...chargeKey(chargeId), paymentIntentId } } };
    },

    async findPaymentIdOfCharge(chargeId: string): Promise<string | undefined> {
      const item = await table.get(chargeKey(chargeId));
      return item && String(item['paymentIntentId']);
    },

    /** Replaces the payment as it was read. @throws OptimisticLockError */
    replacePayment(read: Payment, next: Omit<Payment, 'revision'>): Write {
      return {
        put: {
          Item: { ...paymentKey(read.id), ...next, revision: read.revision + 1 },
          ConditionExpression: 'attribute_not_exists(pk) OR revision = :read',
          ExpressionAttributeValues: { ':read': read.revision },
        },
        onConditionFailed: () => new OptimisticLockError(),
      };
    },

    /** Makes the writes, all or none. */
    commit: (writes: readonly Write[]) => table.transact(writes),
  };
}

function weakerKinds(kind: EventPayload['kind']): EventPayload['kind'][] {
  if (kind === 'ignored') return [];
  return kind === 'unreadable' ? ['ignored'] : ['ignored', 'unreadable'];
}
