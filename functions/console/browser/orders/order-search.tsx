import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OrderSearchRequest, OrderSummary } from '../../../../build/client.ts';
import { useSend } from '../api/sends.ts';
import { More } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { announce } from '../components/live.tsx';
import { TextField } from '../fields/fields.tsx';
import type { Fault } from '../forms/faults.ts';
import { Form } from '../forms/form.tsx';
import { useEdit } from '../forms/use-edit.ts';
import { texts } from './orders-texts.ts';

const nothing = { license_key: '', buyer_email: '', order_id: '' };

/** What was filled in, if it is one thing alone, as the interface takes it. */
function wantedOf(values: typeof nothing): OrderSearchRequest | undefined {
  const [license_key, buyer_email, order_id] = [values.license_key.trim(), values.buyer_email.trim(), values.order_id.trim()];
  if ([license_key, buyer_email, order_id].filter(Boolean).length !== 1) return undefined;
  if (license_key) return { license_key };
  return buyer_email ? { buyer_email } : { order_id };
}

interface Found {
  wanted: OrderSearchRequest;
  items: readonly OrderSummary[];
  next: string | undefined;
}

interface OrderSearchProps {
  operation: 'searchOrders' | 'searchAllOrders';
  /** What is wrong with what is looked for, before it is sent. */
  check?: (wanted: OrderSearchRequest) => Fault[];
  /** Shows what was found. */
  children: (orders: readonly OrderSummary[]) => ComponentChildren;
}

/** Finds orders by what buyers tell. Neither what is looked for nor what was found outlives the screen. */
export function OrderSearch({ operation, check, children }: OrderSearchProps) {
  const edit = useEdit({ key: 'order-search', base: nothing, draft: false });
  const [found, setFound] = useState<Found>();
  const results = useRef<HTMLHeadingElement>(null);
  const { send, sending, failure } = useSend(operation, { changes: false });

  async function find(wanted: OrderSearchRequest | undefined, before?: Found): Promise<boolean> {
    if (!wanted) return false;
    const body: OrderSearchRequest & { cursor?: string } = before?.next === undefined ? wanted : { cursor: before.next, ...wanted };
    const page = await send({ body });
    if (!page) return false;
    const now = { wanted, items: [...(before?.items ?? []), ...page.items], next: page.next_cursor };
    setFound(now);
    announce(now.items.length > 0 ? texts.found(now.items.length) : noneText(now));
    return true;
  }

  // What was found stands below the form, maybe out of sight.
  useEffect(() => results.current?.scrollIntoView({ block: 'nearest' }), [found]);

  function clear(): void {
    edit.saved(edit.values, { values: nothing });
    setFound(undefined);
  }

  return (
    <section class="card">
      <h2>{texts.search}</h2>
      <p class="small">{texts.searchLead}</p>
      <Form
        operation={operation}
        edit={edit}
        submit={texts.find}
        asks
        check={(values) => {
          const wanted = wantedOf(values);
          return wanted ? (check?.(wanted) ?? []) : [{ field: '', text: texts.oneTerm }];
        }}
        failure={failure}
        notDone={texts.notSearched}
        onSend={async (values) => ((await find(wantedOf(values))) ? { values } : undefined)}
      >
        <div class="grid">
          <TextField name="license_key" label={texts.licenseKey} type="search" optional />
          <TextField name="buyer_email" label={texts.buyerEmail} type="email" optional />
          <TextField name="order_id" label={texts.orderId} type="search" optional />
        </div>
      </Form>
      {found && (
        <div class="stack">
          <h3 ref={results}>{texts.found(found.items.length)}</h3>
          {found.items.length === 0 ? <Empty text={noneText(found)} /> : children(found.items)}
          <More of={{ more: found.next === undefined ? undefined : () => void find(found.wanted, found), loadingMore: sending }} />
          <p>
            <button type="button" class="button quiet" onClick={clear}>
              {texts.clear}
            </button>
          </p>
        </div>
      )}
    </section>
  );
}

/** That nothing was found, of all there is or of what was searched so far. */
const noneText = ({ next }: Found): string => (next === undefined ? texts.nothingFound : texts.nothingYet);
