import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UndeliverableMailError } from '../../../shared/mail/sending/send-failure.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

const at = '2026-11-22T09:00:00.000Z';
const bounce = { type: 'Email Bounced', bounceType: 'Permanent', bounceSubType: 'General' };
const suppressed = { ...bounce, bounceSubType: 'OnAccountSuppressionList' };

let office: AddressOffice;
let order: Order;
let userId: string;
/** Whether the mail service refuses the address. */
let isRefusing = false;
beforeAll(async () => {
  office = await openAddressOffice({
    faults: {
      async call(name, make) {
        if (isRefusing && name === 'SendEmail') throw new UndeliverableMailError('recipient_unverified');
        return make();
      },
    },
  });
});
beforeEach(async () => {
  const seller = sampleSeller({ internalReviewStatus: 'approved' });
  userId = seller.ownerUserId;
  await office.table.transact(addSeller(seller));
  order = await office.addOrder({ sellerId: seller.id, createdAt: office.now().toISOString() });
  office.mailbox.length = 0;
});

const ask = (desk: 'seller' | 'admin', method: string, action = '', body?: unknown) =>
  desk === 'seller'
    ? office.asSeller(userId, method, `/${order.id}${action}`, body)
    : office.asAdmin(method, `/orders/${order.id}${action}`, body);
const resend = (desk: 'seller' | 'admin') => ask(desk, 'POST', '/resend-link');
/** A second after what was before it. */
function sendIssuance() {
  office.passTime(1000);
  return office.mailer(toSqsEvent([`send-mail:${order.id}/issuance`]));
}
/** Pays under an address of its own; the mail is not sent yet. */
async function pay(): Promise<void> {
  office.passTime(2000);
  const created = Math.floor(office.now().getTime() / 1000);
  await office.deliver(sessionEvent(order, 'completed', { customer_details: { email: `${order.id}@example.com` } }, { created }));
  office.queue.take();
}
async function sell(): Promise<void> {
  await pay();
  await sendIssuance();
}
async function report(told: Record<string, unknown>, mailId = 'issuance'): Promise<void> {
  office.passTime(1000);
  const [record] = toSqsEvent(['']).Records;
  await office.mailer({ Records: [{ ...record!, body: JSON.stringify({ time: at, orderId: [order.id], mailId: [mailId], ...told }) }] });
}
/** What both desks show of the mail, which is the same. */
async function shown() {
  const [forSeller, forAdmin] = [await ask('seller', 'GET'), await ask('admin', 'GET')];
  expect([forSeller.status, forAdmin.status, forSeller.text.includes('@example.com')]).toEqual([200, 200, false]);
  expect(forSeller.json.completion_mail).toEqual(forAdmin.json.completion_mail);
  return forAdmin.json.completion_mail;
}

