import Stripe from 'stripe';
import { newProviderId } from '../store/provider-ids.ts';
import type { Transaction } from '../store/provider-store.ts';
import { queueDelivery } from './deliveries.ts';

/** The request that caused an event; both null when a page or a clock did. */
export interface Cause {
  id: string | null;
  idempotency_key: string | null;
}
const noCause: Cause = { id: null, idempotency_key: null };

/** The snapshot events that the platform endpoint subscribes to. */
export type SnapshotEventType =
  | 'checkout.session.completed'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.async_payment_failed'
  | 'checkout.session.expired'
  | 'payment_intent.payment_failed'
  | 'charge.refunded'
  | 'refund.failed'
  | 'refund.updated'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed';

/** An event that carries its object as it is at this moment; goes to the platform endpoint. */
export function emitSnapshot(
  tx: Transaction,
  type: SnapshotEventType,
  object: object,
  { previous, cause = noCause }: { previous?: Record<string, unknown>; cause?: Cause | undefined } = {},
): void {
  const id = newProviderId('evt');
  const created = Math.floor(Date.now() / 1000);
  const body = {
    id,
    object: 'event',
    api_version: Stripe.API_VERSION,
    created,
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: cause,
    type,
  };
  tx.put('event', id, { id, type, created, body });
  queueDelivery(tx, { id, type, body }, 'platform');
}

/**
 * An account event: its body only names the account. It is made twice and goes to both endpoints:
 * as an event of the platform, and as one of the account, which only that context can retrieve.
 */
export function emitThin(tx: Transaction, type: string, accountId: string, details: { include?: string; data?: object } = {}): void {
  for (const destination of ['platform', 'connect'] as const) {
    const id = newProviderId('evt_test');
    const now = new Date();
    const query = details.include ? `?include=${details.include}` : '';
    // The provider leaves the account out of this one: it is in the fetched event only.
    const named = type !== 'v2.core.account_link.returned';
    const body = {
      id,
      object: 'v2.core.event',
      type,
      livemode: false,
      created: now.toISOString(),
      context: destination === 'connect' ? accountId : null,
      ...(named && { related_object: { id: accountId, type: 'v2.core.account', url: `/v2/core/accounts/${accountId}${query}` } }),
    };
    const full = { ...body, changes: null, reason: null, ...(details.data && { data: details.data }) };
    tx.put('event', id, { id, type, created: Math.floor(now.getTime() / 1000), body: full });
    queueDelivery(tx, { id, type, body }, destination);
  }
}
