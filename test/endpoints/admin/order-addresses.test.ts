import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';

const refusal = (status: number, code: string) => ({ status, json: { code } });
const done = (order: Order) => ({ status: 200, json: { order_id: order.id } });

let office: AddressOffice;
beforeAll(async () => {
  office = await openAddressOffice();
});
beforeEach(() => office.work());
const addresses = async () => (await office.work()).map(({ to }) => to).toSorted();
const dispute = (order: Order, change = {}) => office.deliver(disputeEvent(order, 'created', 'needs_response', change));
const winDispute = (order: Order, change = {}) => office.deliver(disputeEvent(order, 'closed', 'won', change));
const worksIn = async (mail: OutgoingMail | undefined) => {
  const { status, json } = await office.complete({ token: (await office.linkIn(mail))?.token });
  return json.code ?? status;
};

describe('an admin who corrects the address of an order', () => {
  test('is heard in every paid state and as often as it takes, and each address but the last gets a notice', async () => {
    const order = await office.buy();
    await office.work();
    const steps: (() => Promise<unknown>)[] = [
      async () => undefined,
      () => office.deliver(refundEvent(order, 400)),
      () => dispute(order),
      () => office.deliver(refundEvent(order, 1200)),
    ];
    const statuses: string[] = [];
    let last = 'typo@example.com';
    for (const [at, step] of steps.entries()) {
      await step();
      const { status } = (await office.show(order.id)).order;
      statuses.push(status);
      const next = `right-${at}@example.com`;
      const reply = await office.correctAsAdmin(order, next);
      expect([reply.status, reply.json, reply.headers['cache-control']]).toEqual([200, { order_id: order.id }, 'no-store']);
      const isHeld = status === 'disputed' || status === 'refunded';
      // The mail about the refund was not sent yet: it goes to the new address.
      const toNext = isHeld && status !== 'refunded' ? [] : [next];
      expect(await addresses()).toEqual([...toNext, last].toSorted());
      last = next;
    }
    expect(statuses).toEqual(['paid', 'partially_refunded', 'disputed', 'refunded']);
    expect(await office.actionsOn(order)).toEqual(Array(4).fill('root order.correct_buyer_email'));
  });

  test('ends the links of earlier mails, also when the first address comes back', async () => {
    const order = await office.buy('first@example.com');
    const mails = await office.work();
    for (const email of ['second@example.com', 'first@example.com']) {
      expect(await office.correctAsAdmin(order, email)).toMatchObject(done(order));
      mails.push(...(await office.work()).filter(({ to }) => to === email));
    }
    const works = [];
    for (const mail of mails) works.push(await worksIn(mail));
    expect(works).toEqual(['completion_token_invalid', 'completion_token_invalid', 200]);
  });

  test('of a disputed order has the mail wait, and sent to the new address alone once the dispute is won', async () => {
    for (const isSent of [true, false]) {
      const order = await office.buy();
      if (isSent) await office.work();
      await dispute(order);
      await office.correctAsAdmin(order, 'right@example.com');
      expect(await addresses()).toEqual(['typo@example.com']);
      await winDispute(order);
      expect(await addresses()).toEqual(['right@example.com']);
      await dispute(order, { id: `du_2_${order.id}` });
      await winDispute(order, { id: `du_2_${order.id}` });
      expect(await addresses()).toEqual([]);
    }
  });

  test('of an order whose first mail was withheld has one mail sent to the new address once the dispute is won', async () => {
    const order = await office.addOrder();
    await dispute(order);
    await office.deliver(sessionEvent(order, 'completed', { customer_details: { email: 'typo@example.com' } }));
    expect(await addresses()).toEqual([]);
    await office.correctAsAdmin(order, 'right@example.com');
    expect(await addresses()).toEqual(['typo@example.com']);
    await winDispute(order);
    expect(await addresses()).toEqual(['right@example.com']);
  });
});

