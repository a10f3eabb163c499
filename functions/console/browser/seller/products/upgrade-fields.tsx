import { writtenFields } from 'console:product-fields';
import { FieldFrame, useField } from '../../fields/field.tsx';
import type { Value } from '../../forms/values.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { useProducts } from '../orders/product-names.ts';

/** For how much the owners of each other product of the seller get this one, whose id is given once it is there. */
export function UpgradeFields({ id, prices }: { id: string | undefined; prices: Readonly<Record<string, string>> }) {
  const { products, nameOf } = useProducts();
  const { label, hint } = writtenFields.upgrades_from;
  const props = { name: 'upgrades_from', label, hint, optional: true };
  const field = useField(props, (value: Value) =>
    Object.entries(value)
      .flatMap(([product, price]) => (price ? `${nameOf(product)}: ${price}` : []))
      .join('\n'),
  );
  const others = new Set([...Object.keys(prices), ...products.map((product) => product.id)]);
  if (id) others.delete(id);
  if (others.size === 0) return null;
  return (
    <FieldFrame {...props} field={field} isGroup>
      {[...others].map((product, at) => (
        <label key={product}>
          <SellerText text={nameOf(product)} />
          <input
            id={at === 0 ? field.id : undefined}
            name={`upgrades_from.${product}`}
            class="short"
            inputMode="decimal"
            autocomplete="off"
            value={prices[product] ?? ''}
            onInput={({ currentTarget }) => field.set({ ...prices, [product]: currentTarget.value })}
          />
        </label>
      ))}
    </FieldFrame>
  );
}
