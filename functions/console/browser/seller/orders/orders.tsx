import type { OrderStatus } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { More } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { orderKinds } from '../../components/order-facts.tsx';
import { Select } from '../../components/select.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { navigate, useLocation } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { wordOf } from '../../words/words.ts';
import { OrderSearch } from './order-search.tsx';
import { OrderTable } from './order-table.tsx';
import { texts } from './orders-texts.ts';
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
  const kind = orderKinds.find((one) => one === query['kind']);
  const { product_id, discount_id } = query;
  const orders = useList('listOrders', {
    query: { ...(status && { status }), ...(kind && { kind }), ...(product_id && { product_id }), ...(discount_id && { discount_id }) },
  });
  const { products, nameOf } = useProducts();
  const isFiltered = [status, kind, product_id, discount_id].some(Boolean);

  const filter = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    navigate(`/console/orders${next.size > 0 ? `?${next}` : ''}`, true);
  };

  return (
    <Screen title={texts.orders}>
      <OrderSearch nameOf={nameOf} />
      <section class="stack">
        <div class="buttons">
          <Select
            name="status"
            label={texts.status}
            value={status ?? ''}
            options={[['', texts.all], ...statuses.map((one) => [one, wordOf('order', one)] as const)]}
            onChange={(value) => filter('status', value)}
          />
          <Select
            name="kind"
            label={texts.kind}
            value={kind ?? ''}
            options={[['', texts.all], ...orderKinds.map((one) => [one, wordOf('order_kind', one)] as const)]}
            onChange={(value) => filter('kind', value)}
          />
          {products.length > 1 && (
            <Select
              name="product_id"
              label={texts.product}
              value={product_id ?? ''}
              options={[['', texts.all], ...products.map(({ id, name }) => [id, name] as const)]}
              onChange={(value) => filter('product_id', value)}
            />
          )}
        </div>
        {discount_id && (
          <p>
            {texts.discount} <code>{orders.body?.[0]?.discount_code ?? discount_id}</code> <a href="/console/orders">{texts.all}</a>
          </p>
        )}
        <Loaded of={orders}>
          {(rows) => {
            if (rows.length > 0) return <OrderTable label={texts.orders} rows={rows} nameOf={nameOf} />;
            if (!isFiltered) return <Empty text={texts.none} next={<a href="/console/products">{texts.product}</a>} />;
            return <Empty text={texts.found(0)} next={<a href="/console/orders">{texts.all}</a>} />;
          }}
        </Loaded>
        <More of={orders} />
      </section>
    </Screen>
  );
}
