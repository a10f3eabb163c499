/** What is looked at of a sale. */
interface Progress {
  status: string;
  license?: object;
  completion_mail?: { state: string };
}

/** Whether the payment arrived, whatever happened since. */
export const isPaid = ({ status }: Pick<Progress, 'status'>): boolean => !['pending', 'payment_failed', 'expired'].includes(status);

/** Whether something about it changes by itself soon: a payment, a license that is made, a mail on its way. */
export function isUnderWay({ status, license, completion_mail }: Progress): boolean {
  const awaitsLicense = license === undefined && isPaid({ status }) && status !== 'refunded';
  return status === 'pending' || awaitsLicense || completion_mail?.state === 'pending';
}
