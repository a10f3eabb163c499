import type { ItemOf } from '../../api/reads.ts';
import { DataTable } from '../../components/data-table.tsx';
import { boughtText } from '../../components/order-facts.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { formatPrice } from '../../words/formats.ts';
import { shortId } from '../audit/targets.ts';
import { texts } from './orders-texts.ts';

export type Order = ItemOf<'listAllOrders'>;

export const orderHref = (id: string): string => `/console/admin/orders/${encodeURIComponent(id)}`;

/** Orders in a table; neither buyers nor keys. */
export function OrderTable({ label, rows }: { label: string; rows: readonly Order[] }) {
  return (
    <DataTable
      label={label}
      rows={rows}
      idOf={({ id }) => id}
      columns={[
        {
          name: texts.ordered,
          of: ({ id, created_at }) => (
            <a href={orderHref(id)}>
              <When at={created_at} />
            </a>
          ),
        },
        { name: texts.status, of: ({ status }) => <State of="order" value={status} /> },
        { name: texts.amount, number: true, of: ({ amount, currency }) => formatPrice(amount, currency) },
        {
          name: texts.license,
          of: ({ license_status, license_key_hint }) =>
            license_status && (
              <>
                <State of="license" value={license_status} /> <code>…{license_key_hint}</code>
              </>
            ),
        },
        { name: texts.seller, of: ({ seller_id }) => <IdLink href={`/console/admin/sellers/${seller_id}`} id={seller_id} /> },
        {
          name: texts.product,
          of: (order) => (
            <>
              <IdLink href={`/console/admin/products/${order.product_id}`} id={order.product_id} />
              <small class="second">{boughtText(order)}</small>
            </>
          ),
        },
      ]}
    />
  );
}

/** A link that is called by an id. */
export const IdLink = ({ href, id }: { href: string; id: string }) => (
  <a href={href} title={id}>
    <code>{shortId(id)}</code>
  </a>
);
