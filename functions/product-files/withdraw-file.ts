import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ProductFile } from '../../shared/product-files/own-file.ts';
import { withdrawFile } from '../../shared/product-files/withdraw-file.ts';

export const withdrawFileRoute = endpoint({
  operationId: 'withdrawProductFile',
  method: 'POST',
  path: '/v1/products/{product_id}/files/{file_id}/withdraw',
  tag: 'Product files',
  summary: 'Takes a file back for good',
  description:
    'Buyers get no more download URLs for it, and no admin can approve it. Again it changes nothing. A file of a release is in use once the release is handed in.',
  audience: 'seller',
  tokenScopes: ['products:write'],
  success: { status: 200, body: ProductFile },
  errors: ['forbidden', 'seller_not_eligible', 'product_not_found', 'file_not_found', 'file_state_conflict', 'file_in_use'],
  handle: ({ params, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'DISCARD_AFTER_HOURS' | 'REVIEW_DUE_HOURS'>) =>
    withdrawFile(c, identity, params.productId, params.fileId),
});
