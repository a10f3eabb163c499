import { authorizePurchase, credentialErrors, PurchaseCredential } from '../../shared/buyer-access/authorize-purchase.ts';
import type { Needs } from '../../shared/context.ts';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { isAddition } from '../../shared/orders/order.ts';
import { createFileDownload, FileDownloadIntentResponse } from '../../shared/product-files/file-downloads.ts';
import { getFile } from '../../shared/product-files/product-file-repository.ts';
import { getUsableLicense } from './purchased-license.ts';
import { requireCovered } from './purchased-releases.ts';

export const createDownloadIntentRoute = endpoint({
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
  handle: async ({ body, params }, c: Needs<'table' | 'now' | 'store' | 'ENCRYPTION_KEYS' | 'TOKEN_KEYS'>) => {
    const { order } = await authorizePurchase(c, body);
    // An order that added to a license has none of its own, and shows no files, whatever is asked for.
    if (isAddition(order)) throw new AppError('license_not_usable');
    const file = await getFile(c.table, order.productId, params.fileId);
    const license = await getUsableLicense(c, order);
    if (file.purpose === 'release') await requireCovered(c, file, license);
    return createFileDownload(c, file, { orderId: order.id, licenseId: license.id });
  },
});
