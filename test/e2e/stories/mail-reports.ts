import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, offerProduct, type StackHarness } from '../../support/scenes/stack-harness.ts';
import type { Shop } from './shop.ts';

let harness: StackHarness;
let slug: string;

const desks = [
  ['seller', '/v1/orders'],
  ['admin', '/v1/admin/orders'],
] as const;
const seenBy = (id: string) => Promise.all(desks.map(([as, path]) => harness.call('GET', `${path}/${id}`, { as })));

async function buy(email: string): Promise<string> {
  const { order_id, checkout_url } = await harness.call('POST', `/v1/public/products/${slug}/checkout`);
  await harness.provider(`/test/checkout/${new URL(checkout_url).pathname.split('/').at(-1)}/pay`, { email });
  await harness.mailTo(email);
  return order_id;
}

/** What both desks show of the mail, once it is in this state. */
const inState = (id: string, state: string) =>
  eventually(`the mail of ${id} is ${state}`, 30, async () => {
    const [forSeller, forAdmin] = (await seenBy(id)).map(({ completion_mail }) => completion_mail);
    // They are asked side by side, and the report may come in between.
    if (forSeller?.state !== state || forAdmin?.state !== state) return undefined;
    expect(forAdmin).toEqual(forSeller);
    return forSeller;
  });

export function describeMailReports(shop: () => Shop): void {
  describe('a mail to a buyer', () => {
    beforeAll(async () => {
      ({ harness } = shop());
      ({ slug } = await offerProduct(harness, { name: 'Mailed' }));
    });

    test('that bounces is shown on the order to seller and admin, who have the address corrected', async () => {
      const id = await buy('bounce@simulator.amazonses.com');
      expect(await inState(id, 'bounced')).toMatchObject({ mail_id: 'issuance', bounce: 'permanent', address_suppressed: true });
      expect(await harness.call('POST', `/v1/orders/${id}/resend-link`, { as: 'seller' })).toMatchObject({
        last_mail: { state: 'bounced', address_suppressed: true },
      });
      await harness.call('POST', `/v1/admin/orders/${id}/buyer-email`, { as: 'admin', body: { buyer_email: 'right@example.com' } });
      await harness.mailTo('right@example.com');
      expect(await inState(id, 'sent')).toMatchObject({ address_suppressed: false });
      expect(harness.output()).not.toContain('bounce@');
    });

    test('that its buyer complains of is shown as such', async () => {
      expect(await inState(await buy('complaint@simulator.amazonses.com'), 'complained')).toMatchObject({ address_suppressed: true });
    });
  });
}
