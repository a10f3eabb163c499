import * as z from 'zod/mini';
import { $ZodError } from 'zod/v4/core';
import { idOf, type OrderId } from '../ids.ts';
import { dateTime, email } from '../schemas.ts';
import { ProviderId } from './provider-ids.ts';

/** What an event says of a checkout session. */
const SessionPayload = z.object({
  kind: z.literal('session'),
  outcome: z.enum(['paid', 'processing', 'async_failed', 'expired']),
  sessionId: z.string(),
  /** The order that the session itself names. */
  orderId: z.optional(idOf('order')),
  stage: z.optional(z.string()),
  mode: z.optional(z.string()),
  amount: z.optional(z.int()),
  currency: z.optional(z.string()),
  paymentIntentId: z.optional(z.string()),
  /** Encrypted and bound to the event id. */
  sealedBuyerEmail: z.optional(z.string()),
});

const DeclinePayload = z.object({
  kind: z.literal('decline'),
  paymentIntentId: z.string(),
  orderId: z.optional(idOf('order')),
  amount: z.int(),
  currency: z.string(),
});

/** What a charge's event says of where it belongs. */
const chargeNames = {
  chargeId: z.optional(z.string()),
  paymentIntentId: z.optional(z.string()),
  /** The order that the metadata names. */
  orderId: z.optional(idOf('order')),
};

const RefundPayload = z.object({
  kind: z.literal('refund'),
  ...chargeNames,
  chargeId: z.string(),
  amount: z.int(),
  currency: z.string(),
  refundedAmount: z.int(),
});

const FailedRefundPayload = z.object({ kind: z.literal('failed-refund'), ...chargeNames });

const DisputePayload = z.object({
  kind: z.literal('dispute'),
  ...chargeNames,
  disputeId: z.string(),
  state: z.enum(['inquiry', 'open', 'won', 'lost']),
});

/** An account changed; which one may have to be asked. */
const AccountPayload = z.object({ kind: z.literal('account'), accountId: z.optional(z.string()), returned: z.boolean() });

/** Of a type we handle, but not in the form we know it by: an operator must see it. */
const UnreadablePayload = z.object({ kind: z.literal('unreadable') });

/** Stored so that a repeat is known, and nothing else. */
const IgnoredPayload = z.object({ kind: z.literal('ignored') });

export const EventPayload = z.discriminatedUnion('kind', [
  SessionPayload,
  DeclinePayload,
  RefundPayload,
  FailedRefundPayload,
  DisputePayload,
  AccountPayload,
  UnreadablePayload,
  IgnoredPayload,
]);
export type EventPayload = z.infer<typeof EventPayload>;
export type PayloadOf<Kind extends EventPayload['kind']> = Extract<EventPayload, { kind: Kind }>;

