import { expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createMailer, createProjectionHarness, toSqsEvent } from '../../support/scenes/projection-harness.ts';

/** Projector and mail worker over one table; `mailbox` is what was sent. `onRead` runs after the mail worker read the order. */
async function openPostOffice() {
  const harness = await createProjectionHarness();
  const mailbox: string[] = [];
  const hooks = { onRead: async () => {} };
  const mailer = createMailer(harness, {
    table: {
      ...harness.table,
      async get(key) {
        const item = await harness.table.get(key);
        if (key.sk === 'ORDER') await hooks.onRead();
        return item;
      },
    },
    send: async ({ to }) => void mailbox.push(to),
  });
  /** Runs the order's mail job, if there is one. */
  const sendMails = (order: Order) => mailer(toSqsEvent([`send-mail:${order.id}/issuance`]));
  return { ...harness, mailbox, hooks, sendMails };
}

test('a mail that was withheld is sent once the hold is lifted, and once only', async () => {
  const office = await openPostOffice();
  const order = await office.addOrder();
  await office.deliver(disputeEvent(order, 'created', 'needs_response'));
  await office.deliver(sessionEvent(order, 'completed'));
  await office.sendMails(order);
  expect(office.mailbox).toEqual([]);
  expect((await office.show(order.id)).mail?.state).toBe('withheld');

  await office.deliver(disputeEvent(order, 'closed', 'won'));
  await office.sendMails(order);
  expect(office.mailbox).toEqual(['Buyer@Example.com']);

  await office.deliver(disputeEvent(order, 'created', 'needs_response', { id: 'du_second' }));
  await office.deliver(disputeEvent(order, 'closed', 'won', { id: 'du_second' }));
  await office.sendMails(order);
  expect(office.mailbox).toHaveLength(1);
  expect(await office.show(order.id)).toMatchObject({ order: { status: 'paid' }, mail: { state: 'sent' } });
  expect((await office.show(order.id)).license?.paymentHold).toBeUndefined();
});

test('a mail that is being withheld while the hold is lifted is sent', async () => {
  const office = await openPostOffice();
  const order = await office.addOrder();
  await office.deliver(disputeEvent(order, 'created', 'needs_response'));
  await office.deliver(sessionEvent(order, 'completed'));
  office.hooks.onRead = async () => {
    office.hooks.onRead = async () => {};
    await office.deliver(disputeEvent(order, 'closed', 'won'));
  };
  await office.sendMails(order);
  expect(office.mailbox).toHaveLength(1);
});

test('a mail that a full refund withheld stays withheld', async () => {
  const office = await openPostOffice();
  const order = await office.addOrder();
  await office.deliver(refundEvent(order, 1200));
  await office.deliver(sessionEvent(order, 'completed'));
  await office.sendMails(order);
  await office.deliver(disputeEvent(order, 'closed', 'won'));
  await office.sendMails(order);
  expect(office.mailbox).toEqual([]);
});

test.each([
  ['none', { customer_details: null }],
  ['an empty one', { customer_details: { email: '' } }],
  ['no address', { customer_details: { email: 'nobody' } }],
  ['a second line', { customer_details: { email: 'buyer@example.com\r\nBcc: other@example.com' } }],
  ['no text', { customer_details: { email: 5 }, customer_email: {} }],
])('a purchase whose buyer gave %s is fulfilled, and its mail has no recipient', async (_, buyer) => {
  const office = await openPostOffice();
  const order = await office.addOrder();
  await office.deliver(sessionEvent(order, 'completed', buyer));
  await office.sendMails(order);
  expect(office.mailbox).toEqual([]);
  expect(await office.show(order.id)).toMatchObject({ order: { status: 'paid' }, mail: { state: 'no_recipient' } });
});

test('each hold, and the end of each, is recorded with what was there before', async () => {
  const office = await openPostOffice();
  const order = await office.addOrder();
  await office.deliver(sessionEvent(order, 'completed'));
  await office.deliver(disputeEvent(order, 'created', 'needs_response'));
  await office.deliver(refundEvent(order, order.amount));
  const disputed = await office.show(order.id);
  await office.deliver(disputeEvent(order, 'closed', 'won'));
  const other = await office.addOrder();
  await office.deliver(sessionEvent(other, 'completed'));
  await office.deliver(disputeEvent(other, 'created', 'needs_response', { id: 'du_other' }));
  await office.deliver(disputeEvent(other, 'closed', 'won', { id: 'du_other' }));

  const holdsOf = async (targetId = '') => {
    const { items } = await listAudit(office.table, { targetId, limit: 20 });
    return items.filter(({ action }) => action !== 'license.issue').map(({ action, before, after }) => [action, before, after]);
  };
  expect(new Set(await holdsOf(disputed.license?.id))).toEqual(
    new Set([
      ['license.hold', { paymentHold: 'none' }, { paymentHold: 'disputed' }],
      ['license.hold', { paymentHold: 'disputed' }, { paymentHold: 'refunded' }],
    ]),
  );
  expect(new Set(await holdsOf((await office.show(other.id)).license?.id))).toEqual(
    new Set([
      ['license.hold', { paymentHold: 'none' }, { paymentHold: 'disputed' }],
      ['license.lift_hold', { paymentHold: 'disputed' }, { paymentHold: 'none' }],
    ]),
  );
});
