import * as z from 'zod/mini';
import { email } from '../addresses.ts';
import { normalizeEmail } from '../buyer-email/buyer-email.ts';
import type { Needs } from '../context.ts';
import { openText } from '../crypto/sealed-text.ts';
import { AppError } from '../errors.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import type { Order } from '../orders/order.ts';
import { getOrder } from '../orders/order-repository.ts';
import { nonBlankText } from '../schemas.ts';
import { paymentTakesDays } from '../text/payment-words.ts';
import { type CompletionToken, tokenLifetimes, verifyCompletionToken } from './completion-token.ts';

/** How a buyer shows what they bought: by `token`, or, in the older form, by `buyer_email` and `completion_token`. */
export const PurchaseCredential = z
  .object({
    token: z.optional(nonBlankText(4096)),
    buyerEmail: z.optional(email),
    completionToken: z.optional(nonBlankText(4096)),
  })
  .check(
    z.refine(
      ({ token, buyerEmail, completionToken }) =>
        token === undefined
          ? buyerEmail !== undefined && completionToken !== undefined
          : buyerEmail === undefined && completionToken === undefined,
      fault(rules.notOneCredential),
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
export const TokenCredential = z.object({ token: nonBlankText(4096) });
const anyUse = ['mail', 'redirect', 'admin'] as const;
const legacyUses = ['mail', 'admin'] as const;

export interface AuthorizedPurchase {
  order: Order;
  form: 'page' | 'legacy';
  use: CompletionToken['use'];
  /** Whether the order's address is known to be that of who bought: it was paid for, or this token came there. */
  isAddressConfirmed: boolean;
  /** When the token ends for this order. */
  expiresAt: Date;
}

function checkEmail(c: Needs<'ENCRYPTION_KEYS'>, order: Order, given: string): void {
  const known = order.sealedBuyerEmail && openText(order.sealedBuyerEmail, order.id, c.settings.ENCRYPTION_KEYS);
  if (!known || normalizeEmail(known) !== normalizeEmail(given)) throw new AppError('completion_token_invalid');
}

/**
 * The order that the credential gives access to; it was paid.
 *
 * @param uses a token of none of these is refused; without them the page form takes every use, the older one all but `redirect`
 * @throws AppError invalid_request, completion_token_invalid, completion_token_expired,
 * order_not_found, order_expired, order_not_paid
 */
export async function authorizePurchase(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'TOKEN_KEYS'>,
  { token = '', buyerEmail, completionToken }: PurchaseCredential,
  uses: readonly CompletionToken['use'][] = completionToken === undefined ? anyUse : legacyUses,
): Promise<AuthorizedPurchase> {
  const check = buyerEmail === undefined ? undefined : (order: Order) => checkEmail(c, order, buyerEmail);
  const purchase = await authorizeToken(c, completionToken ?? token, { uses, check });
  return { ...purchase, form: completionToken === undefined ? 'page' : 'legacy' };
}

type TokenAccess = Omit<AuthorizedPurchase, 'form'>;

/**
 * The same by the token alone, which needs no key to open an address.
 *
 * @param check what else must hold of the order, which is looked at before whether the token is too old for it
 * @throws AppError as `authorizePurchase`
 */
export async function authorizeToken(
  c: Needs<'table' | 'now' | 'TOKEN_KEYS'>,
  token: string,
  { uses = anyUse, check }: { uses?: readonly CompletionToken['use'][]; check?: ((order: Order) => void) | undefined } = {},
): Promise<TokenAccess> {
  const verified = await verifyCompletionToken(token, c.now(), c.settings.TOKEN_KEYS);
  const { use, orderId } = verified;
  if (!uses.includes(use)) throw new AppError('completion_token_invalid');
  const order = await getOrder(c.table, orderId);
  if (use === 'mail' && isOfEarlierAddress(verified, order)) throw new AppError('completion_token_invalid');
  check?.(order);
  const expiresAt = endOf(verified, order);
  if (expiresAt <= c.now()) throw new AppError('completion_token_expired');
  if (order.status === 'expired') throw new AppError('order_expired');
  if (!order.checkout.paidAt) throw new AppError('order_not_paid', order.paymentStatus === 'processing' ? paymentTakesDays : undefined);
  return { order, use, isAddressConfirmed: order.amount > 0 || use === 'mail', expiresAt };
}

/** A link that was mailed before the address was corrected no longer works. */
const isOfEarlierAddress = (token: CompletionToken, order: Order) => (token.emailGeneration ?? 0) !== (order.emailGeneration ?? 0);

/** A redirect token stays in the browser's history, so it expires soon after the payment event arrived. */
function endOf(token: CompletionToken, { checkout }: Order): Date {
  const heardAt = checkout.paidHeardAt ?? checkout.paidAt;
  if (token.use !== 'redirect' || !heardAt) return token.expiresAt;
  const afterPayment = Date.parse(heardAt) + tokenLifetimes.redirectAfterPayment;
  return new Date(Math.min(token.expiresAt.getTime(), afterPayment));
}
