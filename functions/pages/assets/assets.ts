import { createHash } from 'node:crypto';
import { generatedAssets } from './generated-assets.ts';

export type AssetName = keyof typeof generatedAssets;

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };

interface Asset {
  text: string;
  contentType: string;
  path: string;
}

const entries = Object.entries(generatedAssets).map(([name, text]): [string, Asset] => {
  const [base = '', extension = ''] = name.split('.');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const contentType = Object.entries(contentTypes).find(([ending]) => ending === extension)?.[1] ?? 'application/octet-stream';
  return [name, { text, contentType, path: `/assets/${base}.${hash}.${extension}` }];
});
const assets = new Map(entries);

/** Where a page loads the asset from: named by its content, so that it can be cached for good. */
export function assetPath(name: AssetName): string {
  return assets.get(name)?.path ?? '';
}

/**
 * The asset at `/assets/{fileName}`, and whether the name is that of its present content.
 * A page that was cached before an update names older content: it gets the present one.
 */
export function findAsset(fileName: string): { asset: Asset; current: boolean } | undefined {
  const [base = '', , extension = ''] = fileName.split('.');
  const asset = assets.get(`${base}.${extension}`);
  return asset && { asset, current: asset.path === `/assets/${fileName}` };
}
