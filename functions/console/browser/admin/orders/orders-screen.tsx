import { useId } from 'preact/hooks';
import type { OrderStatus } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { More } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { orderKinds } from '../../components/order-facts.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { navigate, useLocation } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { type WordKind, wordOf } from '../../words/words.ts';
import { EmailRequests } from './email-requests.tsx';
import { OrderSearch } from './order-search.tsx';
import { OrderTable } from './order-table.tsx';
import { texts } from './orders-texts.ts';

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
  const filter: Filter = {
    status: statuses.find((one) => one === query['status']),
    kind: orderKinds.find((one) => one === query['kind']),
    seller_id: query['seller_id'] || undefined,
    discount_id: query['discount_id'] || undefined,
  };
  const { status, kind, seller_id, discount_id } = filter;
  const orders = useList('listAllOrders', {
    query: { ...(status && { status }), ...(kind && { kind }), ...(seller_id && { seller_id }), ...(discount_id && { discount_id }) },
  });
  const isFiltered = [status, kind, seller_id, discount_id].some(Boolean);
  return (
    <Screen title={texts.title}>
      <EmailRequests />
      <OrderSearch />
      <section class="stack">
        <h2>{texts.list}</h2>
        <Filters key={`${status} ${kind} ${seller_id} ${discount_id}`} of={filter} />
        <Loaded of={orders}>
          {(rows) =>
            rows.length > 0 ? (
              <OrderTable label={texts.list} rows={rows} />
            ) : (
              <Empty
                text={isFiltered ? texts.noneSuch : texts.none}
                next={isFiltered && <a href="/console/admin/orders">{texts.showAll}</a>}
              />
            )
          }
        </Loaded>
        <More of={orders} />
      </section>
    </Screen>
  );
}

interface Filter {
  status: (typeof statuses)[number] | undefined;
  kind: (typeof orderKinds)[number] | undefined;
  seller_id: string | undefined;
  discount_id: string | undefined;
}

function Filters({ of: { status, kind, seller_id, discount_id } }: { of: Filter }) {
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        show(event.currentTarget);
      }}
    >
      <Options name="status" label={texts.status} value={status} values={statuses} of="order" />
      <Options name="kind" label={texts.kind} value={kind} values={orderKinds} of="order_kind" />
      <IdField name="seller_id" label={texts.sellerId} value={seller_id} />
      <IdField name="discount_id" label={texts.discountId} value={discount_id} />
      <button type="submit" class="button quiet" data-operation="listAllOrders">
        {texts.filter}
      </button>
    </form>
  );
}

/** What is chosen is in the address: it names no buyer. */
function show(form: HTMLFormElement): void {
  const chosen = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value !== '');
  navigate(`/console/admin/orders?${new URLSearchParams(chosen)}`, true);
}

function Options(props: { name: string; label: string; value: string | undefined; values: readonly string[]; of: WordKind }) {
  return (
    <label>
      {props.label}
      <select name={props.name} value={props.value ?? ''} onChange={({ currentTarget: { form } }) => form && show(form)}>
        <option value="">{texts.all}</option>
        {props.values.map((one) => (
          <option key={one} value={one}>
            {wordOf(props.of, one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function IdField({ name, label, value = '' }: { name: string; label: string; value: string | undefined }) {
  const id = useId();
  return (
    <label for={id}>
      {label}
      <input id={id} name={name} defaultValue={value} autocomplete="off" autocapitalize="none" spellcheck={false} />
    </label>
  );
}
