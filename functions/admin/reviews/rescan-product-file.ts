import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { ProductFileAdmin } from '../../../shared/product-files/product-file-reviews.ts';
import { rescanFile } from '../../../shared/product-files/rescan-file.ts';

export const rescanProductFileRoute = endpoint({
  operationId: 'rescanProductFile',
  method: 'POST',
  path: '/v1/admin/products/{product_id}/files/{file_id}/rescan',
  tag: 'Admin',
  summary: 'Has a product file scanned anew',
  description:
    'One whose scan failed, or found malware that may be none. What was found infected is approved only after a scan that calls it clean: nobody can vouch for it.',
  audience: 'admin',
  success: { status: 202, body: ProductFileAdmin },
  errors: ['self_review_forbidden', 'product_not_found', 'file_not_found', 'file_state_conflict'],
  handle: ({ params, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'REVIEW_DUE_HOURS'>) =>
    rescanFile(c, identity, params.productId, params.fileId),
});
