import { useList } from '../../api/reads.ts';
import { Empty } from '../../components/empty.tsx';
import { Select } from '../../components/select.tsx';
import { LoadedList } from '../../frame/loaded.tsx';
import { useLocation } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { ordersPath } from '../../orders/order-facts.tsx';
import { NoneSuch, OrderFilters, useOrderFilter } from '../../orders/order-filters.tsx';
import { OrderSearch } from '../../orders/order-search.tsx';
import { OrderTable } from '../../orders/order-table.tsx';
import { texts as ordersTexts } from '../../orders/orders-texts.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { texts } from './orders-texts.ts';
import { useProducts } from './product-names.ts';

/** All sales, and the way to one that a buyer asks about. */
export function Orders() {
  const { product_id = '' } = useLocation().query;
  const filtered = useOrderFilter();
  const query = { ...filtered.filter, ...(product_id && { product_id }) };
  const orders = useList('listOrders', { query });
  const { products, nameOf } = useProducts();
  const { discount_id } = query;
  const productOf = (id: string) => <SellerText text={nameOf(id)} />;
  return (
    <Screen title={ordersTexts.orders}>
      <OrderSearch operation="searchOrders">
        {(found) => <OrderTable label={ordersTexts.search} rows={found} productOf={productOf} />}
      </OrderSearch>
      <section class="stack">
        <OrderFilters of={filtered}>
          {products.length > 1 && (
            <Select
              name="product_id"
              label={ordersTexts.product}
              value={product_id}
              options={[['', ordersTexts.all], ...products.map(({ id, name }) => [id, name] as const)]}
              onChange={(chosen) => filtered.narrow({ product_id: chosen })}
            />
          )}
        </OrderFilters>
        {discount_id && (
          <p>
            {texts.discount} <code>{orders.body?.[0]?.discount_code ?? discount_id}</code> <a href={ordersPath}>{ordersTexts.all}</a>
          </p>
        )}
        <LoadedList
          of={orders}
          none={
            Object.keys(query).length > 0 ? (
              <NoneSuch />
            ) : (
              <Empty text={texts.none} next={<a href="/console/products">{ordersTexts.product}</a>} />
            )
          }
        >
          {(rows) => <OrderTable label={ordersTexts.orders} rows={rows} productOf={productOf} />}
        </LoadedList>
      </section>
    </Screen>
  );
}
