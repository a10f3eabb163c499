import type { Needs } from '../../shared/context.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { readPicture } from '../../shared/product-files/visible-files.ts';

export const getPictureRoute = endpoint({
  operationId: 'getProductImage',
  method: 'GET',
  path: '/images/{product_id}/{file_id}/{name}',
  tag: 'Storefront',
  summary: 'A picture of a product that is on sale',
  description:
    'Encoded anew from what its seller uploaded, so that it holds nothing but pixels. The name is the hash of its content: the address never shows another picture, and none once it was taken down.',
  audience: 'anyone',
  success: { status: 200, contentType: 'image/png', otherContentTypes: ['image/jpeg'], description: 'The picture.' },
  errors: ['file_not_found'],
  async handle({ params }, c: Needs<'table' | 'store'>) {
    const { bytes, contentType } = await readPicture(c, params);
    // The address never shows another picture, but none once it was taken down: caches learn that within the hour.
    return new Reply(bytes, { headers: { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=3600' } });
  },
});
