import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { createReviewDownload, FileDownloadIntentResponse } from '../../../shared/product-files/file-downloads.ts';

export const downloadProductFileRoute = endpoint({
  operationId: 'createReviewDownloadIntent',
  method: 'POST',
  path: '/v1/admin/products/{product_id}/files/{file_id}/download-intent',
  tag: 'Admin',
  summary: 'Gives a reviewer a URL under which a file can be downloaded for five minutes',
  description:
    'Of any finalized file, whatever was decided about it and before any scan: open it where malware does no harm. A file that is not finalized, that was found infected, or whose bytes are deleted is refused.',
  audience: 'admin',
  success: { status: 200, body: FileDownloadIntentResponse },
  sensitive: true,
  errors: ['product_not_found', 'file_not_found', 'file_state_conflict', 'storage_not_configured'],
  handle: ({ params, identity }, c: Needs<'table' | 'now' | 'store'>) =>
    createReviewDownload(c, identity.userId, params.productId, params.fileId),
});
