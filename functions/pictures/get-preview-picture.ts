import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import type { ReadPreviewPicture } from '../../shared/product-files/shown-files.ts';

export const getPreviewPicture = endpoint({
  operationId: 'getPreviewImage',
  method: 'GET',
  path: '/preview/{token}/{file_id}/{name}',
  tag: 'Pages',
  summary: 'A picture on the preview of a product',
  audience: 'anyone',
  success: { status: 200, contentType: 'image/png', otherContentTypes: ['image/jpeg'], description: 'The picture.' },
  errors: ['file_not_found'],
  async handle({ params }, { readPreviewPicture }: { readPreviewPicture: ReadPreviewPicture }) {
    const { bytes, contentType } = await readPreviewPicture(params);
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
