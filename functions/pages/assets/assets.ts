import { endpoint } from '../../../shared/http/endpoint.ts';
import { type Assets, createAssets, readAssets } from '../../../shared/page-delivery/assets.ts';

/** What browsers load, by the name it is served under; what each is made from is in `functions/pages/browser`. */
export const assetSources = {
  'buyer.css': 'buyer.css',
  'product.js': 'product.ts',
  'completion.js': 'purchase/completion.ts',
  'manage.js': 'purchase/manage.ts',
  'receipt.js': 'receipt/receipt.ts',
  'activation.js': 'activation.ts',
  'icon.svg': '../../../shared/design/icon.svg',
} as const;

export type AssetName = keyof typeof assetSources;

export type PageAssets = Assets<AssetName>;

/** Where browsers find them. */
const folder = '/assets';

/** The assets with these texts, by their names. */
export const createPageAssets = (texts: readonly (readonly [AssetName, text: string])[]): PageAssets => createAssets(folder, texts);

/** The names of all assets. */
export const assetNames = Object.keys(assetSources).filter((name): name is AssetName => name in assetSources);

/** Reads the assets that the build put beside the function's code. */
export const readPageAssets = (from: string): PageAssets => readAssets(folder, from, assetNames);

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
