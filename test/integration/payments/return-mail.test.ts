import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Order } from '../../../shared/orders/order.ts';
import { readPayment, replacePayment } from '../../../shared/payments/payment-repository.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';

let office: AddressOffice;
beforeEach(async () => {
  office = await openAddressOffice();
});

const refund = (amount: number) => (order: Order) => refundEvent(order, amount);
const dispute = (order: Order) => disputeEvent(order, 'created', 'needs_response');
const closed = (status: 'won' | 'lost') => (order: Order) => disputeEvent(order, 'closed', status);
type EventOf = (order: Order) => ReturnType<typeof refundEvent>;

const [refunded, lost] = ['返金のお知らせ：Sample App', 'お支払いへの異議申し立ての結果：Sample App'];

describe('the buyer is told that the whole payment went back', () => {
  test.each<[string, EventOf[], string[]]>([
    ['a part is refunded', [refund(400)], []],
    ['all is refunded, and told twice', [refund(1200), refund(1200)], [refunded]],
    ['a part is refunded, then the rest', [refund(400), refund(1200)], [refunded]],
    ['it is disputed', [dispute], []],
    ['a dispute is won', [dispute, closed('won')], []],
    ['a dispute is lost', [dispute, closed('lost')], [lost]],
    ['a dispute is lost, and all refunded', [closed('lost'), refund(1200)], [lost]],
    ['all is refunded, and a dispute lost', [dispute, refund(1200), closed('lost')], [refunded]],
  ])('once an order: when %s', async (_, events, subjects) => {
    const order = await office.buy('buyer@example.com');
    await office.work();
    const mails = [];
    for (const eventOf of events) {
      await office.deliver(eventOf(order));
      mails.push(...(await office.work()));
    }
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual(subjects.map((subject) => ['buyer@example.com', subject]));
  });

  test('not again when the refund failed and a dispute is lost instead', async () => {
    const order = await office.buy('buyer@example.com');
    await office.deliver(refundEvent(order, 1200));
    expect((await office.work()).map(({ subject }) => subject)).toContain(refunded);
    const payment = await readPayment(office.table, (await office.show(order.id)).order.paymentIntentId ?? '');
    const failed = { ...payment, charge: { ...payment.charge, refundRetrieval: { at: '2099-01-01T00:00:00.000Z', amount: 0 } } };
    await office.table.transact([replacePayment(payment, failed)]);
    await office.deliver(sessionEvent(order, 'completed'));
    expect((await office.show(order.id)).order.status).toBe('paid');
    await office.deliver(disputeEvent(order, 'closed', 'lost'));
    expect((await office.work()).map(({ subject }) => subject)).not.toContain(lost);
  });

  test('also when the refund came before the payment, in the language of the order, with the amount', async () => {
    const order = await office.addOrder({ locale: 'en' });
    await office.deliver(refundEvent(order, 1200));
    expect(await office.work()).toEqual([]);
    await office.deliver(sessionEvent(order, 'completed'));
    const [mail, ...others] = await office.work();
    expect([mail?.subject, others]).toEqual(['Your purchase was refunded: Sample App', []]);
    expect(mail?.text).toContain('\nRefunded: ¥1,200\n');
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/token|SHOP7-|buyer@/i);
  });
});
