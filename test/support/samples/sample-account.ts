import type Stripe from 'stripe';

/** What the service opens connected accounts with. */
export const sampleAccount: Stripe.V2.Core.AccountCreateParams = {
  contact_email: 'owner@example.com',
  display_name: 'Example Shop',
  dashboard: 'express',
  identity: { country: 'JP', entity_type: 'company' },
  defaults: { currency: 'jpy', locales: ['ja-JP'], responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
  configuration: {
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    merchant: { capabilities: { card_payments: { requested: true } } },
  },
  include: ['configuration.recipient', 'configuration.merchant', 'requirements'],
  metadata: { seller_id: 'sel_1' },
};

/** What the service opens checkout sessions with. */
export function sampleCheckout(
  destination: string,
  changes: Partial<Stripe.Checkout.SessionCreateParams> & { amount?: number; currency?: string } = {},
): Stripe.Checkout.SessionCreateParams {
  const { amount = 1200, currency = 'jpy', ...rest } = changes;
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    allowed_payment_method_types: ['card'],
    adaptive_pricing: { enabled: false },
    client_reference_id: 'ord_1',
    success_url: 'http://127.0.0.1:1/complete?session={CHECKOUT_SESSION_ID}#token=abc.def',
    cancel_url: 'http://127.0.0.1:1/p/product',
    expires_at: Math.floor(Date.now() / 1000) + 1800 + 20,
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: 'Example Product' } } }],
    metadata: { order_id: 'ord_1', stage: 'local' },
    ...(amount > 0 && {
      payment_intent_data: {
        application_fee_amount: Math.floor(amount / 10),
        transfer_data: { destination },
        metadata: { order_id: 'ord_1', stage: 'local' },
      },
    }),
    ...rest,
  };
}
