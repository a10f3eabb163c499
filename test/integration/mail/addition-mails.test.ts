import { beforeEach, describe, expect, test } from '@jest/globals';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { newId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { getLicense, recordLicenseHold } from '../../../shared/licenses/license-repository.ts';
import { addMail, type NewMail } from '../../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createOrder, removeOrderExpiry, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';
import { sampleOrder, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const [owner, payer] = ['owner@example.com', 'payer@example.com'];

let office: AddressOffice;
/** Its mail was sent. */
let sale: Order;
beforeEach(async () => {
  office = await openAddressOffice();
  sale = (await office.show((await office.buy(owner, { locale: 'en' })).id)).order;
  await office.work();
});

/** A paid addition of seats to the sale, or whatever else, with its mail in the outbox. */
async function add(email: string | undefined, change: Partial<Order> = {}): Promise<Order> {
  const id = newId('order');
  const { sellerId, productId, licenseId } = sale;
  const paid = { status: 'paid', paymentStatus: 'succeeded', checkout: { paidAt: office.now().toISOString() }, ttl: undefined } as const;
  const order = sampleOrder({
    ...paid,
    id,
    sellerId,
    productId,
    kind: 'seats',
    quantity: 3,
    unitAmount: 400,
    locale: 'en',
    addedTo: { orderId: sale.id, licenseId: licenseId! },
    sealedBuyerEmail: email && sealText(email, id, office.encryptionKeys),
    ...change,
  });
  const emailHash = email && buyerEmailHashes(email, office.encryptionKeys)[0];
  await office.table.transact([...createOrder(order), ...(emailHash ? removeOrderExpiry(order, emailHash).slice(-1) : [])]);
  await post({ id: 'issuance', orderId: id });
  return order;
}

async function post(mail: NewMail): Promise<void> {
  const task = { kind: 'send-mail', orderId: mail.orderId, mailId: mail.id } as const;
  await office.table.transact([addMail(mail, office.now()), addJob(office, task)]);
}

/** What goes out of the outbox when this mail is due. */
async function send({ id, orderId }: Pick<NewMail, 'id' | 'orderId'>) {
  await office.mailer(toSqsEvent([`send-mail:${orderId}/${id}`]));
  return office.mailbox.splice(0);
}
const completionOf = ({ id }: Order) => send({ id: 'issuance', orderId: id });

describe('the mail of an addition', () => {
  test('leads its payer to the receipt of what was added', async () => {
    const addition = await add(payer);
    const mails = await completionOf(addition);
    expect(mails).toMatchObject([{ to: payer, subject: 'Your purchase: Sample App: 3 seats' }]);
    expect(mails[0]?.text).toContain('\nhttp://shop.test/receipt#token=');
    expect(mails[0]?.text).toContain('\nQuantity: 3\nPrice each: ¥400 (tax included)\nTotal: ¥1,200 (tax included)\n');
    expect(await office.linkIn(mails[0])).toMatchObject({ orderId: addition.id, use: 'mail' });
  });

  test('says that its license cannot be used now, whatever it is that holds it', async () => {
    const { table } = office;
    for (const hold of ['disputed', 'refunded', undefined] as const) {
      await table.write(recordLicenseHold(await getLicense(table, sale.licenseId!), hold));
      const [mail] = await completionOf(await add(payer, { kind: 'updates', quantity: 1 }));
      expect(mail?.text.includes('cannot be used now')).toBe(hold !== undefined);
      expect(mail?.subject).toBe('Your purchase: Sample App: 36500 days of updates');
    }
  });

  test('goes to nobody where the provider told no address', async () => {
    const addition = await add(undefined);
    expect(await completionOf(addition)).toEqual([]);
    expect(await office.mailsOf(addition)).toEqual(['completion no_recipient']);
  });

  test('goes to a corrected address too, and its link again at a desk', async () => {
    const addition = await add(payer);
    await completionOf(addition);
    expect(await office.correct(addition, 'right@example.com')).toMatchObject({ status: 202 });
    expect((await office.work()).map(({ to }) => to).toSorted()).toEqual([payer, 'right@example.com']);
    expect(await office.resendAsAdmin(addition)).toMatchObject({ status: 202, json: { last_mail: { state: 'sent' } } });
    expect(await office.work()).toMatchObject([{ to: 'right@example.com', subject: 'Your purchase: Sample App: 3 seats' }]);
  });

  test('tells its payer of money that went back without a word of a license of theirs', async () => {
    const addition = await add(payer, { status: 'refunded', paymentStatus: 'refunded' });
    for (const kind of ['payment_refunded', 'dispute_lost'] as const) {
      await post({ id: kind, orderId: addition.id, kind });
      const [mail] = await send({ id: kind, orderId: addition.id });
      expect(mail).toMatchObject({ to: payer, subject: expect.stringContaining('Sample App: 3 seats') });
      expect(mail?.text).toContain('no longer part of the license that it was added to');
      expect(mail?.text).not.toMatch(/has ended|key|downloaded/);
    }
  });

  test('is among fresh links an entry of its own, whose link opens the receipt', async () => {
    const addition = await add(owner, { createdAt: new Date(office.now().getTime() + 60_000).toISOString() });
    await office.resend(owner);
    const [mail] = await office.work();
    const [atReceipt, atSale] = mail?.text.split('\nSample App\n') ?? [];
    expect(atReceipt).toContain(addition.id);
    expect(atReceipt).toContain('\nhttp://shop.test/receipt#token=');
    expect(atSale).toContain('\nhttp://shop.test/complete#token=');
  });
});

test('the mail of an upgrade, and fresh links to it, wait while it is held through the order that it upgraded', async () => {
  const upgradedFrom = { orderId: sale.id, licenseId: sale.licenseId! };
  const upgrade = await add(payer, { kind: 'upgrade', quantity: 1, addedTo: undefined, upgradedFrom, inheritedHold: 'disputed' });
  expect(await completionOf(upgrade)).toEqual([]);
  expect(await office.mailsOf(upgrade)).toEqual(['completion withheld']);
  await office.resend(payer);
  expect(await office.work()).toEqual([]);
  expect(await office.correct(upgrade, 'right@example.com')).toMatchObject({ status: 403, json: { code: 'license_not_usable' } });
});

const addition = { kind: 'seats', quantity: 1, updatesDays: 0, activationLimit: 5 } as const;
test.each([
  ['addition_counts', { addition }, 'More for your license: Sample App', 'Seats in all: 5\n'],
  ['addition_ends', { addition }, 'Less for your license: Sample App', 'Seats in all: 5\n'],
  ['license_upgraded', { upgrade: { productName: 'Studio' } }, 'Your license was upgraded: Sample App', 'was upgraded to Studio.'],
] as const)('a notice of the kind %s goes to the buyer of the license, whatever became of the order', async (kind, more, subject, text) => {
  const id = newId('mail');
  await post({ id, orderId: sale.id, kind, ...more });
  await office.table.write(replaceOrder(sale, { ...sale, status: 'disputed' }));
  expect(await send({ id, orderId: sale.id })).toMatchObject([{ to: owner, subject, text: expect.stringContaining(text) }]);
});
