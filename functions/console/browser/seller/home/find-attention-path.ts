import { call } from '../../api/call.ts';
import { productPath } from '../products/product.ts';
import type { Attention } from './paths.ts';

/** So many products are asked at once. */
const atOnce = 6;

/** The screen of the file or release; of one that is not found, all products. */
export async function findAttentionPath({ kind, target_id }: Attention, products: readonly { id: string }[]): Promise<string> {
  async function look(product_id: string): Promise<string | undefined> {
    const args = { path: { product_id }, query: { limit: 100 } };
    if (kind !== 'release_rejected') {
      const { items } = await call('listProductFiles', args);
      return items.some(({ id }) => id === target_id) ? `${productPath(product_id)}/files` : undefined;
    }
    const { items } = await call('listReleases', args);
    const release = items.find(({ id }) => id === target_id);
    return release && `${productPath(product_id)}/releases/${encodeURIComponent(release.version)}`;
  }

  for (let at = 0; at < products.length; at += atOnce) {
    const looks = products.slice(at, at + atOnce).map(({ id }) => look(id).catch(() => undefined));
    const found = (await Promise.all(looks)).find((place) => place !== undefined);
    if (found !== undefined) return found;
  }
  return '/console/products';
}
