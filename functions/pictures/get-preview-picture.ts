import type { Needs } from '../../shared/context.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { readPreviewPicture } from '../../shared/product-files/visible-files.ts';

export const getPreviewPictureRoute = endpoint({
  operationId: 'getPreviewImage',
  method: 'GET',
  path: '/preview/{token}/{file_id}/{name}',
  tag: 'Pages',
  summary: 'A picture on the preview of a product',
  audience: 'anyone',
  success: { status: 200, contentType: 'image/png', otherContentTypes: ['image/jpeg'], description: 'The picture.' },
  errors: ['file_not_found'],
  async handle({ params }, c: Needs<'table' | 'now' | 'store'>) {
    const { bytes, contentType } = await readPreviewPicture(c, params);
    return new Reply(bytes, {
      headers: {
        'Content-Type': contentType,
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex',
        'Cross-Origin-Resource-Policy': 'same-origin',
      },
    });
  },
});
