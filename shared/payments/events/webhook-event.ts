import * as z from 'zod/mini';
import { idOf } from '../../ids.ts';
import { dateTime } from '../../schemas.ts';

const SessionPayload = z.object({
  kind: z.literal('session'),
  outcome: z.enum(['paid', 'processing', 'async_failed', 'expired']),
  sessionId: z.string(),
  /** From the session's reference or metadata. */
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

/** The ids that an event about a charge carries, each of which may be left out. */
const chargeIds = {
  chargeId: z.optional(z.string()),
  paymentIntentId: z.optional(z.string()),
  /** From the metadata. */
  orderId: z.optional(idOf('order')),
};

const RefundPayload = z.object({
  kind: z.literal('refund'),
  ...chargeIds,
  chargeId: z.string(),
  amount: z.int(),
  currency: z.string(),
  refundedAmount: z.int(),
});

const FailedRefundPayload = z.object({ kind: z.literal('failed-refund'), ...chargeIds });

const DisputePayload = z.object({
  kind: z.literal('dispute'),
  ...chargeIds,
  disputeId: z.string(),
  /** The charge tells whether a prevented dispute counts as won or lost. */
  state: z.enum(['inquiry', 'open', 'won', 'lost', 'prevented']),
  amount: z.optional(z.int()),
});

const AccountPayload = z.object({
  kind: z.literal('account'),
  /** Absent where the event does not name the account: then it is retrieved. */
  accountId: z.optional(z.string()),
  /** The user came back from onboarding. */
  returned: z.boolean(),
  /** The account or organization on whose behalf the event and its account are retrieved. */
  context: z.optional(z.string()),
});

/** Of a type that is handled, but in a form we cannot read: its job dies, so that an operator sees it. */
const UnreadablePayload = z.object({ kind: z.literal('unreadable') });

/** Stored only so that a repeat of it is recognized. */
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

/** A provider event, reduced to the facts we use; the raw body is never kept. */
export const WebhookEvent = z.object({
  id: z.string(),
  type: z.string(),
  endpoint: z.enum(['platform', 'connect']),
  /** When it happened, by the provider's clock. */
  createdAt: dateTime,
  receivedAt: dateTime,
  payload: EventPayload,
  /** When its effect became durable. */
  projectedAt: z.optional(dateTime),
  ttl: z.int(),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;
