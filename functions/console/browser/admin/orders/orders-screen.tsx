import { useId } from 'preact/hooks';
import type { OrderSummary } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { Empty } from '../../components/empty.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { LoadedList } from '../../frame/loaded.tsx';
import { useLocation } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { NoneSuch, OrderFilters, useOrderFilter } from '../../orders/order-filters.tsx';
import { OrderSearch } from '../../orders/order-search.tsx';
import { OrderTable } from '../../orders/order-table.tsx';
import { texts as ordersTexts } from '../../orders/orders-texts.ts';
import { IdLink } from '../audit/id-link.tsx';
import { EmailRequests } from './email-requests.tsx';
import { texts } from './orders-texts.ts';

/** What sellers ask for, the way to an order that somebody asks about, and all orders. */
export function OrdersScreen() {
  const { seller_id = '', discount_id = '' } = useLocation().query;
  const filtered = useOrderFilter();
  const query = { ...filtered.filter, ...(seller_id && { seller_id }) };
  const orders = useList('listAllOrders', { query });
  return (
    <Screen title={ordersTexts.orders}>
      <EmailRequests />
      <OrderSearch operation="searchAllOrders" check={(wanted) => bodyFaults('searchAllOrders', wanted)}>
        {(found) => <Orders label={ordersTexts.search} rows={found} />}
      </OrderSearch>
      <section class="stack">
        <h2>{texts.list}</h2>
        <OrderFilters of={filtered}>
          <form
            key={`${seller_id} ${discount_id}`}
            class="filters"
            onSubmit={(event) => {
              event.preventDefault();
              filtered.narrow(
                Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()])),
              );
            }}
          >
            <IdField name="seller_id" label={texts.sellerId} value={seller_id} />
            <IdField name="discount_id" label={texts.discountId} value={discount_id} />
            <button type="submit" class="button quiet" data-operation="listAllOrders">
              {texts.filter}
            </button>
          </form>
        </OrderFilters>
        <LoadedList of={orders} none={Object.keys(query).length > 0 ? <NoneSuch /> : <Empty text={texts.none} />}>
          {(rows) => <Orders label={texts.list} rows={rows} />}
        </LoadedList>
      </section>
    </Screen>
  );
}

const Orders = ({ label, rows }: { label: string; rows: readonly OrderSummary[] }) => (
  <OrderTable
    label={label}
    rows={rows}
    productOf={(id) => <IdLink href={`/console/admin/products/${id}`} id={id} />}
    columns={[{ name: texts.seller, of: ({ seller_id }) => <IdLink href={`/console/admin/sellers/${seller_id}`} id={seller_id} /> }]}
  />
);

function IdField({ name, label, value }: { name: string; label: string; value: string }) {
  const id = useId();
  return (
    <label for={id}>
      {label}
      <input id={id} name={name} defaultValue={value} autocomplete="off" autocapitalize="none" spellcheck={false} />
    </label>
  );
}
