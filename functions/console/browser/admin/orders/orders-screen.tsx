import { useId } from 'preact/hooks';
import type { OrderStatus } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { route, useLocation } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { More } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { orderKinds } from '../../parts/order-facts.tsx';
import { wordOf } from '../../words/words.ts';
import { EmailRequests } from './email-requests.tsx';
import { OrderSearch } from './order-search.tsx';
import { OrderTable } from './order-table.tsx';
import { say } from './orders-texts.ts';

const statuses = [
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'pending',
  'payment_failed',
  'expired',
] as const satisfies OrderStatus[];

/** What sellers ask for, the way to an order that somebody asks about, and all orders. */
export function OrdersScreen() {
  const { query } = useLocation();
  const status = statuses.find((one) => one === query['status']);
  const kind = orderKinds.find((one) => one === query['kind']);
  const { seller_id = '', discount_id = '' } = query;
  const orders = useList('listAllOrders', {
    query: { ...(status && { status }), ...(kind && { kind }), ...(seller_id && { seller_id }), ...(discount_id && { discount_id }) },
  });
  const isFiltered = [status, kind, seller_id, discount_id].some(Boolean);
  const [id, discountField] = [useId(), useId()];

  /** What is chosen is in the address: it names no buyer. */
  function show(form: HTMLFormElement): void {
    const chosen = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value !== '');
    route(`/console/admin/orders?${new URLSearchParams(chosen)}`, true);
  }

  return (
    <Screen title={say.title}>
      <EmailRequests />
      <OrderSearch />
      <section class="stack">
        <h2>{say.list}</h2>
        <form
          key={`${status} ${kind} ${seller_id} ${discount_id}`}
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            show(event.currentTarget);
          }}
        >
          <label>
            {say.status}
            <select name="status" value={status ?? ''} onChange={({ currentTarget: { form } }) => form && show(form)}>
              <option value="">{say.all}</option>
              {statuses.map((one) => (
                <option key={one} value={one}>
                  {wordOf('order', one)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {say.kind}
            <select name="kind" value={kind ?? ''} onChange={({ currentTarget: { form } }) => form && show(form)}>
              <option value="">{say.all}</option>
              {orderKinds.map((one) => (
                <option key={one} value={one}>
                  {wordOf('order_kind', one)}
                </option>
              ))}
            </select>
          </label>
          <label for={id}>
            {say.sellerId}
            <input id={id} name="seller_id" defaultValue={seller_id} autocomplete="off" autocapitalize="none" spellcheck={false} />
          </label>
          <label for={discountField}>
            {say.discountId}
            <input
              id={discountField}
              name="discount_id"
              defaultValue={discount_id}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
            />
          </label>
          <button type="submit" class="button quiet" data-operation="listAllOrders">
            {say.filter}
          </button>
        </form>
        <Loaded of={orders}>
          {(rows) =>
            rows.length > 0 ? (
              <OrderTable label={say.list} rows={rows} />
            ) : (
              <Empty text={isFiltered ? say.noneSuch : say.none} next={isFiltered && <a href="/console/admin/orders">{say.showAll}</a>} />
            )
          }
        </Loaded>
        <More of={orders} />
      </section>
    </Screen>
  );
}
