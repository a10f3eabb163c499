import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composePurchases } from '../../../functions/purchases/compose.ts';
import { routes as purchaseRoutes } from '../../../functions/purchases/routes.ts';
import { newId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { addMail } from '../../../shared/mail/outbox/mail-repository.ts';
import { UndeliverableMailError } from '../../../shared/mail/sending/send-failure.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { disputeEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createMailer, createProjectionHarness, toSqsEvent } from '../../support/scenes/projection-harness.ts';

/** Projector, the endpoint that resends links, and mail worker over one table, with all that they log. */
async function openPostOffice() {
  const lines: string[] = [];
  const logger = createLogger({}, (line) => lines.push(line));
  const harness = await createProjectionHarness({ logger });
  const { table, settings, queue: sender } = harness;
  const service = { refuses: false };
  const mailer = createMailer(harness, {
    logger,
    async send() {
      if (service.refuses) throw new UndeliverableMailError('recipient_unverified');
    },
  });
  const post = createCaller(composePurchases({ settings, logger, table, store: undefined, sender }), purchaseRoutes);
  return {
    ...harness,
    lines,
    service,
    mailer,
    work: () => mailer(harness.queue.take()),
    resend: (buyer_email: string) => post('POST', '/v1/purchases/resend-link', { body: { buyer_email } }),
    /** What was told of mails, without what each job tells. */
    told: () =>
      lines
        .map((line) => JSON.parse(line))
        .filter(({ message, jobKind }) => message === 'job_ended' && /^send-(mail|links)$/.test(jobKind))
        .map(({ outcome, mailKind, mailId, orderId, orderIds }) => ({ outcome, mailKind, mailId, orderId, orderIds })),
  };
}

let office: Awaited<ReturnType<typeof openPostOffice>>;
beforeEach(async () => {
  office = await openPostOffice();
});

/** A paid order, whose mail is in the outbox. */
async function buy(email = 'buyer@example.com') {
  const order = await office.addOrder();
  await office.deliver(sessionEvent(order, 'completed', { customer_details: { email } }));
  return order;
}

/** A paid order whose mail is withheld. */
async function buyDisputed() {
  const order = await office.addOrder();
  await office.deliver(disputeEvent(order, 'created', 'needs_response'));
  await office.deliver(sessionEvent(order, 'completed'));
  return order;
}
async function buyFromNobody() {
  const order = await office.addOrder();
  await office.deliver(sessionEvent(order, 'completed', { customer_details: null, customer_email: null }));
  return order;
}
async function buyUndeliverably() {
  office.service.refuses = true;
  return buy();
}

describe('a mail of the outbox', () => {
  const issuance = { mailKind: 'completion', mailId: 'issuance' };

  test.each([
    ['sent', buy],
    ['withheld', buyDisputed],
    ['no_recipient', buyFromNobody],
    ['undeliverable', buyUndeliverably],
  ])('is told of once it is decided, and when a job comes again for it: %s', async (outcome, pay) => {
    const order = await pay();
    await office.work();
    expect(office.told()).toEqual([{ outcome, ...issuance, orderId: order.id }]);
    await office.table.write(addJob(office, { kind: 'send-mail', orderId: order.id, mailId: 'issuance' }));
    await office.mailer(toSqsEvent([`send-mail:${order.id}/issuance`]));
    expect(office.told().at(-1)).toEqual({ outcome: `${outcome}_before`, ...issuance, orderId: order.id });
  });

  test('is told of when another took its place', async () => {
    const order = await buy();
    const later = { id: newId('mail'), orderId: order.id };
    const task = { kind: 'send-mail', orderId: order.id, mailId: later.id } as const;
    office.queue.take();
    await office.table.transact([addMail(later, new Date()), addJob(office, task)]);
    await office.mailer(toSqsEvent([`send-mail:${order.id}/${later.id}`]));
    expect(office.told()).toEqual([{ outcome: 'superseded', mailKind: 'completion', mailId: later.id, orderId: order.id }]);
  });
});

describe('a request for fresh links', () => {
  const links = { mailKind: 'links', mailId: expect.stringMatching(/^mai_/) };

  test('is told of when nothing was bought, when the mail was sent or refused, and when there were too many', async () => {
    const order = await buy();
    await office.work();
    office.lines.length = 0;
    for (const email of ['nobody@example.com', ...Array(4).fill('buyer@example.com')]) {
      await office.resend(email);
      await office.work();
      office.service.refuses = office.told().length === 2;
    }
    expect(office.told()).toEqual([
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
    expect(office.told()).toEqual([{ outcome: 'request_gone', mailKind: 'links', mailId }]);
  });

  test('has the id of its request in every line', async () => {
    await buy();
    await office.work();
    office.lines.length = 0;
    const reply = await office.resend('buyer@example.com');
    await office.work();
    expect(office.lines.map((line) => JSON.parse(line).requestId)).toEqual([reply.headers['x-request-id']]);
  });
});

test('one id leads from the event of a payment to the mail, and the order’s to both', async () => {
  const order = await buy();
  await office.work();
  const lines = office.lines.map((line) => JSON.parse(line));
  const { requestId } = lines.find(({ message, orderId }) => message === 'order_updated' && orderId === order.id);
  expect(requestId).toEqual(expect.any(String));
  expect(lines.filter((line) => line.requestId === requestId).map(({ message, jobKind }) => [message, jobKind])).toEqual([
    ['order_updated', undefined],
    ['job_ended', 'project-event'],
    ['job_ended', 'send-mail'],
  ]);
  expect(office.lines.join()).not.toMatch(/@|buyer/i);
});