describe('an admin who resends the link of an order', () => {
  test('has one mail with a link to this order alone sent to its own address', async () => {
    const order = await office.buy();
    const [issuance] = await office.work();
    await office.buy();
    await office.work();
    const reply = await office.resendAsAdmin(order);
    expect(reply).toMatchObject({ status: 202, json: { last_mail: { mail_id: 'issuance', address_suppressed: false } } });
    const mails = await office.work();
    expect(mails.map(({ to }) => to)).toEqual(['typo@example.com']);
    expect(mails[0]?.text.match(/#token=/g)).toHaveLength(1);
    expect(await office.linkIn(mails[0])).toMatchObject({ orderId: order.id, use: 'mail' });
    // The links of earlier mails stay as they are.
    for (const mail of [issuance, mails[0]]) expect(await worksIn(mail)).toBe(200);
    expect(await office.actionsOn(order)).toEqual(['root order.resend_link']);
  });

  test('while a mail is not sent yet has one sent, not two', async () => {
    const order = await office.buy();
    for (let times = 0; times < 3; times += 1) expect((await office.resendAsAdmin(order)).status).toBe(202);
    expect(await addresses()).toEqual(['typo@example.com']);
  });

  test('of a refunded or disputed order has it wait until the hold is lifted', async () => {
    const [refunded, disputed] = [await office.buy(), await office.buy('other@example.com')];
    await office.work();
    await office.deliver(refundEvent(refunded, 1200));
    await dispute(disputed);
    for (const order of [refunded, disputed]) expect((await office.resendAsAdmin(order)).status).toBe(202);
    expect(await addresses()).toEqual([]);
    await winDispute(disputed);
    expect(await addresses()).toEqual(['other@example.com']);
  });

  test('of an order that waits for a code leaves the mail that tells of the license to come, also through a dispute', async () => {
    const order = await office.buyWaiting();
    await office.resendAsAdmin(order);
    expect(await addresses()).toEqual(['typo@example.com']);
    await dispute(order);
    await office.serve(order.productId);
    expect(await addresses()).toEqual([]);
    await winDispute(order);
    expect(await addresses()).toEqual(['typo@example.com']);
  });

  test('of an order that waits for a code, and is corrected before the mail is sent, has the mail of the license sent alone', async () => {
    const order = await office.buyWaiting();
    await office.resendAsAdmin(order);
    await office.correctAsAdmin(order, 'right@example.com');
    expect(await addresses()).toEqual(['typo@example.com']);
    await office.serve(order.productId);
    expect(await addresses()).toEqual(['right@example.com']);
    expect(await office.mailsOf(order)).toEqual(['address_corrected sent', 'completion sent', 'completion superseded']);
  });
});

test('what an admin does with the address of an order is refused for one never paid or unknown, and with no address', async () => {
  const acts = [(order: Pick<Order, 'id'>) => office.correctAsAdmin(order, 'right@example.com'), office.resendAsAdmin];
  const [pending, expired, failed] = [await office.addOrder(), await office.addOrder(), await office.addOrder()];
  await office.deliver(sessionEvent(expired, 'expired'));
  await office.deliver(sessionEvent(failed, 'async_payment_failed'));
  for (const act of acts) {
    for (const order of [pending, expired, failed]) expect(await act(order)).toMatchObject(refusal(400, 'order_not_paid'));
    for (const id of [newId('order'), 'nothing' as Order['id']]) {
      expect(await act({ id })).toMatchObject(refusal(404, 'order_not_found'));
    }
  }
  const nobodys = await office.buy(null);
  expect(await office.resendAsAdmin(nobodys)).toMatchObject(refusal(400, 'invalid_request'));
  for (const email of ['', 'nobody', 5, undefined]) {
    expect(await office.correctAsAdmin(nobodys, email)).toMatchObject(refusal(400, 'invalid_request'));
  }
  expect(await office.actionsOn(nobodys)).toEqual([]);
});
