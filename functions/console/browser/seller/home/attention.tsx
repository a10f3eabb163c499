import { useState } from 'preact/hooks';
import { When } from '../../components/when.tsx';
import { isPlain, navigate } from '../../frame/location.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { findAttentionPath } from './find-attention-path.ts';
import { type Attention, attentionPath, type Known } from './paths.ts';

/** What needs the seller, each with the way to where it is mended. */
export const AttentionList = ({ items, products }: { items: readonly Attention[]; products: readonly Known[] }) => (
  <ul class="rows">
    {items.map((item) => (
      <li key={item.kind + item.target_id} data-kind={item.kind} data-target={item.target_id}>
        <AttentionLink item={item} products={products} /> <Name of={item.target_id} products={products} />
        <span class="small">
          <When at={item.since} ago />
        </span>
      </li>
    ))}
  </ul>
);

function Name({ of: target, products }: { of: string; products: readonly Known[] }) {
  const name = products.find(({ id }) => id === target)?.name;
  return name === undefined ? null : <SellerText text={name} />;
}

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
