import { formatPrice } from '../words/formats.ts';
import { wordOf } from '../words/words.ts';
import { texts } from './parts-texts.ts';

/** What an order is for, as its list and its screen show it. */
interface Bought {
  kind: string;
  quantity: number;
  discount_code?: string;
}

/** What was bought, how many and with which code, in a line. */
export const boughtText = ({ kind, quantity, discount_code: code }: Bought): string =>
  [wordOf('order_kind', kind), quantity > 1 && `× ${quantity}`, code].filter(Boolean).join(' ');

interface Detail extends Bought {
  unit_amount: number;
  currency: string;
  parent_order_id?: string;
  upgraded_from?: { order_id: string };
  invoice?: { registration_number: string; operator_registration_number?: string };
}

/** The facts of what was bought, with links to the orders it goes back to. */
export function boughtFacts(order: Detail) {
  const { parent_order_id: parent = order.upgraded_from?.order_id, invoice } = order;
  return [
    [texts.bought, boughtText(order)],
    [texts.unitPrice, order.quantity > 1 && formatPrice(order.unit_amount, order.currency)],
    [
      texts.parent,
      parent && (
        <a href={`/console/${ROLE === 'admin' ? 'admin/' : ''}orders/${parent}`}>
          <code>{parent}</code>
        </a>
      ),
    ],
    [texts.invoice, invoice && [invoice.registration_number, invoice.operator_registration_number].filter(Boolean).join(', ')],
  ] as const;
}

/** What a list of orders may be narrowed to. */
export const orderKinds = ['license', 'seats', 'updates', 'upgrade'] as const;
