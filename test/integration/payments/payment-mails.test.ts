import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { addMail, findMail, type NewMail } from '../../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { readPayment, replacePayment } from '../../../shared/payments/payment-repository.ts';
import { disputed, type EventOf, lost, paid, refundEvent, refunded, sessionEvent, won } from '../../support/samples/provider-events.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';
import { createMailer, toSqsEvent } from '../../support/scenes/projection-harness.ts';

let office: AddressOffice;
beforeAll(async () => {
  office = await openAddressOffice();
});

/** What is mailed after each event; a job for the first mail is there each time. */
async function mailedAfter(order: Order, ...events: EventOf[]): Promise<string[]> {
  const subjects: string[] = [];
  for (const eventOf of events) {
    await office.deliver(eventOf(order));
    await office.mailer(toSqsEvent([`send-mail:${order.id}/issuance`]));
    subjects.push(...(await office.work()).map(({ subject }) => subject));
  }
  return subjects;
}
const stateOf = async (order: Order) => (await office.show(order.id)).mail?.state;

const [purchase, returned, disputeLost] = [
  'ご購入ありがとうございます：Sample App',
  '返金のお知らせ：Sample App',
  'お支払いへの異議申し立ての結果：Sample App',
];

describe('the buyer is mailed', () => {
  test.each<[string, EventOf[], string[]]>([
    ['a part is refunded', [paid, refunded(400)], [purchase]],
    ['all is refunded, and told twice', [paid, refunded(1200), refunded(1200)], [purchase, returned]],
    ['a part is refunded, then the rest', [paid, refunded(400), refunded(1200)], [purchase, returned]],
    ['a dispute is won', [paid, disputed, won], [purchase]],
    ['a dispute is lost, and all refunded', [paid, lost, refunded(1200)], [purchase, disputeLost]],
    ['all is refunded, and a dispute lost', [paid, disputed, refunded(1200), lost], [purchase, returned]],
    ['it is disputed before it is paid', [disputed, paid], []],
    ['that dispute is won', [disputed, paid, won, disputed, won], [purchase]],
    ['it is refunded before it is paid, and a dispute won', [refunded(1200), paid, won], [returned]],
  ])('once of each purchase, and once that the whole payment went back: when %s', async (_, events, subjects) => {
    const order = await office.addOrder();
    expect(await mailedAfter(order, ...events)).toEqual(subjects);
    expect(await stateOf(order)).toBe(subjects.includes(purchase) ? 'sent' : 'withheld');
  });

  test('not again when the refund failed and a dispute is lost instead', async () => {
    const order = await office.addOrder();
    expect(await mailedAfter(order, paid, refunded(1200))).toContain(returned);
    const payment = await readPayment(office.table, (await office.show(order.id)).order.paymentIntentId ?? '');
    const failed = { ...payment, charge: { ...payment.charge, refundRetrieval: { at: '2099-01-01T00:00:00.000Z', amount: 0 } } };
    await office.table.transact([replacePayment(payment, failed)]);
    expect(await mailedAfter(order, paid)).toEqual([]);
    expect((await office.show(order.id)).order.status).toBe('paid');
    expect(await mailedAfter(order, lost)).toEqual([]);
  });

  test('of a refund in the language of the order, with the amount, and neither key nor token nor address', async () => {
    const order = await office.buy('buyer@example.com', { locale: 'en' });
    await office.work();
    await office.deliver(refundEvent(order, 1200));
    const [mail, ...others] = await office.work();
    expect([mail?.subject, others]).toEqual(['Your purchase was refunded: Sample App', []]);
    expect(mail?.text).toContain('\nRefunded: ¥1,200\n');
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/token|SHOP7-|buyer@/i);
  });

  test('of the purchase, if the hold is lifted while the mail is being withheld', async () => {
    const order = await office.addOrder();
    for (const eventOf of [disputed, paid]) await office.deliver(eventOf(order));
    let isLifted = false;
    const mailbox: string[] = [];
    const table: typeof office.table = {
      ...office.table,
      async get(key) {
        const item = await office.table.get(key);
        if (key.sk === 'ORDER' && !isLifted) {
          isLifted = true;
          await office.deliver(won(order));
        }
        return item;
      },
    };
    await createMailer(office, { table, send: async ({ to }) => void mailbox.push(to) })(toSqsEvent([`send-mail:${order.id}/issuance`]));
    expect(mailbox).toEqual(['Buyer@Example.com']);
  });

  test.each([
    ['none', { customer_details: null }],
    ['an empty one', { customer_details: { email: '' } }],
    ['a whole page', { customer_details: { email: `${'a'.repeat(600)}@example.com` } }],
    ['no text', { customer_details: { email: 5 }, customer_email: {} }],
  ])('not, and gets the license all the same, who gave %s', async (_, buyer) => {
    const order = await office.addOrder();
    expect(await mailedAfter(order, () => sessionEvent(order, 'completed', buyer))).toEqual([]);
    expect(await office.show(order.id)).toMatchObject({ order: { status: 'paid' }, license: {}, mail: { state: 'no_recipient' } });
  });

  test.each([
    ['no address', 'nobody'],
    ['a second line', 'buyer@example.com\r\nBcc: other@example.com'],
    ['a local part of another script', '太郎@例え.jp'],
    ['a long local part', `${'a'.repeat(65)}@example.com`],
    ['the most characters that are kept', `${'a'.repeat(500)}@example.com`],
  ])('not, which its seller and its payer are told, who gave %s; corrected, gets it', async (_, email) => {
    const order = await office.addOrder();
    expect(await mailedAfter(order, () => sessionEvent(order, 'completed', { customer_details: { email } }))).toEqual([]);
    expect(await office.show(order.id)).toMatchObject({ order: { status: 'paid' }, license: {}, mail: { state: 'undeliverable' } });
    const page = async (use: 'redirect' | 'mail') => (await office.complete({ token: await office.token(order, use) })).json;
    expect(await page('redirect')).toMatchObject({ buyer_email: email, buyer_email_unreachable: true });
    expect(Object.keys(await page('mail')).filter((name) => name.startsWith('buyer_email'))).toEqual([]);
    expect((await office.correct(order, 'a.@ezweb.ne.jp')).status).toBe(202);
    expect((await office.work()).map(({ to }) => to)).toEqual(['"a."@ezweb.ne.jp']);
    expect('buyer_email_unreachable' in (await page('redirect'))).toBe(false);
  });
});

