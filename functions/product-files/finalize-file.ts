import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { finalizeFile, ProductFileFinalizeRequest } from '../../shared/product-files/finalize-file.ts';
import { ProductFile } from '../../shared/product-files/own-file.ts';

export const finalizeFileRoute = endpoint({
  operationId: 'finalizeProductFile',
  method: 'POST',
  path: '/v1/products/{product_id}/files/{file_id}/finalize',
  tag: 'Product files',
  summary: 'Finalizes an upload, and submits the file for hashing, scanning and review',
  description:
    'Parts are put together, unless the whole was uploaded by the one PUT. Again with the same values while the file waits for review changes nothing.',
  audience: 'seller',
  tokenScopes: ['releases:write', 'products:write'],
  body: ProductFileFinalizeRequest,
  success: { status: 200, body: ProductFile },
  errors: [
    'forbidden',
    'seller_not_eligible',
    'product_suspended',
    'product_not_found',
    'file_not_found',
    'file_mismatch',
    'file_state_conflict',
    'storage_not_configured',
    'upload_not_found',
    'too_many_files',
  ],
  handle: ({ body, params, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'store' | 'partStore' | 'REVIEW_DUE_HOURS'>) =>
    finalizeFile(c, identity, params.productId, params.fileId, body),
});
