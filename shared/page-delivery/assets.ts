import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { Reply } from '../http/endpoint.ts';

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };

interface Asset {
  text: string;
  contentType: string;
  path: string;
}

export type Assets<Name extends string> = ReturnType<typeof createAssets<Name>>;

/** The name of a file under which its present content can be kept for good: `buyer.css` becomes `buyer.0123456789ab.css`. */
export function nameWithHash(name: string, text: string): string {
  const [base = '', extension = ''] = name.split('.');
  return `${base}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${extension}`;
}

/** The assets with these texts, by their names; `folder` is where browsers find them, such as `/assets`. */
export function createAssets<Name extends string>(folder: string, texts: readonly (readonly [Name, text: string])[]) {
  const assets = new Map(
    texts.map(([name, text]): [string, Asset] => {
      const contentType = Object.entries(contentTypes).find(([ending]) => name.endsWith(`.${ending}`))?.[1];
      return [name, { text, contentType: contentType ?? 'application/octet-stream', path: `${folder}/${nameWithHash(name, text)}` }];
    }),
  );

  /**
   * The asset of this name, and whether the name is that of its present content. A page that was loaded before an
   * update names older content: it gets the present one.
   */
  function find(fileName: string): { asset: Asset; current: boolean } | undefined {
    const [base = '', , extension = ''] = fileName.split('.');
    const asset = assets.get(`${base}.${extension}`);
    return asset && { asset, current: asset.path === `${folder}/${fileName}` };
  }

  return {
    /** Where a page loads the asset from: named by its content, so that it can be cached for good. */
    pathOf: (name: Name): string => assets.get(name)?.path ?? '',
    find,

    /**
     * What a browser gets that asks for this name in the folder.
     *
     * @throws AppError route_not_found
     */
    reply(fileName: string, headers: Record<string, string> = {}): Reply {
      const found = find(fileName);
      if (!found) throw new AppError('route_not_found');
      const cacheControl = found.current ? 'public, max-age=31536000, immutable' : 'no-cache';
      return new Reply(found.asset.text, {
        headers: { ...headers, 'Content-Type': found.asset.contentType, 'Cache-Control': cacheControl },
      });
    },
  };
}

/** Reads the assets that the build put beside the function's code. */
export const readAssets = <Name extends string>(folder: string, from: string, names: readonly Name[]): Assets<Name> =>
  createAssets(
    folder,
    names.map((name) => [name, readFileSync(join(from, name), 'utf8')]),
  );
