import type Stripe from 'stripe';
import type { AccountStateName } from './account-states.ts';

/** A connected account as the fake provider remembers it: what it was opened with, and the state it is in. */
export interface TestAccount {
  id: string;
  created: string;
  contactEmail: string;
  displayName: string;
  dashboard: 'express' | 'full' | 'none';
  country: string;
  /** Undefined until the seller chooses it. */
  entityType?: string | undefined;
  currency?: string | undefined;
  locales: string[];
  responsibilities: {
    fees_collector: 'application' | 'application_custom' | 'application_express' | 'stripe';
    losses_collector: 'application' | 'stripe';
  };
  configurations: Configuration[];
  metadata: Record<string, string>;
  state: AccountStateName;
  closed: boolean;
}
export type Configuration = 'merchant' | 'recipient';

/** A hosted onboarding link; good for one visit within five minutes. */
export interface AccountLink {
  account: string;
  refreshUrl: string;
  returnUrl: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  used: boolean;
}

export type Session = Stripe.Checkout.Session;

/** What a checkout session wants of its payment. */
export interface PaymentWishes {
  feeAmount: number | null;
  destination: string | null;
  metadata: Record<string, string>;
  statementSuffix?: string | null;
}

/** A checkout session, and the parameters of the payment that it will make. */
export interface TestSession {
  session: Session;
  lines: { name: string; description?: string | undefined; unitAmount: number; quantity: number }[];
  payment: PaymentWishes;
}

/** Where events go. Snapshot events have one endpoint, account events two. */
export type Destination = 'platform' | 'connect';

/** One copy of an event on its way to one endpoint. */
export interface Delivery {
  id: string;
  eventId: string;
  type: string;
  destination: Destination;
  /** The exact bytes of every attempt. */
  body: string;
  state: 'waiting' | 'held' | 'delivered' | 'given_up';
  attempts: number;
  /** Milliseconds since 1970. */
  dueAt: number;
  madeAt: number;
  lastOutcome?: string;
}

/** How events that are made from now on are delivered. */
export interface DeliverySettings {
  /** How often each event is sent. */
  copies: number;
  /** How long every delivery waits: 3000 makes a webhook slower than any redirect. */
  delayMs: number;
  /** Each delivery waits up to this long, at random, so that their order is random. */
  shuffleMs: number;
  /** Nothing is sent until it is released. */
  hold: boolean;
}

/** The answer to a request with an idempotency key, and to which request it was given. */
export interface StoredAnswer {
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Everything the fake provider remembers, by kind. */
export interface Records {
  account: TestAccount;
  accountLink: AccountLink;
  session: TestSession;
  paymentIntent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  /** Bodies of events, thin ones in full. */
  event: { id: string; type: string; created: number; body: Record<string, unknown> };
  delivery: Delivery;
  /** Deliveries that came to an end. */
  delivered: Delivery;
  answer: StoredAnswer;
  settings: DeliverySettings;
  port: { port: number };
}
export type Kind = keyof Records;
