import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { CreatePreviewRequest, PreviewResponse } from '../../../shared/products/previews/preview.ts';
import { createReviewPreview } from '../../../shared/products/previews/preview-service.ts';

export const createPreviewRoute = endpoint({
  operationId: 'createReviewPreview',
  method: 'POST',
  path: '/v1/admin/products/{product_id}/preview',
  tag: 'Admin',
  summary: 'Gives a reviewer an address under which a product can be seen as its buyers will see it',
  description:
    'For 15 minutes, whatever was decided about product and seller. The page shows what the values are when it is opened, with the pictures whose upload was verified, approved or not; nothing can be ordered there. Whoever has the address can open it.',
  audience: 'admin',
  body: CreatePreviewRequest,
  bodyKind: 'optional-json',
  success: { status: 200, body: PreviewResponse },
  sensitive: true,
  errors: ['product_not_found'],
  handle: ({ params, body }, c: Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'randomBytes'>) =>
    createReviewPreview(c, params.productId, body),
});