/** A provider event, reduced to the facts we use; the raw body is never kept. Source: decisions.md §7. */
export const WebhookEvent = z.object({
  id: z.string(),
  type: z.string(),
  endpoint: z.enum(['platform', 'connect']),
  /** When the provider says it happened. */
  createdAt: dateTime,
  receivedAt: dateTime,
  payload: EventPayload,
  /** When its effect became durable. */
  projectedAt: z.optional(dateTime),
  ttl: z.int(),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** What is not as the provider sends it counts as left out. */
const ifFit = <Schema extends z.core.$ZodType>(schema: Schema) => z.catch(z.optional(schema), undefined);

/** Of an event only an id and a type are demanded. Source: decisions.md §7. */
export const EventEnvelope = z.object({
  id: z.string().check(z.regex(/^[\w.:-]{1,255}$/)),
  type: z.string().check(z.minLength(1), z.maxLength(200)),
  object: ifFit(z.string()),
  livemode: z.optional(z.unknown()),
  account: z.optional(z.unknown()),
  created: ifFit(z.union([z.number(), z.string()])),
  data: ifFit(z.object({ object: z.optional(z.record(z.string(), z.unknown())) })),
  related_object: ifFit(z.object({ id: z.string() })),
});
export type EventEnvelope = z.infer<typeof EventEnvelope>;

const maybeId = z.pipe(
  z.nullish(z.union([ProviderId, z.object({ id: ProviderId })])),
  z.transform((value: string | { id: string } | null | undefined) => (typeof value === 'object' ? value?.id : value)),
);
const maybeText = z.pipe(
  z.nullish(z.string()),
  z.transform((value: string | null | undefined) => value ?? undefined),
);
const maybeOrderId = z.pipe(
  z.nullish(idOf('order')),
  z.transform((value: OrderId | null | undefined) => value ?? undefined),
);
const metadata = ifFit(z.object({ order_id: ifFit(idOf('order')), stage: ifFit(z.string()) }));

const SessionObject = z.object({
  id: ProviderId,
  client_reference_id: maybeOrderId,
  metadata,
  mode: maybeText,
  amount_total: z.nullish(z.int()),
  currency: maybeText,
  payment_status: z.string(),
  payment_intent: maybeId,
  // An address that no mail can go to is none; the purchase counts all the same.
  customer_details: ifFit(z.object({ email: ifFit(email) })),
  customer_email: ifFit(email),
});
const PaymentIntentObject = z.object({ id: ProviderId, amount: z.int(), currency: z.string(), metadata });
const ChargeObject = z.object({
  id: ProviderId,
  payment_intent: maybeId,
  metadata,
  amount: z.int(),
  amount_refunded: z.int().check(z.minimum(0)),
  currency: z.string(),
});
const RefundObject = z.object({ charge: maybeId, payment_intent: maybeId, metadata });
const DisputeObject = z.object({ id: ProviderId, charge: maybeId, payment_intent: maybeId, metadata, status: z.string() });

type Sealed = (plain: string) => string;

const accountEvent = /^v2\.core\.account(\[[a-z._]+\])?\.[a-z_]+$/;
const linkReturned = 'v2.core.account_link.returned';

/** How each snapshot event is read. An event type that is not here, and is no account event, is ignored. */
const readers = new Map<string, (object: unknown, seal: Sealed) => EventPayload>(
  Object.entries({
    'checkout.session.completed': (object: unknown, seal: Sealed) => sessionPayload(object, seal),
    'checkout.session.async_payment_succeeded': (object: unknown, seal: Sealed) => sessionPayload(object, seal),
    'checkout.session.async_payment_failed': (object: unknown, seal: Sealed) => sessionPayload(object, seal, 'async_failed'),
    'checkout.session.expired': (object: unknown, seal: Sealed) => sessionPayload(object, seal, 'expired'),
    'payment_intent.payment_failed': (object: unknown) => {
      const { id, amount, currency, metadata: named } = PaymentIntentObject.parse(object);
      return { kind: 'decline', paymentIntentId: id, orderId: named?.order_id, amount, currency };
    },
    'charge.refunded': (object: unknown) => {
      const { amount, currency, amount_refunded, ...charge } = ChargeObject.parse(object);
      return { kind: 'refund', ...namesOf(charge), chargeId: charge.id, amount, currency, refundedAmount: amount_refunded };
    },
    'refund.failed': (object: unknown) => {
      return { kind: 'failed-refund', ...namesOf(RefundObject.parse(object)) };
    },
    'charge.dispute.created': (object: unknown) => disputePayload(object),
    'charge.dispute.updated': (object: unknown) => disputePayload(object),
    'charge.dispute.closed': (object: unknown) => disputePayload(object),
  }),
);

/**
 * What the event says, for us.
 *
 * Snapshot events count on the platform endpoint alone, and only those of our own
 * account; account events on either. Live mode never counts. An object that is not
 * what its type promises is unreadable.
 */
export function parseEvent(event: EventEnvelope, endpoint: WebhookEvent['endpoint'], seal: Sealed): EventPayload {
  const ignored: EventPayload = { kind: 'ignored' };
  if ((event.livemode ?? false) !== false) return ignored;
  if (event.object === 'v2.core.event') {
    if (!accountEvent.test(event.type) && event.type !== linkReturned) return ignored;
    const accountId = ProviderId.safeParse(event.related_object?.id).data;
    return { kind: 'account', accountId, returned: event.type === linkReturned };
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
  const dispute = DisputeObject.parse(object);
  return { kind: 'dispute', ...namesOf(dispute), disputeId: dispute.id, state: disputeStateOf(dispute.status) };
}

const namesOf = (object: { charge?: string | undefined; payment_intent?: string | undefined; metadata?: z.infer<typeof metadata> }) => ({
  chargeId: object.charge,
  paymentIntentId: object.payment_intent,
  orderId: object.metadata?.order_id,
});

/** Appeals and every status that is not closed hold the license down; inquiries do not. */
export function disputeStateOf(status: string): PayloadOf<'dispute'>['state'] {
  if (status === 'lost' || status === 'won') return status;
  if (status === 'warning_closed' || status === 'prevented') return 'won';
  return status.startsWith('warning_') ? 'inquiry' : 'open';
}
