import { useEffect, useRef, useState } from 'preact/hooks';
import type { OrderSearchRequest } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { More } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { announce } from '../../components/live.tsx';
import { TextField } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import type { Fault } from '../../forms/faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { type Order, OrderTable } from './order-table.tsx';
import { texts } from './orders-texts.ts';

const nothing = { license_key: '', buyer_email: '', order_id: '' };

/** What was filled in first: the interface takes exactly one. */
function wantedOf({ license_key, buyer_email, order_id }: typeof nothing): OrderSearchRequest {
  if (license_key.trim()) return { license_key };
  return buyer_email.trim() ? { buyer_email } : { order_id: order_id.trim() };
}

function faultsOf(values: typeof nothing): Fault[] {
  const filled = Object.values(values).filter((text) => text.trim() !== '');
  return filled.length === 1 ? bodyFaults('searchAllOrders', wantedOf(values)) : [{ field: '', text: texts.oneTerm }];
}

interface Found {
  wanted: OrderSearchRequest;
  items: readonly Order[];
  next: string | undefined;
}

/** Finds orders of all sellers. Neither what is looked for nor what was found outlives the screen. */
export function OrderSearch() {
  const edit = useEdit({ key: 'order-search', base: nothing, draft: false });
  const [found, setFound] = useState<Found>();
  const results = useRef<HTMLHeadingElement>(null);
  const { send, sending, failure } = useSend('searchAllOrders', { changes: false });

  async function find(wanted: OrderSearchRequest, before?: Found): Promise<boolean> {
    const body: OrderSearchRequest & { cursor?: string } = before?.next === undefined ? wanted : { cursor: before.next, ...wanted };
    const page = await send({ body });
    if (!page) return false;
    const items = [...(before?.items ?? []), ...page.items];
    setFound({ wanted, items, next: page.next_cursor });
    announce(items.length > 0 ? texts.found(items.length) : page.next_cursor === undefined ? texts.nothingFound : texts.nothingYet);
    return true;
  }

  // What was found stands below the form, maybe out of sight.
  useEffect(() => results.current?.scrollIntoView({ block: 'nearest' }), [found]);

  return (
    <section class="card">
      <h2>{texts.search}</h2>
      <p class="small">{texts.searchLead}</p>
      <Form
        operation="searchAllOrders"
        edit={edit}
        submit={texts.find}
        asks
        check={faultsOf}
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
          {found.items.length === 0 ? (
            <Empty text={found.next === undefined ? texts.nothingFound : texts.nothingYet} />
          ) : (
            <OrderTable label={texts.search} rows={found.items} />
          )}
          <More of={{ more: found.next === undefined ? undefined : () => void find(found.wanted, found), loadingMore: sending }} />
          <p>
            <button
              type="button"
              class="button quiet"
              onClick={() => {
                edit.saved(edit.values, { values: nothing });
                setFound(undefined);
              }}
            >
              {texts.clear}
            </button>
          </p>
        </div>
      )}
    </section>
  );
}
