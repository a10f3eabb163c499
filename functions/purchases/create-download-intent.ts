import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type License, statusOf } from '../../shared/licenses/license.ts';
import type { Order } from '../../shared/orders/order.ts';
import { dateTime } from '../../shared/schemas.ts';
import { PurchaseCredential } from './authorize-purchase.ts';
import type { PurchaseServices } from './routes.ts';

export const FileDownloadIntentResponse = z.object({
  downloadUrl: z.string().register(z.globalRegistry, { format: 'uri' }),
  expiresAt: dateTime,
});

export const createDownloadIntent = endpoint({
  operationId: 'createFileDownloadIntent',
  method: 'POST',
  path: '/v1/purchases/files/{file_id}/download-intent',
  tag: 'Purchases',
  summary: 'Gives a buyer a URL under which a file of the purchased product can be downloaded for five minutes',
  description: 'The license must be active, and the file approved, visible, verified and vouched for.',
  audience: 'anyone',
  rateLimit: 'download',
  body: PurchaseCredential,
  success: { status: 200, body: FileDownloadIntentResponse },
  sensitive: true,
  errors: [
    'completion_token_invalid',
    'completion_token_expired',
    'order_not_found',
    'order_not_paid',
    'order_expired',
    'file_not_found',
    'license_not_usable',
    'file_not_available',
  ],
  handle: async ({ body, params }, services: PurchaseServices) => {
    const { order } = await services.authorizePurchase(body);
    const file = await services.downloads.getFile(order.productId, params.fileId);
    const license = await getUsableLicense(order, services);
    return services.downloads.createDownload(file, { orderId: order.id, licenseId: license.id });
  },
});

/** @throws AppError license_not_usable, also while there is none yet */
async function getUsableLicense({ licenseId }: Order, { licenses, now }: PurchaseServices): Promise<License> {
  const license = licenseId === undefined ? undefined : await licenses.findLicenseById(licenseId);
  if (!license || statusOf(license, now()) !== 'active') throw new AppError('license_not_usable');
  return license;
}
