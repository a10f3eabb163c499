import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { compose as composeOrders } from '../../../functions/orders/compose.ts';
import { routes as ordersRoutes } from '../../../functions/orders/routes.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../../shared/mail/sending/send-failure.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { createMailer, createProjectionHarness, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';

const at = '2026-11-22T09:00:00.000Z';

/** A sale whose mail was sent, as its seller and an admin see it. */
async function openSale() {
  const { table } = await createTestTable();
  const harness = await createProjectionHarness({ table });
  const { settings, queue } = harness;
  const seller = sampleSeller({ ownerUserId: 'alice', internalReviewStatus: 'approved' });
  await table.transact(addSeller(seller));
  const common = { settings: { ...settings, ADMIN_ALLOWLIST: ['sub:root'] }, logger: silentLogger, table, sender: queue };
  const desks = {
    seller: { call: createCaller(composeOrders(common), ordersRoutes), path: '/v1/orders', user: 'alice' },
    admin: { call: createCaller(composeAdmin({ ...common, store: undefined }), adminRoutes), path: '/v1/admin/orders', user: 'root' },
  };
  let refusing = false;
  const sent: OutgoingMail[] = [];
  const send = async (mail: OutgoingMail) => {
    if (refusing) throw new UndeliverableMailError('recipient_unverified');
    sent.push(mail);
  };
  const mailer = createMailer(harness, { send });
  const order: Order = await harness.addOrder({ sellerId: seller.id });

  const ask = (desk: keyof typeof desks, method: string, action = '', body?: unknown) => {
    const { call, path, user } = desks[desk];
    return call(method, `${path}/${order.id}${action}`, { headers: { 'X-User-ID': user }, ...(body !== undefined && { body }) });
  };
  return {
    order,
    sent,
    ask,
    refuse: (value: boolean) => {
      refusing = value;
    },
    deliver: harness.deliver,
    pay: () => harness.deliver(sessionEvent(order, 'completed', { customer_details: { email: 'buyer@example.com' } })),
    work: () => mailer({ Records: queue.take().Records.filter(({ body }) => body.includes('send-')) }),
    sendIssuance: () => mailer(toSqsEvent([`send-mail:${order.id}/issuance`])),
    /** What both desks show of the mail, which is the same. */
    async shown() {
      const replies = [await ask('seller', 'GET'), await ask('admin', 'GET')];
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      for (const { text } of replies) expect(text).not.toContain('@example.com');
      const [forSeller, forAdmin] = replies.map(({ json }) => json.completion_mail);
      expect(forSeller).toEqual(forAdmin);
      return forAdmin;
    },
    report: async (bodyOf: Record<string, unknown>, mailId = 'issuance') => {
      const [record] = toSqsEvent(['']).Records;
      const body = JSON.stringify({ time: at, orderId: [order.id], mailId: [mailId], ...bodyOf });
      if (record) await mailer({ Records: [{ ...record, body }] });
    },
  };
}
type Sale = Awaited<ReturnType<typeof openSale>>;

const bounce = { type: 'Email Bounced', bounceType: 'Permanent', bounceSubType: 'General' };
const suppressed = { ...bounce, bounceSubType: 'OnAccountSuppressionList' };

describe('how the mail of a sale fared', () => {
  let sale: Sale;
  beforeEach(async () => {
    sale = await openSale();
  });

  test('is shown to seller and admin from when there is a mail', async () => {
    expect(await sale.shown()).toBeUndefined();
    await sale.pay();
    expect(await sale.shown()).toMatchObject({ mail_id: 'issuance', state: 'pending', address_suppressed: false });
    await sale.sendIssuance();
    expect(await sale.shown()).toMatchObject({ mail_id: 'issuance', state: 'sent', address_suppressed: false });
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
    await sale.pay();
    await sale.sendIssuance();
    await sale.report(told);
    expect(await sale.shown()).toEqual({ mail_id: 'issuance', at, ...expected });
  });

  test('is in the history of the sale, with what became of the payment', async () => {
    await sale.pay();
    await sale.sendIssuance();
    await sale.report({ ...bounce, bounceType: 'Transient' });
    await sale.report(bounce);
    for (const amount of [300, 300, 800]) await sale.deliver(refundEvent(sale.order, amount));
    await sale.deliver(disputeEvent(sale.order, 'created', 'needs_response'));
    await sale.deliver(disputeEvent(sale.order, 'closed', 'won'));
    await sale.deliver(refundEvent(sale.order, 1200));
    const { json, text } = await sale.ask('seller', 'GET', '/history');
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
    await sale.pay();
    sale.refuse(true);
    expect(await sale.sendIssuance()).toEqual({ batchItemFailures: [] });
    expect(await sale.shown()).toMatchObject({ state: 'undeliverable', address_suppressed: false });
    sale.refuse(false);
    await sale.sendIssuance();
    expect(sale.sent).toEqual([]);
    expect((await sale.ask('admin', 'POST', '/resend-link')).json).toMatchObject({ last_mail: { state: 'undeliverable' } });
    await sale.work();
    expect([sale.sent.length, (await sale.shown()).state]).toEqual([1, 'sent']);
  });

  test.each(['seller', 'admin'] as const)(
    'is told to the %s who resends the link to a suppressed address, and sent all the same',
    async (desk) => {
      await sale.pay();
      await sale.sendIssuance();
      await sale.report(bounce);
      const first = await sale.ask(desk, 'POST', '/resend-link');
      expect([first.status, first.json]).toEqual([
        202,
        { last_mail: { mail_id: 'issuance', state: 'bounced', bounce: 'permanent', address_suppressed: true, at } },
      ]);
      await sale.work();
      expect(sale.sent).toHaveLength(2);
      const { mail_id } = await sale.shown();
      await sale.report(suppressed, mail_id);
      expect(await sale.shown()).toMatchObject({ mail_id, state: 'suppressed', address_suppressed: true });
      expect((await sale.ask(desk, 'POST', '/resend-link')).json).toMatchObject({ last_mail: { mail_id, state: 'suppressed' } });
    },
  );

  test('goes to an address ten times an hour, whoever has it sent, and however many at once', async () => {
    await sale.pay();
    await sale.sendIssuance();
    const asked = Array.from({ length: 50 }, (_, index) => sale.ask(index % 2 ? 'seller' : 'admin', 'POST', '/resend-link'));
    const replies = await Promise.all(asked);
    const refused = replies.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(40);
    for (const { status, json, headers, text } of refused) {
      expect([status, json.code]).toEqual([429, 'rate_limited']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(3500);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600);
      expect(text).not.toContain('buyer@');
    }
  });

  test('begins anew with a corrected address, whatever comes later of the one before', async () => {
    await sale.pay();
    await sale.sendIssuance();
    await sale.report(bounce);
    const corrected = await sale.ask('admin', 'POST', '/buyer-email', { buyer_email: 'right@example.com' });
    expect(corrected.status).toBe(200);
    await sale.work();
    expect(await sale.shown()).toMatchObject({ state: 'sent', address_suppressed: false });
    await sale.report({ type: 'Email Complaint Received' });
    expect(await sale.shown()).toMatchObject({ state: 'sent', address_suppressed: false });
    expect((await sale.ask('seller', 'POST', '/resend-link')).json).toMatchObject({ last_mail: { address_suppressed: false } });
  });

  test('is named in the mail to the mail service by order and mail alone', async () => {
    await sale.pay();
    await sale.sendIssuance();
    expect(sale.sent.map(({ tags }) => tags)).toEqual([{ order_id: sale.order.id, mail_id: 'issuance' }]);
  });
});
