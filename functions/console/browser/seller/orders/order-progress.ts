/** What is looked at of a sale. */
interface Progress {
  status: string;
  license?: object;
  /** Of an order that adds to a license, and has none of its own. */
  parent_order_id?: string;
  completion_mail?: { state: string };
}

/** Whether the payment arrived, whatever happened since. */
export const isPaid = ({ status }: Pick<Progress, 'status'>): boolean => !['pending', 'payment_failed', 'expired'].includes(status);

/** Whether something about it changes by itself soon: a payment, a license that is made, a mail on its way. */
export function isUnderWay({ status, license, parent_order_id, completion_mail }: Progress): boolean {
  const awaitsLicense = license === undefined && parent_order_id === undefined && isPaid({ status }) && status !== 'refunded';
  return status === 'pending' || awaitsLicense || completion_mail?.state === 'pending';
}
