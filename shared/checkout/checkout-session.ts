import * as z from 'zod/mini';
import { completionPageUrl, completionUrl, mintCompletionToken, tokenLifetimes } from '../buyer-access/completion-token.ts';
import type { Needs } from '../context.ts';
import { OptimisticLockError } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { removeRedemption } from '../discounts/redemption-repository.ts';
import { AppError, hasCode } from '../errors.ts';
import { idOf } from '../ids.ts';
import { buyerLocaleOf, type CheckoutRequest, type Order, unitAmountOf } from '../orders/order.ts';
import {
  beginCheckoutAttempt,
  bindCheckoutSession,
  deleteOrder,
  endCheckoutAttempt,
  freeCheckoutRequest,
} from '../orders/order-repository.ts';
import { NoPaymentMethodsError } from '../payments/provider/checkout-refusals.ts';
import { type CheckoutSessionRequest, findSessionState, openCheckoutSession } from '../payments/provider/checkout-sessions.ts';
import { asUnavailable } from '../payments/provider/stripe-client.ts';
import { dateTime } from '../schemas.ts';
import { lineOf } from '../text/addition-words.ts';
import { isAttemptUnderWay, withNextAttempt } from './checkout-attempt.ts';

/** The language of a checkout and of what is mailed of it; `auto`: what the buyer's browser asks for, and the price suggests. */
export const checkoutLocale = z.enum(['ja', 'en', 'auto']);

/** What was bought, for a further checkout in another language, where one is named. */
export const withLocale = (order: Order, locale: Order['locale'] | undefined): Order =>
  locale === undefined ? order : { ...order, locale };

/** A checkout that was opened: what is paid, where, and until when. */
export const CheckoutResponse = z.object({
  orderId: idOf('order'),
  checkoutUrl: z.url(),
  expiresAt: dateTime,
  quantity: z.int(),
  unitAmount: z.int(),
  amount: z.int(),
  currency: z.string(),
});
export type CheckoutResponse = z.infer<typeof CheckoutResponse>;

/** What became of an order's session, with the checkout where it is still open. */
type ResumedSession = { state: 'open'; checkout: CheckoutResponse } | { state: 'complete' } | { state: 'over' };

/** Who asks for a session: for which buyer, and under which idempotency key. */
interface SessionRequester {
  buyerEmail?: string | undefined;
  request?: CheckoutRequest | undefined;
}

/** The same with whether this request began the attempt. */
type AttemptingRequester = SessionRequester & { isOwnAttempt?: boolean };

/** What opens the provider's sessions of orders, one for each. See "Checkout" in README.md */
export type SessionNeeds = Needs<'table' | 'now' | 'logger' | 'provider' | 'pace' | 'PUBLIC_BASE_URL' | 'STAGE' | 'TOKEN_KEYS'>;

/** Asks the provider for the session of an order's attempt, and gives it to the order. */
async function openSession(c: SessionNeeds, order: Order, asker: AttemptingRequester): Promise<CheckoutResponse> {
  const request = await sessionRequest(c, order, order.kind === 'license' ? asker.buyerEmail : undefined);
  const session = await c.pace
    .callProvider(() => openCheckoutSession(c, request))
    .catch(async (error: unknown) => {
      if (error instanceof NoPaymentMethodsError) c.logger.error('payment_methods_off', { orderId: order.id });
      await recordFailure(c.table, order, asker, isRefusal(error)).catch(leaveToOthers);
      throw asUnavailable(error);
    });
  await c.table.write(bindCheckoutSession(order, session.id));
  return checkoutReply(order, session.url);
}

/** An order that is refused for good is deleted: its redemption and its idempotency key are free again. Whoever began an attempt that failed ends it. */
async function recordFailure(
  table: Table,
  order: Order,
  { request, isOwnAttempt: begunHere }: AttemptingRequester,
  refused: boolean,
): Promise<void> {
  if (refused) {
    const released = request ? [freeCheckoutRequest(request)] : [];
    await table.transact([...deleteOrder(order), ...released, ...(await removeRedemption(table, order))]);
  } else if (begunHere) {
    await table.transact([endCheckoutAttempt(order)]);
  }
}

/** Opens an order's first session: joins the attempt in progress, or starts the next one. */
async function attempt(c: SessionNeeds, order: Order, asker: SessionRequester): Promise<CheckoutResponse> {
  return isAttemptUnderWay(order, c.now())
    ? openSession(c, order, asker)
    : openSession(c, await beginAttempt(c, order), { ...asker, isOwnAttempt: true });
}

