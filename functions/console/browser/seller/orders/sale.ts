import type { SoldOrder } from '../../../../../build/client.ts';

export type Sale = SoldOrder;
export type SoldLicense = NonNullable<Sale['license']>;

type Payable = Pick<Sale, 'status'>;

/** Whether the payment arrived, whatever happened since. */
export const isPaid = ({ status }: Payable): boolean => status !== 'pending' && status !== 'payment_failed' && status !== 'expired';

/** Whether something about it changes by itself soon: a payment, a license that is made, a mail on its way. */
export function isUnderWay(sale: Payable & Pick<Sale, 'license' | 'completion_mail'>): boolean {
  const isWaiting = sale.status === 'pending' || (sale.license === undefined && sale.status !== 'refunded' && isPaid(sale));
  return isWaiting || sale.completion_mail?.state === 'pending';
}
