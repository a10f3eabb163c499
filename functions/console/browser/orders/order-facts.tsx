import type { SoldOrder } from '../../../../build/client.ts';
import { useAnnouncements } from '../components/live.tsx';
import { State } from '../components/state.tsx';
import { When } from '../components/when.tsx';
import { SellerText } from '../text/seller-text.tsx';
import { formatPrice } from '../words/formats.ts';
import { wordOf } from '../words/words.ts';
import { texts } from './orders-texts.ts';

const home = ROLE === 'admin' ? '/console/admin' : '/console';

/** Where a role has its orders. */
export const ordersPath = `${home}/orders`;
export const orderPath = (id: string): string => `${ordersPath}/${encodeURIComponent(id)}`;

/** What was bought, how many and with which code, in a line. */
export const boughtText = ({ kind, quantity, discount_code: code }: Pick<SoldOrder, 'kind' | 'quantity' | 'discount_code'>): string =>
  [wordOf('order_kind', kind), quantity > 1 && `× ${quantity}`, code].filter(Boolean).join(' ');

/** A link to another order, with what that has to do with this one. */
const explained = (id: string, text: string) => (
  <>
    <a href={orderPath(id)}>
      <code>{id}</code>
    </a>
    <br />
    {text}
  </>
);

/** What every role is told of an order, with links to the orders it goes back to. */
export function orderFacts(order: Omit<SoldOrder, 'license' | 'email_request'>, productName: string) {
  const { product_id, currency, paid_at, parent_order_id: parent = order.upgraded_from?.order_id, invoice } = order;
  const { held_by: heldBy, duplicate_of: duplicateOf } = order;
  return [
    [
      texts.product,
      <a key="product" href={`${home}/products/${product_id}`}>
        <SellerText text={productName} />
      </a>,
    ],
    [texts.bought, boughtText(order)],
    [texts.unitPrice, order.quantity > 1 && formatPrice(order.unit_amount, currency)],
    [
      texts.parent,
      parent && (
        <a href={orderPath(parent)}>
          <code>{parent}</code>
        </a>
      ),
    ],
    [texts.duplicateOf, duplicateOf && explained(duplicateOf, texts.duplicateOfText)],
    [texts.heldBy, heldBy && explained(heldBy, texts.heldByText)],
    [texts.invoice, invoice && [invoice.registration_number, invoice.operator_registration_number].filter(Boolean).join(', ')],
    [texts.amount, formatPrice(order.amount, currency)],
    [texts.payment, <State key="payment" of="payment" value={order.payment_status} />],
    [texts.ordered, <When key="ordered" at={order.created_at} />],
    [texts.paid, paid_at && <When at={paid_at} />],
  ] as const;
}

/** Says what changed by itself of an order: its status, its license, its mail. */
export function useOrderNews(order: Pick<SoldOrder, 'status' | 'license_status' | 'completion_mail'> | undefined): void {
  const { license_status: license, completion_mail: mail } = order ?? {};
  useAnnouncements(
    order && {
      order: wordOf('order', order.status),
      license: license ? `${texts.license}: ${wordOf('license', license)}` : '',
      mail: mail ? `${texts.mail}: ${wordOf('mail', mail.state)}` : '',
    },
  );
}
