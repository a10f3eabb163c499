import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idOf } from '../../shared/ids.ts';
import { LicenseStatus } from '../../shared/licenses/license.ts';
import type { Order } from '../../shared/orders/order.ts';
import { OrderStatus } from '../../shared/payments/payment-facts.ts';
import type { DownloadableFile, FileDownloads } from '../../shared/product-files/file-downloads.ts';
import { dateTime } from '../../shared/schemas.ts';
import { type AuthorizedPurchase, type AuthorizePurchase, PurchaseCredential } from './authorize-purchase.ts';
import type { PurchasedLicenses } from './purchased-license.ts';

/** What the buyer's page shows. */
export const PurchaseCompletionPageResponse = z.object({
  order: z.object({
    id: idOf('order'),
    status: OrderStatus,
    amount: z.int(),
    currency: z.string(),
    paidAt: dateTime,
  }),
  product: z.object({
    id: idOf('product'),
    slug: z.string(),
    name: z.string(),
    sellerDisplayName: z.string(),
    supportEmail: z.string(),
    refundPolicy: z.string(),
    softwareOperatingEnvironment: z.string(),
  }),
  license: z.optional(
    z.object({
      id: idOf('license'),
      status: LicenseStatus,
      licenseKey: z.optional(z.string()),
      activationLimit: z.int(),
      activationCount: z.int(),
      issuedAt: dateTime,
    }),
  ),
  files: z.array(
    z.object({ fileId: idOf('file'), fileName: z.string(), contentType: z.string(), sizeBytes: z.int(), sha256Hex: z.string() }),
  ),
  expiresAt: dateTime,
});

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

export const completePurchase = endpoint({
  operationId: 'completePurchase',
  method: 'POST',
  path: '/v1/purchases/complete',
  tag: 'Purchases',
  summary: 'Shows a buyer the order, the license key and the files that a completion token speaks for',
  description:
    'With `token` the reply is the page form, with `buyer_email` and `completion_token` the older one. The license key is there while the license is active, suspended or expired.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: PurchaseCredential,
  success: { status: 200, body: z.union([PurchaseCompletionPageResponse, PurchaseCompletionResponse]) },
  sensitive: true,
  errors: ['completion_token_invalid', 'completion_token_expired', 'order_not_found', 'order_not_paid', 'order_expired'],
  handle: async (
    { body },
    {
      authorizePurchase,
      purchasedLicenses,
      downloads,
    }: { authorizePurchase: AuthorizePurchase; purchasedLicenses: PurchasedLicenses; downloads: FileDownloads },
  ) => {
    const purchase = await authorizePurchase(body);
    const { order, form } = purchase;
    if (form === 'legacy') return legacyFormOf(order, await purchasedLicenses.showLicense(order));
    return showPage(purchase, { purchasedLicenses, downloads });
  },
});

/** The purchase as it is now, for the buyer's page. */
export async function showPage(
  { order, expiresAt }: AuthorizedPurchase,
  { purchasedLicenses, downloads }: { purchasedLicenses: PurchasedLicenses; downloads: FileDownloads },
) {
  const [license, files] = await Promise.all([purchasedLicenses.showLicense(order), downloads.listDownloadable(order.productId)]);
  return pageFormOf(order, license, files, expiresAt);
}

type ShownLicense = Awaited<ReturnType<PurchasedLicenses['showLicense']>>;

function pageFormOf(order: Order, license: ShownLicense, files: readonly DownloadableFile[], expiresAt: Date) {
  const { id, status, amount, currency, checkout, productId, terms } = order;
  return {
    order: { id, status, amount, currency, paidAt: checkout.paidAt },
    product: { ...terms, id: productId, slug: terms.productSlug, name: terms.productName },
    license,
    files: license?.status === 'active' ? files : [],
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
