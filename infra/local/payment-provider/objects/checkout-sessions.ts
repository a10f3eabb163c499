import * as z from 'zod/mini';
import { refuse } from '../provider-error.ts';
import { newProviderId } from '../store/provider-ids.ts';
import type { Transaction } from '../store/provider-store.ts';
import type { Session } from '../store/records.ts';
import { checkDestination } from './accounts.ts';
import { checkAmount } from './amounts.ts';
import { nowSeconds } from './payments.ts';

const integer = z.pipe(
  z.string().check(z.regex(/^-?\d{1,15}$/, 'an integer is needed')),
  z.transform((text: string) => Number(text)),
);
export const count = integer.check(z.minimum(0));
const webUrl = z.string().check(
  z.maxLength(5000),
  z.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'a URL is needed'),
);
const shownText = (maxLength: number) => z.string().check(z.minLength(1), z.maxLength(maxLength));
/** What card networks put on a statement after the account's name: Latin characters with a letter, and some never. */
const statementSuffix = z
  .string()
  .check(
    z.maxLength(22),
    z.regex(/^[\x20-\x7e\u00c0-\u024f]*$/, 'Latin characters are needed'),
    z.regex(/[A-Za-z\u00c0-\u024f]/, 'a letter is needed'),
    z.regex(/^[^<>\\'"*]*$/, 'a character is not allowed'),
  );
/** The same for cards in Japan. */
const japaneseSuffix = (maxLength: number, form: RegExp) =>
  z
    .string()
    .check(z.maxLength(maxLength), z.regex(form, 'Japanese characters are needed'), z.regex(/^[^<>\\'"*]*$/, 'a character is not allowed'));
const metadata = z._default(z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(500))), {});
/** Taken as the provider takes it, and of no effect here. */
const ignored = z.optional(z.unknown());
const flag = z.pipe(
  z.string().check(z.regex(/^(true|false)$/, 'true or false is needed')),
  z.transform((text: string) => text === 'true'),
);
/** In which languages the provider has its page. */
const locales =
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr ' +
  'vi zh zh-HK zh-TW';
const paymentMethods = ['card', 'konbini'] as const;

export const SessionParams = z.strictObject({
  mode: z.literal('payment', 'only payments are made here'),
  ui_mode: z._default(z.literal('hosted_page'), 'hosted_page'),
  success_url: webUrl,
  cancel_url: z.optional(webUrl),
  client_reference_id: z.optional(z.string().check(z.maxLength(200))),
  customer_email: z.optional(z.string().check(z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address is needed'))),
  expires_at: z.optional(count),
  locale: z.optional(z.enum(locales.split(' '))),
  metadata,
  line_items: z
    .array(
      z.strictObject({
        quantity: z._default(count.check(z.minimum(1)), 1),
        price_data: z.strictObject({
          currency: z.string().check(z.regex(/^[a-z]{3}$/i)),
          unit_amount: count,
          product_data: z.strictObject({
            name: z.string().check(z.minLength(1)),
            description: z.optional(shownText(40_000)),
            metadata: ignored,
          }),
          tax_behavior: ignored,
        }),
      }),
    )
    .check(z.minLength(1), z.maxLength(100)),
  payment_intent_data: z.optional(
    z.strictObject({
      application_fee_amount: z.optional(count),
      transfer_data: z.optional(z.strictObject({ destination: z.string(), amount: ignored })),
      metadata,
      description: ignored,
      receipt_email: ignored,
      statement_descriptor_suffix: z.optional(statementSuffix),
    }),
  ),
  allowed_payment_method_types: z.optional(z.array(z.enum(paymentMethods)).check(z.minLength(1))),
  adaptive_pricing: z.optional(z.strictObject({ enabled: z.optional(flag) })),
  branding_settings: z.optional(
    z.strictObject({
      display_name: z.optional(shownText(5000)),
      background_color: ignored,
      border_style: ignored,
      button_color: ignored,
      font_family: ignored,
      icon: ignored,
      logo: ignored,
    }),
  ),
  billing_address_collection: z.optional(z.enum(['auto', 'required'])),
  consent_collection: ignored,
  custom_text: ignored,
  customer_creation: z._default(z.enum(['always', 'if_required']), 'if_required'),
  integration_identifier: ignored,
  payment_method_options: z.optional(
    z.strictObject({
      card: z.optional(
        z.strictObject({
          statement_descriptor_suffix_kana: z.optional(japaneseSuffix(22, /^[\p{Script=Katakana}ー\x20-\x7e]+$/u)),
          statement_descriptor_suffix_kanji: z.optional(
            japaneseSuffix(17, /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\x20-\x7e]+$/u),
          ),
        }),
      ),
    }),
  ),
  submit_type: ignored,
  expand: ignored,
});
type SessionParams = z.infer<typeof SessionParams>;

const dayS = 24 * 3600;
const halfHourS = 1800;

/** @throws ProviderError for whatever the provider would refuse. */
export function createSession(
  tx: Transaction,
  params: SessionParams,
  { baseUrl, withoutMethods }: { baseUrl: string; withoutMethods: boolean },
): Session {
  const currencies = new Set(params.line_items.map((line) => line.price_data.currency.toLowerCase()));
  if (currencies.size > 1) throw refuse('All line items need the same currency.', { param: 'line_items' });
  const currency = [...currencies].join();
  const amount = params.line_items.reduce((sum, line) => sum + line.price_data.unit_amount * line.quantity, 0);
  checkAmount(amount, currency);
  if (params.allowed_payment_method_types?.includes('konbini') && currency !== 'jpy') {
    throw refuse('Convenience stores take jpy alone.', { param: 'allowed_payment_method_types' });
  }
  checkPayment(tx, params, amount);
  if (withoutMethods && amount > 0) {
    throw refuse('No valid payment method types for this Checkout Session: none is switched on in the platform’s account.');
  }

  const session = newSession(params, amount, currency, baseUrl);
  const payment = params.payment_intent_data;
  tx.put('session', session.id, {
    session,
    lines: params.line_items.map(({ price_data: price, quantity }) => ({
      name: price.product_data.name,
      description: price.product_data.description,
      unitAmount: price.unit_amount,
      quantity,
    })),
    payment: {
      feeAmount: payment?.application_fee_amount ?? null,
      destination: payment?.transfer_data?.destination ?? null,
      metadata: payment?.metadata ?? {},
      statementSuffix: payment?.statement_descriptor_suffix ?? null,
    },
  });
  return session;
}

function checkPayment(tx: Transaction, { payment_intent_data: payment }: SessionParams, amount: number): void {
  if (!payment) return;
  if (amount === 0) throw refuse('There is no payment when nothing is due.', { param: 'payment_intent_data' });
  const { application_fee_amount: fee, transfer_data: transfer } = payment;
  if (fee !== undefined && (fee < 1 || fee > amount)) {
    throw refuse('The application fee must be positive and at most the amount.', { param: 'payment_intent_data[application_fee_amount]' });
  }
  if (fee !== undefined && !transfer) {
    throw refuse('An application fee needs a destination.', { param: 'payment_intent_data[application_fee_amount]' });
  }
  if (transfer) checkDestination(tx, transfer.destination);
}

/** Counted from the arrival of the request: whoever wants just 30 minutes adds the time of the way. */
function expiryOf(wanted: number | undefined): number {
  if (wanted === undefined) return nowSeconds() + dayS;
  const seconds = wanted - Date.now() / 1000;
  if (seconds < halfHourS || seconds > dayS)
    throw refuse('expires_at must be from 30 minutes to 24 hours from now.', { param: 'expires_at' });
  return wanted;
}

function newSession(params: SessionParams, amount: number, currency: string, baseUrl: string): Session {
  const id = newProviderId('cs_test');
  return {
    id,
    object: 'checkout.session',
    // Who does not say otherwise gets prices in the buyer's currency.
    adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? true },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    branding_settings: {
      background_color: '#ffffff',
      border_style: 'rounded',
      button_color: '#0074d4',
      display_name: params.branding_settings?.display_name ?? 'Fake payment provider',
      font_family: 'default',
      icon: null,
      logo: null,
    },
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: nowSeconds(),
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: null,
    customer_account: null,
    customer_creation: params.customer_creation,
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at: expiryOf(params.expires_at),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: null,
    metadata: params.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: params.allowed_payment_method_types ?? ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${baseUrl}/c/pay/${id}`,
    wallet_options: null,
  };
}
