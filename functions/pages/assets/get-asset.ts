import { endpoint } from '../../../shared/http/endpoint.ts';
import type { PageAssets } from './assets.ts';

export const getAssetRoute = endpoint({
  operationId: 'getAsset',
  method: 'GET',
  path: '/assets/{name}',
  tag: 'Pages',
  summary: 'A style sheet, script or picture of the pages',
  audience: 'anyone',
  success: { status: 200, contentType: 'application/octet-stream', description: 'The asset, in its own content type.' },
  errors: ['route_not_found'],
  async handle({ params }, c: { assets: PageAssets }) {
    return c.assets.reply(params.name);
  },
});