test('each hold, and the end of each, is recorded with what was there before', async () => {
  const holdsAfter = async (...events: EventOf[]) => {
    const order = await office.addOrder();
    for (const eventOf of events) await office.deliver(eventOf(order));
    const { items } = await listAudit(office.table, { targetId: (await office.show(order.id)).license?.id ?? '', limit: 20 });
    const moves = items.map(({ action, before, after }) => `${action} ${before?.['paymentHold']} ${after?.['paymentHold']}`);
    return new Set(moves.filter((move) => !move.startsWith('license.issue')));
  };
  expect(await holdsAfter(paid, disputed, refunded(1200), won)).toEqual(
    new Set(['license.hold none disputed', 'license.hold disputed refunded']),
  );
  expect(await holdsAfter(paid, disputed, won)).toEqual(new Set(['license.hold none disputed', 'license.lift_hold disputed none']));
});

describe('a notice in the outbox', () => {
  /** Puts a notice into the outbox, and has it sent. */
  async function notify({ id: orderId }: Order, notice: Omit<NewMail, 'id' | 'orderId'>) {
    const mail = { id: `mai_${notice.kind}`, orderId, ...notice };
    const madeAt = new Date('2026-01-14T20:30:00.000Z');
    await office.table.transact([addMail(mail, madeAt), addJob(office, { kind: 'send-mail', orderId, mailId: mail.id })]);
    await office.mailer(toSqsEvent([`send-mail:${orderId}/${mail.id}`]));
    const { state } = (await findMail(office.table, orderId, mail.id)) ?? {};
    return { state, mails: office.mailbox.splice(0) };
  }

  test.each<[string, EventOf[]]>([
    ['paid', []],
    ['partially_refunded', [refunded(400)]],
    ['disputed', [disputed]],
    ['refunded', [refunded(1200)]],
  ])('is sent to the address of the order, in its language, while that is %s', async (status, events) => {
    const order = await office.buy('buyer@example.com', { locale: status === 'paid' ? 'ja' : 'en' });
    for (const eventOf of events) await office.deliver(eventOf(order));
    expect((await office.show(order.id)).order.status).toBe(status);
    const { state, mails } = await notify(order, { kind: 'device_released', deviceLabel: 'Studio PC' });
    const subject = status === 'paid' ? '端末の登録を解除しました：Sample App' : 'A device was released: Sample App';
    expect({ state, mails }).toMatchObject({ state: 'sent', mails: [{ to: 'buyer@example.com', subject }] });
    expect(mails[0]?.text).toMatch(/: Studio PC\n(Time: January 14, 2026 at 8:30.PM UTC|日時: 2026年1月15日 5:30 JST)\n/);
    expect(mails[0]?.text).toContain('\nhttp://shop.test/manage\n');
    expect(`${mails[0]?.subject} ${mails[0]?.text} ${mails[0]?.html}`).not.toMatch(/token|SHOP7-|buyer@/i);
  });

  test('goes to the address that it names, if it names one, and without any has no recipient', async () => {
    const order = await office.buy('buyer@example.com');
    const sealedTo = sealText('former@example.com', order.id, office.encryptionKeys);
    expect((await notify(order, { kind: 'address_corrected', sealedTo })).mails).toMatchObject([{ to: 'former@example.com' }]);
    expect(await notify(await office.buy(null), { kind: 'key_replaced' })).toEqual({ state: 'no_recipient', mails: [] });
  });

  test('goes to the corrected address, and keeps no completion mail from going out', async () => {
    office.queue.take();
    const order = await office.buy('typo@example.com');
    await office.correct(order, 'right@example.com');
    expect((await notify(order, { kind: 'device_released' })).mails.map(({ to }) => to)).toEqual(['right@example.com']);
    expect((await office.work()).map(({ to }) => to).toSorted()).toEqual(['right@example.com', 'typo@example.com']);
  });
});
