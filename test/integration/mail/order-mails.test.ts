import { beforeEach, describe, expect, test } from '@jest/globals';
import { buyerEmailHashes, mailboxHash } from '../../../shared/buyer-email/buyer-email.ts';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { mailingsKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { maxDelaySeconds } from '../../../shared/jobs/job.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { getLicense, recordLicenseHold } from '../../../shared/licenses/license-repository.ts';
import { momentIn } from '../../../shared/locale.ts';
import { type CountedCause, takeMailTurn } from '../../../shared/mail/outbox/mail-count-repository.ts';
import { addMail, type NewMail } from '../../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createOrder, removeOrderExpiry, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { disputeEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
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
  office.logged.length = 0;
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

test('the mail of what was bought twice says so', async () => {
  const { productId, sellerId } = sale;
  const paidAt = new Date(Date.parse(sale.checkout.paidAt ?? '') - 2 * 3600_000).toISOString();
  await office.table.write(replaceOrder(sale, { ...sale, checkout: { ...sale.checkout, paidAt } }));
  await office.buy(owner, { productId, sellerId, locale: 'en' });
  const [mail] = await office.work();
  const before = momentIn('en', new Date(paidAt));
  expect(mail?.text).toContain(
    `This product was bought with this address before, on ${before}. If you did not mean to buy it twice, please write`,
  );
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
  ['upgrade_held_refunded', {}, 'Your upgrade is on hold: Sample App', 'Nothing of what was paid for the upgrade came back'],
  ['upgrade_held_disputed', {}, 'Your upgrade is on hold: Sample App', 'is not part of that dispute'],
] as const)('a notice of the kind %s goes to the buyer of the license, whatever became of the order', async (kind, more, subject, text) => {
  const id = newId('mail');
  await post({ id, orderId: sale.id, kind, ...more });
  await office.table.write(replaceOrder(sale, { ...sale, status: 'disputed' }));
  expect(await send({ id, orderId: sale.id })).toMatchObject([{ to: owner, subject, text: expect.stringContaining(text) }]);
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
    await completionOf(order);
    expect(messages().includes('mail_undeliverable')).toBe(outcome === 'undeliverable');
    expect(told().at(-1)).toEqual({ outcome: `${outcome}_before`, ...issuance, orderId: order.id });
  });

  test('is told of when another took its place', async () => {
    const order = await office.buy();
    const later = { id: newId('mail'), orderId: order.id };
    office.queue.take();
    await post(later);
    await send(later);
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

describe('of mails that are free to whoever causes them', () => {
  const turnOf = (cause: CountedCause = 'free', mailId: string = newId('mail'), about = mailId, mailbox = 'm') =>
    takeMailTurn(office, { mailboxHash: mailbox, mailId, cause }, about).then(({ turn }) => turn);
  async function fill(causes: readonly CountedCause[], mailbox?: string) {
    for (const cause of causes) await turnOf(cause, undefined, undefined, mailbox);
  }
  const times = <T>(count: number, cause: T) => Array.from({ length: count }, () => cause);

  test('an address gets ten in any hour, however many come at once', async () => {
    const turns = await Promise.all(times(50, 'free' as const).map((cause) => turnOf(cause)));
    expect(turns.toSorted()).toEqual([...times(40, 'later'), ...times(10, 'now')]);
    expect(await turnOf('free', undefined, undefined, 'another')).toBe('now');
    office.passTime(3599_000);
    expect(await turnOf()).toBe('later');
    office.passTime(1000);
    expect(await turnOf()).toBe('now');
  });

  test.each<[CountedCause[], Record<CountedCause, string>]>([
    [times(9, 'free'), { address: 'now', desk: 'now', admin: 'now', free: 'now' }],
    [times(10, 'free'), { address: 'later', desk: 'later', admin: 'now', free: 'later' }],
    [times(10, 'desk'), { address: 'refused', desk: 'refused', admin: 'refused', free: 'later' }],
    [times(10, 'admin'), { address: 'refused', desk: 'refused', admin: 'refused', free: 'now' }],
    [times(3, 'address'), { address: 'refused', desk: 'now', admin: 'now', free: 'now' }],
    [[...times(2, 'address' as const), ...times(8, 'free' as const)], { address: 'later', desk: 'later', admin: 'now', free: 'later' }],
    [
      [...times(3, 'address' as const), ...times(7, 'desk' as const)],
      { address: 'refused', desk: 'refused', admin: 'refused', free: 'later' },
    ],
  ])('after %j the turn of one more is %j', async (before, expected) => {
    await Promise.all(Object.keys(expected).map((mailbox) => fill(before, mailbox)));
    for (const cause of ['address', 'desk', 'admin', 'free'] as const) {
      expect([cause, await turnOf(cause, undefined, undefined, cause)]).toEqual([cause, expected[cause]]);
    }
  });

  test('one that is tried again counts once, at its last attempt', async () => {
    await turnOf('free', 'again');
    office.passTime(3000_000);
    await fill(times(9, 'free'));
    expect([await turnOf('free', 'again'), await turnOf()]).toEqual(['now', 'later']);
    office.passTime(1000_000);
    expect(await turnOf()).toBe('later');
  });

  test('one that the desk has sent counts as such also when it is sent', async () => {
    for (const cause of ['desk', 'free'] as const) await turnOf(cause, 'one');
    await fill(times(9, 'desk'));
    expect(await turnOf('admin')).toBe('refused');
  });

  test('one that an older version counted counts for an hour as what it was', async () => {
    const countedAs = async (mailbox: string, count: number, cause: object) => {
      const at = office.now().toISOString();
      const latest = Array.from({ length: count }, (_, index) => ({ mailId: `m${index}`, at, ...cause }));
      await office.table.write({ put: { Item: { ...mailingsKey(mailbox), latest, revision: 1 } } });
    };
    await countedAs('free', 10, { cause: 'free_order' });
    await countedAs('asked', 3, {});
    const turnAt = (mailbox: string, cause: CountedCause) => turnOf(cause, undefined, undefined, mailbox);
    expect([await turnAt('free', 'free'), await turnAt('free', 'admin')]).toEqual(['later', 'now']);
    expect([await turnAt('asked', 'address'), await turnAt('asked', 'free')]).toEqual(['refused', 'now']);
    const { ttl } = (await office.table.get(mailingsKey('asked'))) ?? {};
    expect(ttl).toBe(Math.ceil(office.now().getTime() / 1000) + 3600);
  });

  test('the later takes the place of an earlier one about the same that waits', async () => {
    await fill(times(10, 'free'));
    for (const [id, about] of [
      ['m1', 'a'],
      ['m2', 'b'],
      ['m3', 'a'],
    ] as const)
      expect(await turnOf('free', id, about)).toBe('later');
    expect(await turnOf('free', 'm1', 'a')).toBe('replaced');
    office.passTime(3600_000);
    expect(await turnOf('free', 'm1', 'a')).toBe('replaced');
    for (const [id, about] of [
      ['m2', 'b'],
      ['m3', 'a'],
      ['m4', 'a'],
    ] as const)
      expect(await turnOf('free', id, about)).toBe('now');
    expect(await turnOf('free', 'm3', 'a')).toBe('replaced');
  });

  const victim = 'victim@example.com';
  const freely = { amount: 0, locale: 'en' } as const;
  const notice = async (order: Order, more: Partial<NewMail>) => {
    const id = newId('mail');
    await post({ id, orderId: order.id, ...more });
    office.queue.sent.push(`send-mail:${order.id}/${id}`);
  };
  const sent = async (email: string, change: Partial<Order>) => {
    const order = await office.buy(email, change);
    await office.work();
    return order;
  };
  const upgrade = { productName: 'Studio' };
  const resendAsSeller = async ({ id, sellerId }: Order) => {
    await office.table.transact(addSeller(sampleSeller({ id: sellerId, ownerUserId: 'owner', internalReviewStatus: 'approved' })));
    return office.asSeller('owner', 'POST', `/${id}/resend-link`);
  };

  test('beyond ten an admin has a link sent again, and a seller does not', async () => {
    const order = await sent(victim, freely);
    await fill(times(10, 'free'), mailboxHash(victim, office.encryptionKeys));
    expect([(await office.resendAsAdmin(order)).status, (await resendAsSeller(order)).status]).toEqual([202, 429]);
  });

  test('a link that a seller has sent again counts once', async () => {
    const order = await sent(victim, freely);
    await resendAsSeller(order);
    await office.work();
    const mailbox = mailboxHash(victim, office.encryptionKeys);
    await fill(times(7, 'free'), mailbox);
    const turns = [await turnOf('free', undefined, undefined, mailbox), await turnOf('free', undefined, undefined, mailbox)];
    expect(turns).toEqual(['now', 'later']);
  });

  test('those that wait are replaced by no other kind, order or address; of requests for links the latest is sent', async () => {
    const orders = [await sent(victim, freely), await sent('Victim+1@example.com', freely)];
    await fill(times(10, 'free'), mailboxHash(victim, office.encryptionKeys));
    for (const order of orders) for (const kind of ['device_released', 'key_replaced'] as const) await notice(order, { kind });
    for (const address of [victim, victim, 'victim+1@example.com']) await office.resend(address);
    const messages = office.queue.take();
    await office.mailer(messages);
    expect(office.mailbox).toEqual([]);
    office.passTime(3600_000);
    await office.mailer(messages);
    expect(office.mailbox.length).toBe(6);
    const ended = office.logged.filter((line) => line.includes('"send-links"')).map((line) => JSON.parse(line).outcome);
    expect(ended.filter((outcome) => outcome !== undefined).toSorted()).toEqual(['sent', 'sent', 'superseded']);
  });

  test.each<[what: string, isHeld: boolean, cause: () => Promise<unknown>]>([
    ['a free order', true, () => office.buy('Victim+1@Example.com', freely)],
    ['a paid order', false, () => office.buy('Victim+1@Example.com')],
    ['the correction of a free order', true, async () => office.correct(await sent('a@b.co', freely), 'victim+2+3@example.com')],
    ['the correction of a paid order', false, async () => office.correct(await sent('a@b.co', {}), victim)],
    ['an admin’s correction of a free order', false, async () => office.correctAsAdmin(await sent('a@b.co', freely), victim)],
    ['the notice of the correction of a free order', true, async () => office.correct(await sent(victim, freely), 'a@b.co')],
    ['the notice of an admin’s correction of a free order', false, async () => office.correctAsAdmin(await sent(victim, freely), 'a@b.co')],
    [
      'a seller’s resend of a free order’s link an hour ago',
      true,
      async () => office.passTime((await resendAsSeller(await sent(victim, freely))) && 3600_000),
    ],
    ['an admin’s resend of a free order’s link', false, async () => office.resendAsAdmin(await sent(victim, freely))],
    ['a request for fresh links', true, async () => office.resend((await sent('victim+@example.com', {})) && 'Victim+@example.com')],
    ['a device released of a free order', true, async () => notice(await sent(victim, freely), { kind: 'device_released' })],
    ['a device released of a paid order', false, async () => notice(await sent(victim, {}), { kind: 'device_released' })],
    ['a key replaced of a free order', true, async () => notice(await sent(victim, freely), { kind: 'key_replaced' })],
    [
      'a free upgrade of a paid order',
      true,
      async () => notice(await sent(victim, {}), { kind: 'license_upgraded', cause: 'free', upgrade }),
    ],
    [
      'a paid upgrade of a free order',
      false,
      async () => notice(await sent(victim, freely), { kind: 'license_upgraded', cause: 'payment', upgrade }),
    ],
    ['a paid addition to a free order', false, async () => notice(await sent(victim, freely), { kind: 'addition_counts', addition })],
  ])('%s: waits beyond ten: %s', async (_, isHeld, cause) => {
    await sent(victim, {});
    await cause();
    const messages = office.queue.take();
    const jobs = messages.Records.filter(({ body }) => body.includes('send-'));
    await fill(times(10, 'free'), mailboxHash(victim, office.encryptionKeys));
    const deliver = async () => {
      await office.mailer({ Records: jobs });
      return office.mailbox.splice(0).filter(({ to }) => /^victim/i.test(to)).length;
    };
    expect(await deliver()).toBe(isHeld ? 0 : 1);
    const delays = office.logged.filter((line) => line.includes('"mail_address"')).map((line) => JSON.parse(line).delay);
    expect(delays).toEqual(isHeld ? [maxDelaySeconds] : []);
    office.passTime(3600_000);
    expect(await deliver()).toBe(isHeld ? 1 : 0);
    expect(office.logged.join()).not.toMatch(/victim/i);
  });
});
