import { offerFacts } from '../offers/offer-rules.ts';
import { likelyAddress } from './likely-address.ts';
import type { Purchase } from './purchase.ts';

export const isWebAddress = (text: string | undefined): text is string => /^https?:\/\//i.test(text ?? '');

/** Who looks at it: the payer, who may have only just bought it, or whoever has a link from a mail. */
interface Viewer {
  payer: boolean;
  justBought: boolean;
  /** Whether the address was corrected in this tab: that can be done once. */
  corrected?: boolean;
  /** Whether there are releases with files for them. */
  released?: boolean;
}

/** What holds for this purchase, in the names that the page's `data-when` uses. */
export function factsOf(purchase: Purchase, { payer, justBought, corrected = false, released = false }: Viewer): string[] {
  const { order, license, expires_at } = purchase;
  const withdrawn = withdrawnBy(order);
  const status = statusOf(purchase);
  const held = isLost(order) ? 'lost' : withdrawn;
  const source = sourceFacts(purchase, status);
  const thanks = justBought && (isAddition(purchase) ? withdrawn === 'none' : status === 'active');
  return [
    'purchase',
    ...(isAddition(purchase) ? ['addition', `addition-${held}`] : ['licensed', `license-${status}`]),
    ...(status === 'disputed' && !isAddition(purchase) ? [isLost(order) ? 'payment-lost' : 'held-by-dispute'] : []),
    ...source,
    license ? 'license' : '',
    hasDevices(purchase) ? 'devices' : '',
    license?.license_key ? 'key' : '',
    license?.updates_until ? 'updates-end' : '',
    thanks ? (isAddition(purchase) ? 'thanks-for-addition' : 'thanks') : 'revisit',
    !isAddition(purchase) && (thanks || (justBought && status === 'none')) ? 'just-bought' : '',
    order.status === 'partially_refunded' && !isAddition(purchase) && source.length === 0 ? 'partly-refunded' : '',
    refundedAmount(order) > 0 ? 'some-refunded' : '',
    expires_at ? 'link-lasts' : '',
    ...(payer && withdrawn === 'none' && source.length === 0 ? ['payer', mailFact(purchase), ...correctionFacts(purchase, corrected)] : []),
    order.bought_before && order.status !== 'refunded' ? 'bought-before' : '',
    ...priceFacts(order),
    ...offerFacts(purchase),
    ...sellerFacts(purchase, released),
  ];
}

/** Why its own payment stops an order, if it does. */
const withdrawnBy = ({ status }: Purchase['order']) => (status === 'refunded' || status === 'disputed' ? status : 'none');

/** Why the purchase does not work, in the terms of its own payment where an order that it was upgraded from is the reason. */
function statusOf({ order, license }: Purchase): string {
  const own = withdrawnBy(order);
  const status = license?.status ?? own;
  const isByHold = status === 'refunded' || status === 'disputed' || status === 'none';
  if (!order.held || !isByHold) return status;
  return own === 'none' ? 'held' : own;
}

/** That an order before it was refunded or is disputed, and this one was paid for; nothing once its own money came back. */
function sourceFacts({ order }: Purchase, status: string): string[] {
  if (!order.held || isLost(order) || (status !== 'held' && status !== 'disputed')) return [];
  return [`source-${order.held.why}`, order.amount > 0 ? 'source-paid' : ''];
}

/** Whether it added to a license, of which the page of whoever paid shows nothing. */
export const isAddition = ({ order }: Purchase) => order.kind === 'seats' || order.kind === 'updates';

/** Whether a dispute was decided for the card holder: the payment went back through the card issuer. */
export const isLost = (order: Purchase['order']): boolean => order.status === 'disputed' && order.payment_status === 'lost';

/** What was given back of the amount; with an invoice what that says, which counts lost disputes too. */
export const refundedAmount = ({ invoice, amount_refunded: refunded }: Purchase['order']): number =>
  invoice?.refunds?.[0]?.amount ?? refunded ?? 0;

/** How the amount comes about, where one at its price is not all there is to tell. */
export function priceFacts({ quantity, discount_amount: discount = 0 }: Purchase['order']): string[] {
  return [quantity > 1 ? 'several' : '', quantity > 1 || discount > 0 ? 'unit-price' : '', discount > 0 ? 'discount' : ''];
}

/** Nobody comes back to the seats of a license whose price was refunded. */
export const hasDevices = ({ license }: Purchase) => license !== undefined && license.status !== 'refunded';

function mailFact(purchase: Purchase): string {
  if (!purchase.buyer_email) return 'mail-unknown';
  if (purchase.buyer_email_unreachable) return 'mail-unreachable';
  return purchase.license || isAddition(purchase) ? 'mail-sent' : 'mail-to-send';
}

function correctionFacts({ buyer_email }: Purchase, corrected: boolean): string[] {
  if (corrected) return ['corrected'];
  return ['correctable', likelyAddress(buyer_email ?? '') === undefined ? '' : 'likely-address'];
}

/** What the seller has given, and so how to get the software. */
function sellerFacts({ product, files }: Purchase, released: boolean): string[] {
  const hasSite = isWebAddress(product.site_url);
  return [
    hasSite ? 'seller-site' : '',
    product.tokushoho_address?.trim() ? 'seller-address' : '',
    product.tokushoho_contact?.trim() ? 'seller-contact' : '',
    released ? 'releases' : '',
    files.length > 0 ? 'files' : released ? '' : hasSite ? 'no-files-but-site' : 'no-files-no-site',
  ];
}

/** Whether the key is still to come: paid, but no license yet. */
export const isIssuing = (purchase: Purchase) => factsOf(purchase, { payer: false, justBought: false }).includes('license-none');
