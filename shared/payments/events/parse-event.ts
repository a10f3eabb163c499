import * as z from 'zod/mini';
import { $ZodError } from 'zod/v4/core';
import { reportedEmail } from '../../addresses.ts';
import { idOf, type OrderId } from '../../ids.ts';
import { ProviderContext, ProviderId } from '../provider/provider-ids.ts';
import type { EventPayload, PayloadOf, WebhookEvent } from './webhook-event.ts';

/** A field of another form than the provider documents counts as left out. */
const ifValid = <Schema extends z.core.$ZodType>(schema: Schema) => z.catch(z.optional(schema), undefined);

/** An event as it is posted. Only the id and the type are required. */
export const EventEnvelope = z.object({
  id: z.string().check(z.regex(/^[\w.:-]{1,255}$/)),
  type: z.string().check(z.minLength(1), z.maxLength(200)),
  object: ifValid(z.string()),
  livemode: z.optional(z.unknown()),
  account: z.optional(z.unknown()),
  context: ifValid(ProviderContext),
  created: ifValid(z.union([z.number(), z.string()])),
  data: ifValid(z.object({ object: z.optional(z.record(z.string(), z.unknown())) })),
  related_object: ifValid(z.object({ id: z.string() })),
});
export type EventEnvelope = z.infer<typeof EventEnvelope>;

const optionalId = z.pipe(
  z.nullish(z.union([ProviderId, z.object({ id: ProviderId })])),
  z.transform((value: string | { id: string } | null | undefined) => (typeof value === 'object' ? value?.id : value)),
);
const optionalText = z.pipe(
  z.nullish(z.string()),
  z.transform((value: string | null | undefined) => value ?? undefined),
);
const optionalOrderId = z.pipe(
  z.nullish(idOf('order')),
  z.transform((value: OrderId | null | undefined) => value ?? undefined),
);
const metadata = ifValid(z.object({ order_id: ifValid(idOf('order')), stage: ifValid(z.string()) }));

const SessionObject = z.object({
  id: ProviderId,
  client_reference_id: optionalOrderId,
  metadata,
  mode: optionalText,
  amount_total: z.nullish(z.int()),
  currency: optionalText,
  payment_status: z.string(),
  payment_intent: optionalId,
  customer_details: ifValid(z.object({ email: ifValid(reportedEmail) })),
  customer_email: ifValid(reportedEmail),
});
const PaymentIntentObject = z.object({ id: ProviderId, amount: z.int(), currency: z.string(), metadata });
const ChargeObject = z.object({
  id: ProviderId,
  payment_intent: optionalId,
  metadata,
  amount: z.int(),
  amount_refunded: z.int().check(z.minimum(0)),
  currency: z.string(),
});
const RefundObject = z.object({ charge: optionalId, payment_intent: optionalId, metadata, status: optionalText });
const DisputeObject = z.object({
  id: ProviderId,
  charge: optionalId,
  payment_intent: optionalId,
  metadata,
  status: z.string(),
  amount: ifValid(z.int().check(z.minimum(0))),
});

type Sealed = (plain: string) => string;

const accountEvent = /^v2\.core\.account(\[[a-z._]+\])?\.[a-z_]+$/;
const linkReturned = 'v2.core.account_link.returned';

