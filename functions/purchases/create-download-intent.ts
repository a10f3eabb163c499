import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type AuthorizePurchase, credentialErrors, PurchaseCredential } from '../../shared/orders/buyer-access/authorize-purchase.ts';
import { isAddition } from '../../shared/orders/order.ts';
import { FileDownloadIntentResponse, type FileDownloads } from '../../shared/product-files/file-downloads.ts';
import type { PurchasedLicenses } from './purchased-license.ts';
import type { PurchasedReleases } from './purchased-releases.ts';

interface Services {
  authorizePurchase: AuthorizePurchase;
  purchasedLicenses: PurchasedLicenses;
  purchasedReleases: PurchasedReleases;
  downloads: FileDownloads;
}

export const createDownloadIntent = endpoint({
  operationId: 'createFileDownloadIntent',
  method: 'POST',
  path: '/v1/purchases/files/{file_id}/download-intent',
  tag: 'Purchases',
  summary: 'Gives a buyer a URL under which a file of the purchased product can be downloaded for five minutes',
  description:
    'The license must be active, and the file approved, visible, verified and vouched for. A file of a release must be of one that was published, and that the license covers.',
  audience: 'anyone',
  rateLimit: 'download',
  body: PurchaseCredential,
  success: { status: 200, body: FileDownloadIntentResponse },
  sensitive: true,
  errors: [...credentialErrors, 'file_not_found', 'license_not_usable', 'update_not_covered', 'file_not_available'],
  handle: async ({ body, params }, { authorizePurchase, purchasedLicenses, purchasedReleases, downloads }: Services) => {
    const { order } = await authorizePurchase(body);
    // An order that added to a license has none of its own, and shows no files, whatever is asked for.
    if (isAddition(order)) throw new AppError('license_not_usable');
    const file = await downloads.getFile(order.productId, params.fileId);
    const license = await purchasedLicenses.getUsableLicense(order);
    if (file.purpose === 'release') await purchasedReleases.requireCovered(file, license);
    return downloads.createDownload(file, { orderId: order.id, licenseId: license.id });
  },
});
