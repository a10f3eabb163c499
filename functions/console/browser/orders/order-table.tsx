import type { ComponentChildren } from 'preact';
import type { OrderSummary } from '../../../../build/client.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { State } from '../components/state.tsx';
import { When } from '../components/when.tsx';
import { formatPrice } from '../words/formats.ts';
import { boughtText, orderPath } from './order-facts.tsx';
import { texts } from './orders-texts.ts';

/** Orders in a table, neither buyers nor keys; `productOf` calls their products, `columns` come after what every role sees. */
export const OrderTable = ({
  label,
  rows,
  productOf,
  columns = [],
}: {
  label: string;
  rows: readonly OrderSummary[];
  productOf: (productId: string) => ComponentChildren;
  columns?: readonly Column<OrderSummary>[];
}) => (
  <DataTable
    label={label}
    rows={rows}
    columns={[
      {
        name: texts.when,
        of: ({ id, paid_at, created_at }) => (
          <a href={orderPath(id)}>
            <When at={paid_at ?? created_at} />
          </a>
        ),
      },
      {
        name: texts.product,
        of: (order) => (
          <>
            {productOf(order.product_id)}
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
      ...columns,
    ]}
  />
);
