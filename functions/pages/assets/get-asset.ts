import { AppError } from '../../../shared/errors.ts';
import { endpoint, Reply } from '../../../shared/http/endpoint.ts';
import type { PageAssets } from './assets.ts';

export const getAsset = endpoint({
  operationId: 'getAsset',
  method: 'GET',
  path: '/assets/{name}',
  tag: 'Pages',
  summary: 'A style sheet, script or picture of the pages',
  audience: 'anyone',
  success: { status: 200, contentType: 'application/octet-stream', description: 'The asset, in its own content type.' },
  errors: ['route_not_found'],
  async handle({ params }, { assets }: { assets: PageAssets }) {
    const found = assets.find(params.name);
    if (!found) throw new AppError('route_not_found');
    const cacheControl = found.current ? 'public, max-age=31536000, immutable' : 'no-cache';
    return new Reply(found.asset.text, { headers: { 'Content-Type': found.asset.contentType, 'Cache-Control': cacheControl } });
  },
});
