import { useEffect, useRef, useState } from 'preact/hooks';
import type { OrderSearchRequest } from '../../../../../build/client.ts';
import { OrderSearchRequest as Schema } from '../../../../../shared/licenses/search/order-search-request.ts';
import type { ItemOf } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { type Fault, faultsIn } from '../../forms/faults.ts';
import { TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { announce } from '../../frame/live.tsx';
import { More } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { OrderTable } from './order-table.tsx';
import { say } from './orders-texts.ts';

const nothing = { license_key: '', buyer_email: '', order_id: '' };

/** What was filled in first: the interface takes exactly one. */
function wantedOf({ license_key, buyer_email, order_id }: typeof nothing): OrderSearchRequest {
  if (license_key.trim()) return { license_key };
  return buyer_email.trim() ? { buyer_email } : { order_id: order_id.trim() };
}

function faultsOf(values: typeof nothing): Fault[] {
  const filled = Object.values(values).filter((text) => text.trim() !== '');
  return filled.length === 1 ? faultsIn(Schema, wantedOf(values)) : [{ field: '', text: say.oneTerm }];
}

interface Found {
  wanted: OrderSearchRequest;
  items: ItemOf<'listOrders'>[];
  next: string | undefined;
}

/** Finds sales by what buyers tell. Neither what is looked for nor what was found outlives the screen. */
export function OrderSearch({ nameOf }: { nameOf: (productId: string) => string }) {
  const edit = useEdit({ key: 'order-search', base: nothing, draft: false });
  const [found, setFound] = useState<Found>();
  const results = useRef<HTMLHeadingElement>(null);
  const { send, sending, failure } = useSend('searchOrders', { changes: false });

  async function find(wanted: OrderSearchRequest, before?: Found): Promise<boolean> {
    const body: OrderSearchRequest & { cursor?: string } = before?.next === undefined ? wanted : { cursor: before.next, ...wanted };
    const page = await send({ body });
    if (!page) return false;
    const items = [...(before?.items ?? []), ...page.items];
    setFound({ wanted, items, next: page.next_cursor });
    announce(items.length === 0 ? say.notFound : say.found(items.length));
    return true;
  }

  // What was found stands below the form, maybe out of sight.
  useEffect(() => results.current?.scrollIntoView({ block: 'nearest' }), [found]);

  return (
    <section class="card">
      <h2>{say.search}</h2>
      <p class="small">{say.searchLead}</p>
      <Form
        operation="searchOrders"
        edit={edit}
        submit={say.find}
        asks
        check={faultsOf}
        failure={failure}
        what={say.notSearched}
        onSend={async (values) => ((await find(wantedOf(values))) ? { values } : undefined)}
      >
        <div class="grid">
          <TextField name="license_key" label={say.licenseKey} type="search" optional />
          <TextField name="buyer_email" label={say.buyerEmail} type="email" optional />
          <TextField name="order_id" label={say.orderId} type="search" optional />
        </div>
      </Form>
      {found && (
        <div class="stack">
          <h3 ref={results}>{say.found(found.items.length)}</h3>
          {found.items.length === 0 ? <Empty text={say.notFound} /> : <OrderTable label={say.search} rows={found.items} nameOf={nameOf} />}
          <More
            of={{
              more: found.next === undefined ? undefined : () => void find(found.wanted, found),
              loadingMore: sending,
            }}
          />
          <p>
            <button
              type="button"
              class="button quiet"
              onClick={() => {
                edit.saved(edit.values, { values: nothing });
                setFound(undefined);
              }}
            >
              {say.clear}
            </button>
          </p>
        </div>
      )}
    </section>
  );
}
