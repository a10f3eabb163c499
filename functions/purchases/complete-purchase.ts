import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idOf } from '../../shared/ids.ts';
import { LicenseStatus, statusOf } from '../../shared/licenses/license.ts';
import type { Order } from '../../shared/orders/order.ts';
import { OrderStatus } from '../../shared/payments/payment-facts.ts';
import { dateTime } from '../../shared/schemas.ts';
import { type AuthorizedPurchase, PurchaseCredential } from './authorize-purchase.ts';
import type { PurchaseServices } from './routes.ts';

/** What the buyer's page shows. Source: decisions.md §9. */
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

/** The older, flat form. Source: decisions.md §9. */
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
  handle: async ({ body }, services: PurchaseServices) => {
    const purchase = await services.authorizePurchase(body);
    return purchase.form === 'page' ? showPage(purchase, services) : showLegacy(purchase.order, services);
  },
});

async function showPage({ order, expiresAt }: AuthorizedPurchase, services: PurchaseServices) {
  const { id, status, amount, currency, checkout, productId, terms } = order;
  const [license, files] = await Promise.all([showLicense(order, services), services.downloads.listDownloadable(productId)]);
  return {
    order: { id, status, amount, currency, paidAt: checkout.paidAt },
    product: { ...terms, id: productId, slug: terms.productSlug, name: terms.productName },
    license,
    files: license?.status === 'active' ? files : [],
    expiresAt: expiresAt.toISOString(),
  };
}

async function showLegacy(order: Order, services: PurchaseServices) {
  const license = await showLicense(order, services);
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

/** The license with its key, unless the license was taken back; undefined while the order waits for a code. */
async function showLicense({ licenseId }: Order, { licenses, openLicenseKey, now }: PurchaseServices) {
  const license = licenseId === undefined ? undefined : await licenses.findLicenseById(licenseId);
  if (!license) return undefined;
  const status = statusOf(license, now());
  const takenBack = status === 'refunded' || status === 'disputed' || status === 'revoked';
  return { ...license, status, licenseKey: takenBack ? undefined : openLicenseKey(license) };
}
