import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { fileReply, type Site } from './site.ts';

/** Its name holds the hash of its content, so it never changes. */
const assetName = /^[a-z]+-[A-Z0-9]+\.(js|css)$/;

export const getDocsAssetRoute = endpoint({
  operationId: 'getDocsAsset',
  method: 'GET',
  path: '/docs/{asset}',
  tag: 'Pages',
  summary: 'A script or style sheet of the documentation',
  audience: 'anyone',
  success: { status: 200, contentType: 'application/octet-stream', description: 'The asset, in its own content type.' },
  errors: ['route_not_found'],
  handle({ params, headers }, c: { site: Site }) {
    const name = params.asset;
    const file = assetName.test(name) ? c.site.get(name) : undefined;
    if (!file) throw new AppError('route_not_found');
    return fileReply(file, headers['accept-encoding'], {
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  },
});
