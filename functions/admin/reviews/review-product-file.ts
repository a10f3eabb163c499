import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { ProductFileAdmin, ProductFileReviewRequest, reviewFile } from '../../../shared/product-files/product-file-reviews.ts';

export const reviewProductFileRoute = endpoint({
  operationId: 'reviewProductFile',
  method: 'PATCH',
  path: '/v1/admin/products/{product_id}/files/{file_id}/review',
  tag: 'Admin',
  summary: 'Decides on a product file',
  description:
    '`approve` needs a verified hash and trust: from a trusted scanner, or from an earlier decision `manual_clean` with `manual_scan_clean_reason`. `reject` is final and needs a reason.',
  audience: 'admin',
  body: ProductFileReviewRequest,
  success: { status: 200, body: ProductFileAdmin },
  errors: [
    'reason_contains_sensitive_data',
    'self_review_forbidden',
    'product_not_found',
    'file_not_found',
    'file_state_conflict',
    'file_not_verified',
    'file_not_trusted_clean',
  ],
  handle: ({ body, params, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'DISCARD_AFTER_HOURS' | 'REVIEW_DUE_HOURS'>) =>
    reviewFile(c, identity, params.productId, params.fileId, body),
});