async function beginAttempt(c: Needs<'table' | 'now'>, order: Order): Promise<Order> {
  const next = withNextAttempt(order, c.now());
  await c.table.transact(beginCheckoutAttempt(order, next));
  return { ...next, revision: order.revision + 1 };
}

/** What became of the session of a pending order, which is opened where there is none: the provider knows of a payment first. */
export async function resumeSession(c: SessionNeeds, order: Order, asker: SessionRequester): Promise<ResumedSession> {
  const { checkoutSessionId } = order;
  if (checkoutSessionId === undefined) return { state: 'open', checkout: await attempt(c, order, asker) };
  const found = await c.pace
    .callProvider(() => findSessionState(c, checkoutSessionId))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  return found.state === 'open' ? { state: 'open', checkout: checkoutReply(order, found.url) } : found;
}

async function sessionRequest(
  c: Needs<'PUBLIC_BASE_URL' | 'STAGE' | 'TOKEN_KEYS'>,
  order: Order,
  buyerEmail: string | undefined,
): Promise<CheckoutSessionRequest> {
  const { kind, quantity, terms } = order;
  const line = lineOf({ ...terms, productSummary: terms.productSummary ?? '', kind, quantity }, buyerLocaleOf(order));
  const expiresAt = new Date(order.expiresAt);
  const token = await mintCompletionToken(
    { orderId: order.id, use: 'redirect', expiresAt: new Date(expiresAt.getTime() + tokenLifetimes.redirectAfterSession) },
    new Date(order.createdAt),
    c.settings.TOKEN_KEYS,
  );
  return {
    orderId: order.id,
    attempt: order.checkoutAttempt ?? 1,
    productId: order.productId,
    sellerId: order.sellerId,
    stage: c.settings.STAGE,
    productName: line.name,
    productSummary: line.description,
    sellerName: terms.sellerDisplayName,
    quantity,
    unitAmount: unitAmountOf(order),
    currency: order.currency,
    applicationFeeAmount: order.applicationFeeAmount,
    destinationAccountId: order.destinationAccountId,
    buyerEmail,
    locale: order.locale,
    successUrl: completionUrl(c.settings.PUBLIC_BASE_URL, token, languageOf(order)),
    cancelUrl: cancelUrl(c, order),
    expiresAt,
  };
}

/** Leads back to what was asked for, in the language of the checkout: to the product, or to the purchase that is added to. */
function cancelUrl(c: Needs<'PUBLIC_BASE_URL'>, order: Order): string {
  const { kind, terms, amount, quantity, discount } = order;
  const lang = languageOf(order);
  if (kind !== 'license') return completionPageUrl(c.settings.PUBLIC_BASE_URL, lang);
  const query = new URLSearchParams({
    product: terms.productSlug,
    ...(amount === 0 && { free: '' }),
    ...(quantity > 1 && { quantity: String(quantity) }),
    ...(discount && { code: discount.code }),
    ...(lang !== undefined && { lang }),
  });
  return `${c.settings.PUBLIC_BASE_URL}/checkout/cancelled?${query}`;
}

/** The session of an order that was just made. @throws AppError what the provider refuses it with, dependency_unavailable */
export const openNewCheckout = (c: SessionNeeds, order: Order, asker: SessionRequester) =>
  openSession(c, order, { ...asker, isOwnAttempt: asker.request !== undefined });

/** The checkout of an order that is still pending; undefined when its session can no longer be paid. @throws as `openNewCheckout` */
export async function resumeCheckout(c: SessionNeeds, order: Order, asker: SessionRequester): Promise<CheckoutResponse | undefined> {
  if (order.checkoutSessionId !== undefined && order.expiresAt <= c.now().toISOString()) return undefined;
  const found = await resumeSession(c, order, asker);
  return found.state === 'open' ? found.checkout : undefined;
}

const languageOf = ({ locale }: Order) => (locale === 'auto' ? undefined : locale);

const checkoutReply = (order: Order, checkoutUrl: string): CheckoutResponse => ({
  orderId: order.id,
  checkoutUrl,
  expiresAt: order.expiresAt,
  quantity: order.quantity,
  unitAmount: unitAmountOf(order),
  amount: order.amount,
  currency: order.currency,
});

/** Whether the provider refused this checkout for good. */
const isRefusal = (error: unknown) => error instanceof AppError && error.code !== 'dependency_unavailable';

/** The order has changed, or the table is unavailable: then the attempt simply expires. The caller gets the first error. */
function leaveToOthers(error: unknown): void {
  if (!(error instanceof OptimisticLockError) && !hasCode(error, 'dependency_unavailable')) throw error;
}
