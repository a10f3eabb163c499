import { isLost, priceFacts, refundedAmount } from '../purchase/facts.ts';
import type { Purchase } from '../purchase/purchase.ts';

/** What holds for the receipt of a purchase, in the names that the page's `data-when` uses. */
export function receiptFactsOf({ order, product }: Purchase): string[] {
  const { invoice } = order;
  const refunded = refundedAmount(order);
  const lost = isLost(order);
  const isFree = order.amount === 0;
  return [
    'receipt',
    isFree ? 'free' : 'paid',
    isFree ? '' : isQualified(order) ? 'qualified' : 'plain',
    ...(invoice ? ['invoice', `rate-${invoice.tax_percent}`] : ['no-invoice']),
    invoice?.operator_name ? 'by-operator' : '',
    invoice?.refunds?.[0] ? 'given-back' : '',
    ...priceFacts(order),
    refunded > 0 ? 'refunded' : '',
    refunded === 0 || lost ? '' : refunded < order.amount ? 'refunded-in-part' : 'refunded-in-full',
    lost ? 'lost' : order.status === 'disputed' ? 'disputed' : '',
    product.tokushoho_address?.trim() ? 'address' : '',
  ];
}

/** Whether the receipt is a qualified invoice: what is not taxed has none, whoever sells it. */
export const isQualified = ({ invoice }: Purchase['order']) => invoice !== undefined && invoice.tax_percent > 0;
