import { expect, test } from '@jest/globals';
import { eventually, offerProduct } from '../../support/scenes/stack-harness.ts';
import { admin, order, pay, seller, stack } from './desk.ts';

/** What is reported of mails to buyers, as both desks show it. */
export function describeMailReports(): void {
  /** Buys under the address; resolves to the order. */
  async function buy(email: string): Promise<string> {
    const { slug } = await offerProduct(stack, { name: `Mailed to ${email.split('@')[0]}` });
    const { orderId, session } = await order(slug);
    await pay(session, email);
    await stack.mailTo(email);
    return orderId;
  }

  /** What both desks show of the mail, once it is in this state. */
  const inState = (id: string, state: string) =>
    eventually(`the mail of ${id} is ${state}`, 60, async () => {
      const forSeller = (await seller('GET', `/v1/orders/${id}`)).completion_mail;
      const forAdmin = (await admin('GET', `/v1/admin/orders/${id}`)).completion_mail;
      // The report may come in between.
      if (forSeller?.state !== state || forAdmin?.state !== state) return undefined;
      expect(forAdmin).toEqual(forSeller);
      return forSeller;
    });

  test('a mail that bounces is shown on the order to seller and admin, who have the address corrected', async () => {
    const id = await buy('bounce@simulator.amazonses.com');
    expect(await inState(id, 'bounced')).toMatchObject({ mail_id: 'issuance', bounce: 'permanent', address_suppressed: true });
    expect(await seller('POST', `/v1/orders/${id}/resend-link`)).toMatchObject({
      last_mail: { state: 'bounced', address_suppressed: true },
    });
    await admin('POST', `/v1/admin/orders/${id}/buyer-email`, { buyer_email: 'right@example.com' });
    await stack.mailTo('right@example.com');
    expect(await inState(id, 'sent')).toMatchObject({ address_suppressed: false });
    expect(stack.output()).not.toContain('bounce@');
  });

  test('a mail that its buyer complains of is shown as such', async () => {
    expect(await inState(await buy('complaint@simulator.amazonses.com'), 'complained')).toMatchObject({ address_suppressed: true });
  });
}
