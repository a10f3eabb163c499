import { useState } from 'preact/hooks';
import type { OrderSearchRequest } from '../../../../../build/client.ts';
import type { ItemOf } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { More } from '../../components/data-table.tsx';
import { announce } from '../../components/live.tsx';
import { TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { OrderTable } from './order-table.tsx';
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
  items: ItemOf<'listOrders'>[];
  next: string | undefined;
}

/** Finds sales by what buyers tell. Neither what is looked for nor what was found outlives the screen. */
export function OrderSearch({ nameOf }: { nameOf: (productId: string) => string }) {
  const edit = useEdit({ key: 'order-search', base: nothing, draft: false });
  const [found, setFound] = useState<Found>();
  const { send, sending, failure } = useSend('searchOrders', { changes: false });

  async function find(wanted: OrderSearchRequest | undefined, before?: Found): Promise<boolean> {
    if (!wanted) return false;
    const body: OrderSearchRequest & { cursor?: string } = before?.next === undefined ? wanted : { cursor: before.next, ...wanted };
    const page = await send({ body });
    if (!page) return false;
    const items = [...(before?.items ?? []), ...page.items];
    setFound({ wanted, items, next: page.next_cursor });
    announce(texts.found(items.length));
    return true;
  }

  return (
    <section class="card">
      <h2>{texts.search}</h2>
      <p class="small">{texts.searchLead}</p>
      <Form
        operation="searchOrders"
        edit={edit}
        submit={texts.find}
        asks
        check={(values) => (wantedOf(values) ? [] : [{ field: '', text: texts.searchLead }])}
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
        <>
          <h3>{texts.found(found.items.length)}</h3>
          {found.items.length > 0 && <OrderTable label={texts.search} rows={found.items} nameOf={nameOf} />}
          <More of={{ more: found.next === undefined ? undefined : () => void find(found.wanted, found), loadingMore: sending }} />
        </>
      )}
    </section>
  );
}
