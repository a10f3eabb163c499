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

interface Call<Params, Answer> {
  params: Params;
  answer: Answer;
}
type AccountEvents = { [T in AccountEventType]: OnTheWire<Extract<ThinEvent, { type: T }>> };

/** The parameters of each request and what it is answered with when it is not refused, by method and path. */
interface ProviderCalls {
  'POST /v1/checkout/sessions': Call<Stripe.Checkout.SessionCreateParams, Stripe.Checkout.Session>;
  'GET /v1/checkout/sessions': Call<Stripe.Checkout.SessionListParams, List<Stripe.Checkout.Session>>;
  'GET /v1/checkout/sessions/:id': Call<Stripe.Checkout.SessionRetrieveParams, Stripe.Checkout.Session>;
  'POST /v1/checkout/sessions/:id/expire': Call<Stripe.Checkout.SessionExpireParams, Stripe.Checkout.Session>;
  'GET /v1/payment_intents/:id': Call<Stripe.PaymentIntentRetrieveParams, Stripe.PaymentIntent>;
  'GET /v1/charges': Call<Stripe.ChargeListParams, List<Stripe.Charge>>;
  'GET /v1/charges/:id': Call<Stripe.ChargeRetrieveParams, Stripe.Charge>;
  'GET /v1/disputes': Call<Stripe.DisputeListParams, List<Stripe.Dispute>>;
  'GET /v1/disputes/:id': Call<Stripe.DisputeRetrieveParams, Stripe.Dispute>;
  'POST /v1/disputes/:id/close': Call<Stripe.DisputeCloseParams, Stripe.Dispute>;
  'POST /v1/refunds': Call<Stripe.RefundCreateParams, Stripe.Refund>;
  'GET /v1/refunds': Call<Stripe.RefundListParams, List<Stripe.Refund>>;
  'GET /v1/refunds/:id': Call<Stripe.RefundRetrieveParams, Stripe.Refund>;
  'POST /v1/refunds/:id/cancel': Call<Stripe.RefundCancelParams, Stripe.Refund>;
  'GET /v1/events': Call<Stripe.EventListParams, List<ProviderWebhooks[keyof SnapshotWebhooks]>>;
  'GET /v1/events/:id': Call<Stripe.EventRetrieveParams, ProviderWebhooks[keyof SnapshotWebhooks]>;
  'POST /v2/core/accounts': Call<Stripe.V2.Core.AccountCreateParams, Stripe.V2.Core.Account>;
  'GET /v2/core/accounts/:id': Call<Stripe.V2.Core.AccountRetrieveParams, Stripe.V2.Core.Account>;
  'POST /v2/core/account_links': Call<Stripe.V2.Core.AccountLinkCreateParams, Stripe.V2.Core.AccountLink>;
  'GET /v2/core/events/:id': Call<Stripe.V2.Core.EventRetrieveParams, AccountEvents[AccountEventType]>;
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
type ProviderWebhooks = SnapshotWebhooks & { [T in AccountEventType]: OnTheWire<Extract<Notification, { type: T }>> };

export interface ProviderWire {
  requests: { [R in keyof ProviderCalls]: ProviderCalls[R]['params'] };
  answers: { [R in keyof ProviderCalls]: ProviderCalls[R]['answer'] } & { refusal: Refusal };
  webhooks: ProviderWebhooks;
}
