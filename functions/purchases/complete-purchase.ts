import * as z from 'zod/mini';
import { findOffers } from '../../shared/additions/find-offers.ts';
import {
  type AuthorizedPurchase,
  authorizePurchase,
  credentialErrors,
  PurchaseCredential,
} from '../../shared/buyer-access/authorize-purchase.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idOf } from '../../shared/ids.ts';
import { LicenseStatus } from '../../shared/licenses/license.ts';
import { PurchaseCompletionPageResponse } from '../../shared/licenses/purchase-page.ts';
import { buyerLocaleOf, isAddition, type Order } from '../../shared/orders/order.ts';
import { OrderStatus } from '../../shared/payments/payment-facts.ts';
import { type DownloadableFile, listDownloadable } from '../../shared/product-files/file-downloads.ts';
import { findProductAndSeller } from '../../shared/products/product-repository.ts';
import { describeAdded } from '../../shared/text/addition-words.ts';
import { showLicense } from './purchased-license.ts';
import { showOrder } from './purchased-order.ts';

/** The older, flat form. */
export const PurchaseCompletionResponse = z.object({
  orderId: idOf('order'),
  orderStatus: OrderStatus,
  productId: idOf('product'),
  productName: z.string(),
  licenseId: z.optional(idOf('license')),
  licenseStatus: z.optional(LicenseStatus),
  licenseKey: z.optional(z.string()),
});

export const completePurchaseRoute = endpoint({
  operationId: 'completePurchase',
  method: 'POST',
  path: '/v1/purchases/complete',
  tag: 'Purchases',
  summary: 'Shows a buyer the order, the license key and the files that a completion token speaks for',
  description:
    'With `token` the reply is the page form, with `buyer_email` and `completion_token` the older one. The license key is there while the license is active, suspended or expired. The token of an addition shows what was added, and nothing of the license that it was added to.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: PurchaseCredential,
  success: { status: 200, body: z.union([PurchaseCompletionPageResponse, PurchaseCompletionResponse]) },
  sensitive: true,
  errors: credentialErrors,
  handle: async ({ body }, c: PageNeeds & Needs<'TOKEN_KEYS'>) => {
    const purchase = await authorizePurchase(c, body);
    const { order, form } = purchase;
    if (form === 'legacy') return legacyFormOf(order, await showLicense(c, order));
    return completionPageReply(purchase, c);
  },
});

type PageNeeds = Needs<'table' | 'now' | 'store' | 'ENCRYPTION_KEYS'>;

/** The purchase as it is now, for the buyer's page. */
export async function completionPageReply({ order, use, expiresAt }: AuthorizedPurchase, c: PageNeeds) {
  if (isAddition(order)) {
    const added = describeAdded({ ...order, updatesDays: order.terms.updatesDays }, buyerLocaleOf(order));
    return { ...pageFormOf(await showOrder(c, order, use), undefined, [], expiresAt), added };
  }
  const [shown, license, found] = await Promise.all([
    showOrder(c, order, use),
    showLicense(c, order),
    findProductAndSeller(c.table, order),
  ]);
  const [files, offers] = await Promise.all([
    listDownloadable(c, found),
    license && found ? findOffers(c, order, license, found) : undefined,
  ]);
  return { ...pageFormOf(shown, license, files, expiresAt), offers };
}

type ShownOrder = Awaited<ReturnType<typeof showOrder>>;
type ShownLicense = Awaited<ReturnType<typeof showLicense>>;

function pageFormOf(order: ShownOrder, license: ShownLicense, files: readonly DownloadableFile[], expiresAt: Date) {
  const { productId, sellerId, terms, buyerEmail, buyerEmailMasked, buyerEmailUnreachable } = order;
  return {
    order,
    product: { ...terms, id: productId, sellerId, slug: terms.productSlug, name: terms.productName },
    license,
    files: license?.status === 'active' ? files : [],
    buyerEmail,
    buyerEmailMasked,
    buyerEmailUnreachable,
    expiresAt: expiresAt.toISOString(),
  };
}

function legacyFormOf(order: Order, license: ShownLicense) {
  return {
    orderId: order.id,
    orderStatus: order.status,
    productId: order.productId,
    productName: order.terms.productName,
    licenseId: license?.id,
    licenseStatus: license?.status,
    licenseKey: license?.licenseKey,
  };
}
