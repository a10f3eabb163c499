import type { ComponentChildren } from 'preact';
import type { OrderStatus, OrderSummary } from '../../../../build/client.ts';
import { Empty } from '../components/empty.tsx';
import { WordSelect } from '../components/select.tsx';
import { navigate, useLocation } from '../frame/location.ts';
import { ordersPath } from './order-facts.tsx';
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
const kinds = ['license', 'seats', 'updates', 'upgrade'] as const satisfies OrderSummary['kind'][];

/** What the list of orders is narrowed to: that is in the address, since it names no buyer. */
export function useOrderFilter() {
  const { query } = useLocation();
  const status = statuses.find((one) => one === query['status']);
  const kind = kinds.find((one) => one === query['kind']);
  const { discount_id } = query;
  return {
    filter: { ...(status && { status }), ...(kind && { kind }), ...(discount_id && { discount_id }) },
    narrow(change: Readonly<Record<string, string | undefined>>): void {
      const next = Object.entries({ ...query, ...change }).flatMap(([name, value = '']) =>
        value.trim() === '' ? [] : [[name, value.trim()]],
      );
      navigate(next.length === 0 ? ordersPath : `${ordersPath}?${new URLSearchParams(next)}`, true);
    },
  };
}

/** The controls that every role narrows the list by; its own are `children`. */
export function OrderFilters({ of: { filter, narrow }, children }: { of: ReturnType<typeof useOrderFilter>; children: ComponentChildren }) {
  return (
    <div class="buttons">
      <WordSelect
        name="status"
        label={texts.status}
        of="order"
        words={statuses}
        value={filter.status}
        onChange={(status) => narrow({ status })}
      />
      <WordSelect name="kind" label={texts.kind} of="order_kind" words={kinds} value={filter.kind} onChange={(kind) => narrow({ kind })} />
      {children}
    </div>
  );
}

/** What stands in the place of a list that was narrowed to nothing. */
export const NoneSuch = () => <Empty text={texts.noneSuch} next={<a href={ordersPath}>{texts.showAll}</a>} />;