describe('how the mail of a sale fared', () => {
  test('is shown to seller and admin from when there is a mail, which names order and mail alone to the mail service', async () => {
    expect(await shown()).toBeUndefined();
    await pay();
    expect(await shown()).toMatchObject({ mail_id: 'issuance', state: 'pending', address_suppressed: false });
    await sendIssuance();
    expect(await shown()).toMatchObject({ mail_id: 'issuance', state: 'sent', address_suppressed: false });
    expect(office.mailbox.map(({ tags }) => tags)).toEqual([{ order_id: order.id, mail_id: 'issuance' }]);
  });

  test.each([
    [bounce, { state: 'bounced', bounce: 'permanent', address_suppressed: true }],
    [
      { ...bounce, bounceType: 'Transient' },
      { state: 'bounced', bounce: 'transient', address_suppressed: false },
    ],
    [suppressed, { state: 'suppressed', address_suppressed: true }],
    [{ type: 'Email Complaint Received' }, { state: 'complained', address_suppressed: true }],
    [{ type: 'Email Delivery Delayed' }, { state: 'delayed', address_suppressed: false }],
    [{ type: 'Email Rejected' }, { state: 'rejected', address_suppressed: false }],
  ])('is shown as the mail service told it: %j', async (told, expected) => {
    await sell();
    await report(told);
    expect(await shown()).toEqual({ mail_id: 'issuance', at, ...expected });
  });

  test('is in the history of the sale, with what became of the payment', async () => {
    await sell();
    await report({ ...bounce, bounceType: 'Transient' });
    await report(bounce);
    for (const event of [
      ...[300, 300, 800].map((amount) => refundEvent(order, amount)),
      disputeEvent(order, 'created', 'needs_response'),
      disputeEvent(order, 'closed', 'won'),
      refundEvent(order, 1200),
    ]) {
      office.passTime(1000);
      await office.deliver(event);
    }
    const { json, text } = await ask('seller', 'GET', '/history');
    expect(json.items.map(({ at: _, ...told }: any) => Object.values(told).join(' '))).toEqual([
      'order.created buyer',
      'payment.succeeded provider 1200',
      'license.issued service',
      'mail.sent service',
      'mail.bounced service transient',
      'mail.bounced service permanent',
      'payment.refunded provider 0 300',
      'payment.refunded provider 300 800',
      'order.update_status provider partially_refunded disputed',
      'license.hold provider none disputed',
      'order.update_status provider disputed partially_refunded',
      'license.lift_hold provider disputed none',
      'payment.refunded provider 800 1200',
      'license.hold provider none refunded',
    ]);
    expect(text).not.toMatch(/@|issuance/);
  });

  test('is undeliverable, once and for all, when the mail service does not take the address', async () => {
    await pay();
    isRefusing = true;
    expect(await sendIssuance()).toEqual({ batchItemFailures: [] });
    isRefusing = false;
    expect(await shown()).toMatchObject({ state: 'undeliverable', address_suppressed: false });
    await sendIssuance();
    expect(office.mailbox).toEqual([]);
    expect((await resend('admin')).json).toMatchObject({ last_mail: { state: 'undeliverable' } });
    expect([(await office.work()).length, (await shown()).state]).toEqual([1, 'sent']);
  });

  test.each(['seller', 'admin'] as const)(
    'is told to the %s who resends the link to a suppressed address, and sent all the same',
    async (desk) => {
      await sell();
      await report(bounce);
      office.mailbox.length = 0;
      const last_mail = { mail_id: 'issuance', state: 'bounced', bounce: 'permanent', address_suppressed: true, at };
      const { status, json } = await resend(desk);
      expect([status, json]).toEqual([202, { last_mail }]);
      expect(await office.work()).toHaveLength(1);
      const { mail_id } = await shown();
      await report(suppressed, mail_id);
      expect(await shown()).toMatchObject({ mail_id, state: 'suppressed', address_suppressed: true });
      expect((await resend(desk)).json).toMatchObject({ last_mail: { mail_id, state: 'suppressed' } });
    },
  );

  test('goes to an address ten times an hour, whoever has it sent, and however many at once', async () => {
    await sell();
    const replies = await Promise.all(Array.from({ length: 16 }, (_, index) => resend(index % 2 ? 'seller' : 'admin')));
    const refused = replies.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(6);
    for (const { status, json, headers, text } of refused) {
      expect([status, json.code, headers['retry-after'], text.includes('@')]).toEqual([429, 'rate_limited', '3600', false]);
    }
  });

  test('begins anew with a corrected address, whatever comes later of the one before', async () => {
    await sell();
    await report(bounce);
    expect((await ask('admin', 'POST', '/buyer-email', { buyer_email: 'right@example.com' })).status).toBe(200);
    await office.work();
    expect(await shown()).toMatchObject({ state: 'sent', address_suppressed: false });
    await report({ type: 'Email Complaint Received' });
    expect(await shown()).toMatchObject({ state: 'sent', address_suppressed: false });
    expect((await resend('seller')).json).toMatchObject({ last_mail: { address_suppressed: false } });
  });
});
