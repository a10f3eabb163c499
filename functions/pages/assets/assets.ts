import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What browsers load, by the name it is served under; what each is made from is in `functions/pages/browser`. */
export const assetSources = {
  'buyer.css': 'buyer.css',
  'product.js': 'product.ts',
  'completion.js': 'purchase/completion.ts',
  'receipt.js': 'purchase/receipt.ts',
  'activation.js': 'activation.ts',
  'icon.svg': '../../../shared/design/icon.svg',
} as const;

export type AssetName = keyof typeof assetSources;

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };

interface Asset {
  text: string;
  contentType: string;
  path: string;
}

export type PageAssets = ReturnType<typeof createPageAssets>;

/** The assets with these texts, by their names. */
export function createPageAssets(texts: readonly (readonly [AssetName, text: string])[]) {
  const entries = texts.map(([name, text]): [string, Asset] => {
    const [base = '', extension = ''] = name.split('.');
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
    const contentType = Object.entries(contentTypes).find(([ending]) => ending === extension)?.[1] ?? 'application/octet-stream';
    return [name, { text, contentType, path: `/assets/${base}.${hash}.${extension}` }];
  });
  const assets = new Map(entries);
  return {
    /** Where a page loads the asset from: named by its content, so that it can be cached for good. */
    pathOf: (name: AssetName): string => assets.get(name)?.path ?? '',

    /**
     * The asset at `/assets/{fileName}`, and whether the name is that of its present content.
     * A page that was cached before an update names older content: it gets the present one.
     */
    find(fileName: string): { asset: Asset; current: boolean } | undefined {
      const [base = '', , extension = ''] = fileName.split('.');
      const asset = assets.get(`${base}.${extension}`);
      return asset && { asset, current: asset.path === `/assets/${fileName}` };
    },
  };
}

/** The names of all assets. */
export const assetNames = Object.keys(assetSources).filter((name): name is AssetName => name in assetSources);

/** Reads the assets that the build put beside the function's code. */
export const readPageAssets = (folder: string): PageAssets =>
  createPageAssets(assetNames.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
