import type Stripe from 'stripe';

/** What goes over the wire of a notification or event of the SDK: no methods, and a context that is not parsed. */
type OnTheWire<T> = { [K in Exclude<keyof T, 'fetchEvent' | 'fetchRelatedObject' | 'context'>]: T[K] } & { context?: string };

type Notification = Stripe.V2.Core.EventNotification;
type ThinEvent = Stripe.V2.Core.Event;
type Snapshot = Stripe.Event;
/** Everything that the provider tells about accounts of its v2 interface. */
type AccountEventType = Extract<Notification['type'], `v2.core.account${string}`>;

interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

interface Refusal {
  error: {
    code?: Stripe.PaymentIntent.LastPaymentError.Code;
    message: string;
    param?: string;
    type: Stripe.PaymentIntent.LastPaymentError.Type;
  };
}

/** The parameters of each request, by method and path. */
export interface ProviderRequests {
  'POST /v1/checkout/sessions': Stripe.Checkout.SessionCreateParams;
  'GET /v1/checkout/sessions': Stripe.Checkout.SessionListParams;
  'GET /v1/checkout/sessions/:id': Stripe.Checkout.SessionRetrieveParams;
  'POST /v1/checkout/sessions/:id/expire': Stripe.Checkout.SessionExpireParams;
  'GET /v1/payment_intents/:id': Stripe.PaymentIntentRetrieveParams;
  'GET /v1/charges': Stripe.ChargeListParams;
  'GET /v1/charges/:id': Stripe.ChargeRetrieveParams;
  'GET /v1/disputes': Stripe.DisputeListParams;
  'GET /v1/disputes/:id': Stripe.DisputeRetrieveParams;
  'POST /v1/disputes/:id/close': Stripe.DisputeCloseParams;
  'POST /v1/refunds': Stripe.RefundCreateParams;
  'GET /v1/refunds': Stripe.RefundListParams;
  'GET /v1/refunds/:id': Stripe.RefundRetrieveParams;
  'POST /v1/refunds/:id/cancel': Stripe.RefundCancelParams;
  'GET /v1/events': Stripe.EventListParams;
  'GET /v1/events/:id': Stripe.EventRetrieveParams;
  'POST /v2/core/accounts': Stripe.V2.Core.AccountCreateParams;
  'GET /v2/core/accounts/:id': Stripe.V2.Core.AccountRetrieveParams;
  'POST /v2/core/account_links': Stripe.V2.Core.AccountLinkCreateParams;
  'GET /v2/core/events/:id': Stripe.V2.Core.EventRetrieveParams;
}

/** What each request is answered with when it is not refused. */
export interface ProviderAnswers {
  'POST /v1/checkout/sessions': Stripe.Checkout.Session;
  'GET /v1/checkout/sessions': List<Stripe.Checkout.Session>;
  'GET /v1/checkout/sessions/:id': Stripe.Checkout.Session;
  'POST /v1/checkout/sessions/:id/expire': Stripe.Checkout.Session;
  'GET /v1/payment_intents/:id': Stripe.PaymentIntent;
  'GET /v1/charges': List<Stripe.Charge>;
  'GET /v1/charges/:id': Stripe.Charge;
  'GET /v1/disputes': List<Stripe.Dispute>;
  'GET /v1/disputes/:id': Stripe.Dispute;
  'POST /v1/disputes/:id/close': Stripe.Dispute;
  'POST /v1/refunds': Stripe.Refund;
  'GET /v1/refunds': List<Stripe.Refund>;
  'GET /v1/refunds/:id': Stripe.Refund;
  'POST /v1/refunds/:id/cancel': Stripe.Refund;
  'GET /v1/events': List<ProviderWebhooks[keyof SnapshotWebhooks]>;
  'GET /v1/events/:id': ProviderWebhooks[keyof SnapshotWebhooks];
  'POST /v2/core/accounts': Stripe.V2.Core.Account;
  'GET /v2/core/accounts/:id': Stripe.V2.Core.Account;
  'POST /v2/core/account_links': Stripe.V2.Core.AccountLink;
  'GET /v2/core/events/:id': { [T in AccountEventType]: OnTheWire<Extract<ThinEvent, { type: T }>> }[AccountEventType];
  refusal: Refusal;
}

interface SnapshotWebhooks {
  'checkout.session.completed': Extract<Snapshot, { type: 'checkout.session.completed' }>;
  'checkout.session.async_payment_succeeded': Extract<Snapshot, { type: 'checkout.session.async_payment_succeeded' }>;
  'checkout.session.async_payment_failed': Extract<Snapshot, { type: 'checkout.session.async_payment_failed' }>;
  'checkout.session.expired': Extract<Snapshot, { type: 'checkout.session.expired' }>;
  'payment_intent.payment_failed': Extract<Snapshot, { type: 'payment_intent.payment_failed' }>;
  'charge.refunded': Extract<Snapshot, { type: 'charge.refunded' }>;
  'charge.dispute.created': Extract<Snapshot, { type: 'charge.dispute.created' }>;
  'charge.dispute.updated': Extract<Snapshot, { type: 'charge.dispute.updated' }>;
  'charge.dispute.closed': Extract<Snapshot, { type: 'charge.dispute.closed' }>;
  'refund.failed': Extract<Snapshot, { type: 'refund.failed' }>;
  'refund.updated': Extract<Snapshot, { type: 'refund.updated' }>;
}

/** The body of each webhook, by event type. */
export type ProviderWebhooks = SnapshotWebhooks & { [T in AccountEventType]: OnTheWire<Extract<Notification, { type: T }>> };

export interface ProviderWire {
  requests: ProviderRequests;
  answers: ProviderAnswers;
  webhooks: ProviderWebhooks;
}
