import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { CreatePreviewRequest, PreviewResponse } from '../../shared/products/previews/preview.ts';
import { createOwnPreview } from '../../shared/products/previews/preview-service.ts';

export const createPreviewRoute = endpoint({
  operationId: 'createProductPreview',
  method: 'POST',
  path: '/v1/products/{product_id}/preview',
  tag: 'Products',
  summary: 'Gives an address under which an own product can be seen as its buyers will see it',
  description:
    'For 15 minutes, in whatever state product and seller are. The page shows what the values are when it is opened, with the pictures whose upload was verified, approved or not; nothing can be ordered there. Whoever has the address can open it.',
  audience: 'seller',
  body: CreatePreviewRequest,
  bodyKind: 'optional-json',
  success: { status: 200, body: PreviewResponse },
  sensitive: true,
  errors: ['product_not_found', 'forbidden'],
  handle: ({ params, body, identity }, c: Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'randomBytes'>) =>
    createOwnPreview(c, identity.userId, params.productId, body),
});
