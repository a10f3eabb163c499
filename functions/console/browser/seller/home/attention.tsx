import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { When } from '../../components/when.tsx';
import { isPlain, navigate } from '../../frame/location.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { productPath } from '../products/product.ts';
import { type Attention, attentionPath, type Known } from './paths.ts';

/** What needs the seller, each with the way to where it is mended. */
export const AttentionList = ({ items, products }: { items: readonly Attention[]; products: readonly Known[] }) => (
  <ul class="rows">
    {items.map((item) => {
      const name = products.find(({ id }) => id === item.target_id)?.name;
      return (
        <li key={item.kind + item.target_id} data-kind={item.kind} data-target={item.target_id}>
          <AttentionLink item={item} products={products} /> {name !== undefined && <SellerText text={name} />}
          <span class="small">
            <When at={item.since} ago />
          </span>
        </li>
      );
    })}
  </ul>
);

function AttentionLink({ item, products }: { item: Attention; products: readonly Known[] }) {
  const [looking, setLooking] = useState(false);
  const words = wordOf('attention', item.kind);
  const place = attentionPath(item);
  if (place !== undefined) return <a href={place}>{words}</a>;
  // Nothing tells of which product it is before somebody asks.
  return (
    <a
      href="/console/products"
      aria-busy={looking || undefined}
      onClick={async (event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        if (looking) return;
        setLooking(true);
        const found = await findAttentionPath(item, products);
        // Whoever went elsewhere meanwhile stays there.
        if (location.pathname === '/console') navigate(found);
      }}
    >
      {words}
    </a>
  );
}

/** So many products are asked at once. */
const atOnce = 6;

/** The screen of the file or release; of one that is not found, all products. */
async function findAttentionPath({ kind, target_id }: Attention, products: readonly { id: string }[]): Promise<string> {
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
