import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { addMail } from '../../../shared/mail/outbox/mail-repository.ts';
import { disputeEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

let office: AddressOffice;
beforeEach(async () => {
  office = await openAddressOffice();
});

const messages = () => office.logged.map((line) => JSON.parse(line).message);
/** What was told of mails, without what each job tells. */
const told = () =>
  office.logged
    .map((line) => JSON.parse(line))
    .filter(({ message, jobKind }) => message === 'job_ended' && /^send-(mail|links)$/.test(jobKind))
    .map(({ outcome, mailKind, mailId, orderId, orderIds }) => ({ outcome, mailKind, mailId, orderId, orderIds }));

/** A paid order whose mail is withheld. */
async function buyDisputed() {
  const order = await office.addOrder();
  await office.deliver(disputeEvent(order, 'created', 'needs_response'));
  await office.deliver(sessionEvent(order, 'completed'));
  return order;
}
async function buyUndeliverably() {
  office.service.refuses = true;
  return office.buy();
}

describe('a mail of the outbox', () => {
  const issuance = { mailKind: 'completion', mailId: 'issuance' };

  test.each([
    ['sent', () => office.buy()],
    ['withheld', buyDisputed],
    ['no_recipient', () => office.buy(null)],
    ['undeliverable', buyUndeliverably],
  ])('is told of once it is decided, and when a job comes again for it: %s', async (outcome, pay) => {
    const order = await pay();
    await office.work();
    expect(told()).toEqual([{ outcome, ...issuance, orderId: order.id }]);
    await office.table.write(addJob(office, { kind: 'send-mail', orderId: order.id, mailId: 'issuance' }));
    await office.mailer(toSqsEvent([`send-mail:${order.id}/issuance`]));
    expect(messages().includes('mail_undeliverable')).toBe(outcome === 'undeliverable');
    expect(told().at(-1)).toEqual({ outcome: `${outcome}_before`, ...issuance, orderId: order.id });
  });

  test('is told of when another took its place', async () => {
    const order = await office.buy();
    const later = { id: newId('mail'), orderId: order.id };
    const task = { kind: 'send-mail', orderId: order.id, mailId: later.id } as const;
    office.queue.take();
    await office.table.transact([addMail(later, new Date()), addJob(office, task)]);
    await office.mailer(toSqsEvent([`send-mail:${order.id}/${later.id}`]));
    expect(told()).toEqual([{ outcome: 'superseded', mailKind: 'completion', mailId: later.id, orderId: order.id }]);
  });
});

describe('a request for fresh links', () => {
  const links = { mailKind: 'links', mailId: expect.stringMatching(/^mai_/) };

  test('is told of when nothing was bought, when the mail was sent or refused, and when there were too many', async () => {
    const order = await office.buy('buyer@example.com');
    await office.work();
    office.logged.length = 0;
    for (const email of ['nobody@example.com', ...Array(4).fill('buyer@example.com')]) {
      await office.resend(email);
      await office.work();
      office.service.refuses = told().length === 2;
    }
    expect(told()).toEqual([
      { outcome: 'nothing_bought', ...links },
      { outcome: 'sent', ...links, orderIds: [order.id] },
      { outcome: 'undeliverable', ...links, orderIds: [order.id] },
      { outcome: 'sent', ...links, orderIds: [order.id] },
      { outcome: 'too_many_this_hour', ...links },
    ]);
  });

  test('is told of when it is kept no more', async () => {
    const mailId = newId('mail');
    await office.table.write(addJob(office, { kind: 'send-links', mailId }));
    await office.mailer(toSqsEvent([`send-links:${mailId}`]));
    expect(told()).toEqual([{ outcome: 'request_gone', mailKind: 'links', mailId }]);
  });

  test('has the id of its request in every line', async () => {
    await office.buy('buyer@example.com');
    await office.work();
    office.logged.length = 0;
    const reply = await office.resend('buyer@example.com');
    await office.work();
    expect(office.logged.map((line) => JSON.parse(line).requestId)).toEqual([reply.headers['x-request-id']]);
  });
});

test('one id leads from the event of a payment to the mail, and the order’s to both', async () => {
  const order = await office.buy();
  await office.work();
  const lines = office.logged.map((line) => JSON.parse(line));
  const { requestId } = lines.find(({ message, orderId }) => message === 'order_updated' && orderId === order.id);
  expect(requestId).toEqual(expect.any(String));
  expect(lines.filter((line) => line.requestId === requestId).map(({ message, jobKind }) => [message, jobKind])).toEqual([
    ['order_updated', undefined],
    ['job_ended', 'project-event'],
    ['job_ended', 'send-mail'],
  ]);
  expect(office.logged.join()).not.toMatch(/@|buyer/i);
});