/** How each type of snapshot event is read. Every other type is ignored, unless it is an account event. */
const readers = new Map<string, (object: unknown, seal: Sealed) => EventPayload>(
  Object.entries({
    'checkout.session.completed': (object: unknown, seal: Sealed) => sessionPayload(object, seal),
    'checkout.session.async_payment_succeeded': (object: unknown, seal: Sealed) => sessionPayload(object, seal),
    'checkout.session.async_payment_failed': (object: unknown, seal: Sealed) => sessionPayload(object, seal, 'async_failed'),
    'checkout.session.expired': (object: unknown, seal: Sealed) => sessionPayload(object, seal, 'expired'),
    'payment_intent.payment_failed': (object: unknown) => {
      const { id, amount, currency, metadata: tags } = PaymentIntentObject.parse(object);
      return { kind: 'decline', paymentIntentId: id, orderId: tags?.order_id, amount, currency };
    },
    'charge.refunded': (object: unknown) => {
      const { amount, currency, amount_refunded, ...charge } = ChargeObject.parse(object);
      return { kind: 'refund', ...chargeIdsOf(charge), chargeId: charge.id, amount, currency, refundedAmount: amount_refunded };
    },
    'refund.failed': (object: unknown) => ({ kind: 'failed-refund', ...chargeIdsOf(RefundObject.parse(object)) }),
    'refund.updated': (object: unknown) => {
      const refund = RefundObject.parse(object);
      const cameBack = refund.status === 'failed' || refund.status === 'canceled';
      return cameBack ? { kind: 'failed-refund', ...chargeIdsOf(refund) } : { kind: 'ignored' };
    },
    'charge.dispute.created': (object: unknown) => disputePayload(object),
    'charge.dispute.updated': (object: unknown) => disputePayload(object),
    'charge.dispute.closed': (object: unknown) => disputePayload(object),
  }),
);

/** The types of snapshot events that count. */
export const snapshotEventTypes = [...readers.keys()];

/**
 * Reduces a posted event to the facts we use. Personal data is passed through `seal`.
 *
 * Snapshot events count on the platform endpoint alone, and only those of our own
 * account; account events on either. Live mode never counts. See "Events" in shared/payments/README.md
 */
export function parseEvent(event: EventEnvelope, endpoint: WebhookEvent['endpoint'], seal: Sealed): EventPayload {
  const ignored: EventPayload = { kind: 'ignored' };
  if ((event.livemode ?? false) !== false) return ignored;
  if (event.object === 'v2.core.event') {
    if (!accountEvent.test(event.type) && event.type !== linkReturned) return ignored;
    const accountId = ProviderId.safeParse(event.related_object?.id).data;
    return { kind: 'account', accountId, returned: event.type === linkReturned, context: event.context };
  }
  const read = readers.get(event.type);
  if (!read || endpoint !== 'platform' || event.account) return ignored;
  try {
    return read(event.data?.object, seal);
  } catch (error) {
    if (error instanceof $ZodError) return { kind: 'unreadable' };
    throw error;
  }
}

function sessionPayload(object: unknown, seal: Sealed, outcome?: PayloadOf<'session'>['outcome']): EventPayload {
  const session = SessionObject.parse(object);
  const buyerEmail = session.customer_details?.email ?? session.customer_email;
  const isPaid = session.payment_status === 'paid' || session.payment_status === 'no_payment_required';
  return {
    kind: 'session',
    outcome: outcome ?? (isPaid ? 'paid' : 'processing'),
    sessionId: session.id,
    orderId: session.client_reference_id ?? session.metadata?.order_id,
    stage: session.metadata?.stage,
    mode: session.mode,
    amount: session.amount_total ?? undefined,
    currency: session.currency,
    paymentIntentId: session.payment_intent,
    sealedBuyerEmail: buyerEmail === undefined ? undefined : seal(buyerEmail),
  };
}

function disputePayload(object: unknown): EventPayload {
  const { id: disputeId, status, amount, ...dispute } = DisputeObject.parse(object);
  return { kind: 'dispute', ...chargeIdsOf(dispute), disputeId, state: disputeStateOf(status), ...(amount !== undefined && { amount }) };
}

const chargeIdsOf = (object: {
  charge?: string | undefined;
  payment_intent?: string | undefined;
  metadata?: z.infer<typeof metadata>;
}) => ({
  chargeId: object.charge,
  paymentIntentId: object.payment_intent,
  orderId: object.metadata?.order_id,
});

/** Every status that is neither closed nor an inquiry is an open dispute. */
export function disputeStateOf(status: string): PayloadOf<'dispute'>['state'] {
  if (status === 'lost' || status === 'won' || status === 'prevented') return status;
  if (status === 'warning_closed') return 'won';
  return status.startsWith('warning_') ? 'inquiry' : 'open';
}
