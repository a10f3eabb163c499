import { readContents } from '../../support/engines/table-contents.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { asAdmin, type Call, d, differ, queue } from './setting-effects.ts';

/** What the settings change with which an admin corrects a buyer's address and resends a link. */
export const addressEffects = {
  MAIL_QUEUE_URL: queue('send-mail', (call) => call('POST', `/v1/admin/orders/${d.own.order.id}/resend-link`, { headers: asAdmin })),
  ENCRYPTION_KEYS: () => {
    let last = 0;
    const see = async (call: Call) => {
      last += 1;
      const body = { buyer_email: `corrected-${last}@example.com` };
      await call('POST', `/v1/admin/orders/${d.other.order.id}/buyer-email`, { headers: asAdmin, body });
      const stored = (await readContents(d)).find(({ pk, sk }) => pk === `ORDER#${d.other.order.id}` && sk === 'ORDER');
      return String(stored?.['sealedBuyerEmail']).split('.')[0];
    };
    return differ('admin', see, [
      [{}, 'e1'],
      [{ ENCRYPTION_KEYS: keyringText('e2', 'e1') }, 'e2'],
    ]);
  },
};
