import { useId } from 'preact/hooks';
import type { OrderStatus } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { route, useLocation } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { More } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { wordOf } from '../../words/words.ts';
import { OrderSearch } from './order-search.tsx';
import { OrderTable } from './order-table.tsx';
import { say } from './orders-texts.ts';
import { useProducts } from './product-names.ts';

const statuses = [
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'pending',
  'payment_failed',
  'expired',
] as const satisfies OrderStatus[];

/** All sales, and the way to one that a buyer asks about. */
export function Orders() {
  const { query } = useLocation();
  const status = statuses.find((one) => one === query['status']);
  const product_id = query['product_id'];
  const orders = useList('listOrders', { query: { ...(status && { status }), ...(product_id && { product_id }) } });
  const { products, nameOf } = useProducts();
  const isFiltered = status !== undefined || product_id !== undefined;

  const filter = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    route(`/console/orders${next.size > 0 ? `?${next}` : ''}`, true);
  };

  return (
    <Screen title={say.orders}>
      <OrderSearch nameOf={nameOf} />
      <section class="stack">
        <div class="grid">
          <Filter
            name="status"
            label={say.status}
            value={status}
            options={statuses.map((one) => [one, wordOf('order', one)])}
            onChange={filter}
          />
          {products.length > 1 && (
            <Filter
              name="product_id"
              label={say.product}
              value={product_id}
              options={products.map(({ id, name }) => [id, name])}
              onChange={filter}
            />
          )}
        </div>
        <Loaded of={orders}>
          {(rows) => {
            if (rows.length > 0) return <OrderTable label={say.orders} rows={rows} nameOf={nameOf} />;
            if (!isFiltered) return <Empty text={say.none} next={<a href="/console/products">{say.product}</a>} />;
            return <Empty text={say.found(0)} next={<a href="/console/orders">{say.all}</a>} />;
          }}
        </Loaded>
        <More of={orders} />
      </section>
    </Screen>
  );
}

/** Shows of a list what is like this alone; what is chosen is in the address. */
function Filter({
  name,
  label,
  value = '',
  options,
  onChange,
}: {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, words: string])[];
  onChange: (name: string, value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <label for={id}>{label}</label>
      <select id={id} name={name} value={value} onChange={({ currentTarget }) => onChange(name, currentTarget.value)}>
        <option value="">{say.all}</option>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
