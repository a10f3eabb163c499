import type { ItemOf } from '../../api/reads.ts';
import { DataTable } from '../../components/data-table.tsx';
import { boughtText } from '../../components/order-facts.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { formatPrice } from '../../words/formats.ts';
import { texts } from './orders-texts.ts';

/** Sales in a table; `nameOf` calls their products. */
export function OrderTable({
  label,
  rows,
  nameOf,
}: {
  label: string;
  rows: readonly ItemOf<'listOrders'>[];
  nameOf: (productId: string) => string;
}) {
  return (
    <DataTable
      label={label}
      rows={rows}
      idOf={({ id }) => id}
      columns={[
        {
          name: texts.bought,
          of: ({ id, paid_at, created_at }) => (
            <a href={`/console/orders/${id}`}>
              <When at={paid_at ?? created_at} />
            </a>
          ),
        },
        {
          name: texts.product,
          of: (order) => (
            <>
              <SellerText text={nameOf(order.product_id)} />
              <small class="second">{boughtText(order)}</small>
            </>
          ),
        },
        { name: texts.amount, number: true, of: ({ amount, currency }) => formatPrice(amount, currency) },
        { name: texts.status, of: ({ status }) => <State of="order" value={status} /> },
        {
          name: texts.license,
          of: ({ license_status, license_key_hint }) =>
            license_status && (
              <>
                <State of="license" value={license_status} /> <code>…{license_key_hint}</code>
              </>
            ),
        },
      ]}
    />
  );
}
