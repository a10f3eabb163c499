import * as z from 'zod/mini';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import type { Table } from '../../shared/db/table.ts';
import { AppError } from '../../shared/errors.ts';
import { normalizeEmail } from '../../shared/orders/buyer-email.ts';
import { type CompletionToken, tokenLifetimes, verifyCompletionToken } from '../../shared/orders/completion-token.ts';
import type { Order } from '../../shared/orders/order.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { buyerEmail, filledText } from '../../shared/schemas.ts';

/** How a buyer shows what they bought: by `token`, or, in the older form, by `buyer_email` and `completion_token`. */
export const PurchaseCredential = z
  .object({
    token: z.optional(filledText(4096)),
    buyerEmail: z.optional(buyerEmail),
    completionToken: z.optional(filledText(4096)),
  })
  .check(
    z.refine(
      ({ token, buyerEmail, completionToken }) =>
        token === undefined
          ? buyerEmail !== undefined && completionToken !== undefined
          : buyerEmail === undefined && completionToken === undefined,
      'must have either token, or buyer_email and completion_token',
    ),
  )
  .register(z.globalRegistry, { oneOf: [{ required: ['token'] }, { required: ['buyerEmail', 'completionToken'] }] });
export type PurchaseCredential = z.infer<typeof PurchaseCredential>;

/** Why a credential gives no access to a paid order. */
export const credentialErrors = [
  'completion_token_invalid',
  'completion_token_expired',
  'order_not_found',
  'order_not_paid',
  'order_expired',
] as const;

/** The credential of what has no older form. */
export const TokenCredential = z.object({ token: filledText(4096) });
const anyUse = ['mail', 'redirect', 'admin'] as const;
const legacyUses = ['mail', 'admin'] as const;

export interface AuthorizedPurchase {
  order: Order;
  form: 'page' | 'legacy';
  use: CompletionToken['use'];
  /** When the token ends for this order. */
  expiresAt: Date;
}

/** A token of none of `uses` is refused; without them the page form takes every use, the older one all but `redirect`. */
export type AuthorizePurchase = (credential: PurchaseCredential, uses?: readonly CompletionToken['use'][]) => Promise<AuthorizedPurchase>;

/**
 * The order that the credential gives access to; it was paid.
 *
 * @throws AppError invalid_request, completion_token_invalid, completion_token_expired,
 * order_not_found, order_expired, order_not_paid
 */
export function createAuthorizePurchase(options: {
  table: Table;
  tokenKeys: Keyring;
  encryptionKeys: Keyring;
  now: () => Date;
}): AuthorizePurchase {
  const { table, tokenKeys, encryptionKeys, now } = options;
  const orders = createOrderRepository({ table });

  function checkEmail(order: Order, given: string): void {
    const known = order.sealedBuyerEmail && openText(order.sealedBuyerEmail, order.id, encryptionKeys);
    if (!known || normalizeEmail(known) !== normalizeEmail(given)) throw new AppError('completion_token_invalid');
  }

  return async ({ token = '', buyerEmail, completionToken }, uses = completionToken === undefined ? anyUse : legacyUses) => {
    const verified = await verifyCompletionToken(completionToken ?? token, now(), tokenKeys);
    const { use, orderId } = verified;
    if (!uses.includes(use)) throw new AppError('completion_token_invalid');
    const order = await orders.getOrder(orderId);
    if (use === 'mail' && isOfEarlierAddress(verified, order)) throw new AppError('completion_token_invalid');
    if (buyerEmail !== undefined) checkEmail(order, buyerEmail);
    const expiresAt = endOf(verified, order);
    if (expiresAt <= now()) throw new AppError('completion_token_expired');
    if (order.status === 'expired') throw new AppError('order_expired');
    if (!order.checkout.paidAt) throw new AppError('order_not_paid');
    return { order, form: completionToken === undefined ? 'page' : 'legacy', use, expiresAt };
  };
}

/** A mail that was sent before the address was corrected leads nowhere, whoever has it. */
const isOfEarlierAddress = (token: CompletionToken, order: Order) => (token.emailGeneration ?? 0) !== (order.emailGeneration ?? 0);

/** A redirect token stays in the browser's history, so it ends soon after payment. */
function endOf(token: CompletionToken, { checkout }: Order): Date {
  if (token.use !== 'redirect' || !checkout.paidAt) return token.expiresAt;
  const afterPayment = Date.parse(checkout.paidAt) + tokenLifetimes.redirectAfterPayment;
  return new Date(Math.min(token.expiresAt.getTime(), afterPayment));
}
