import { beforeEach, describe, expect, test } from '@jest/globals';
import { verifyCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { mailingsKey, orderOfBuyerKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { removeOrderExpiry, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { crashPoints, createCrashPlan } from '../../support/engines/faults.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { openAddressOffice } from '../../support/scenes/address-office.ts';
import { sampleOrder, toSqsEvent } from '../../support/scenes/projection-harness.ts';

/** An office whose purchases have had their mails already. */
async function openOffice(options?: Parameters<typeof openAddressOffice>[0]) {
  const office = await openAddressOffice(options);
  return {
    ...office,
    async buy(email: string, change?: Partial<Order>): Promise<Order> {
      const order = await office.buy(email, change);
      office.queue.take();
      return order;
    },
    /** The orders that the links of a mail lead to, in their order, with the use of their tokens. */
    async linked({ text }: OutgoingMail) {
      const tokens = [...text.matchAll(/#token=(\S+)/g)].map((match) => match[1] ?? '');
      return Promise.all(tokens.map((token) => verifyCompletionToken(token, office.now(), office.settings.TOKEN_KEYS)));
    },
  };
}

const hour = 3600_000;
const [older, newer] = [`1:${'a'.repeat(43)}`, `2:${'b'.repeat(43)}`];

describe('resend-link', () => {
  let office: Awaited<ReturnType<typeof openOffice>>;
  const daysAgo = (days: number) => new Date(office.now().getTime() - days * 24 * hour).toISOString();
  beforeEach(async () => {
    office = await openOffice();
  });

  test('sends one mail with a fresh link to each purchase that is paid or partially refunded, the newest first', async () => {
    const terms = sampleOrder().terms;
    const first = await office.buy('Buyer@Example.com', { createdAt: daysAgo(3), locale: 'ja' });
    const partly = await office.buy('buyer@example.com', { createdAt: daysAgo(2) });
    const latest = await office.buy('buyer@example.com', {
      createdAt: daysAgo(1),
      locale: 'en',
      terms: { ...terms, productName: 'Latest' },
    });
    const [refunded, disputed] = [await office.buy('buyer@example.com'), await office.buy('buyer@example.com')];
    await office.buy('other@example.com');
    await office.deliver(refundEvent(partly, 400));
    await office.deliver(refundEvent(refunded, 1200));
    await office.deliver(disputeEvent(disputed, 'created', 'needs_response'));
    office.queue.take();

    const reply = await office.resend(' BUYER@example.com'.trim());
    expect([reply.status, reply.text]).toEqual([202, '{}']);
    const mails = await office.work();
    expect(mails).toMatchObject([{ to: 'buyer@example.com', subject: 'Your new links to 3 orders' }]);
    const links = await office.linked(mails[0]!);
    expect(links.map(({ orderId }) => orderId)).toEqual([latest.id, partly.id, first.id]);
    // Tokens count in whole seconds.
    const end = Math.floor((office.now().getTime() + 24 * hour) / 1000) * 1000;
    for (const { use, expiresAt } of links) expect([use, expiresAt.getTime()]).toEqual(['mail', end]);
    for (const said of ['Latest', latest.id, '¥1,200']) expect(mails[0]?.text).toContain(said);
    expect(JSON.stringify(mails)).not.toMatch(/SHOP7-/);
  });

  test.each([
    [['ja', 'en'], undefined, 'Your new links'],
    [['en', 'ja'], undefined, '新しいリンク'],
    [['en'], 'ja-JP,en;q=0.5', '新しいリンク'],
    [['ja'], 'en', 'Your new link'],
    [['en'], '*', 'Your new link'],
  ] as const)(
    'of purchases in %j asked for in %j says %s: in the language of the request, or of the latest',
    async (locales, asked, words) => {
      for (const [bought, locale] of locales.entries()) await office.buy('buyer@example.com', { createdAt: daysAgo(9 - bought), locale });
      await office.resend('buyer@example.com', asked && { 'accept-language': asked });
      expect((await office.work())[0]?.subject).toContain(words);
    },
  );

  test('lists more purchases than one page of the table holds', async () => {
    const [emailHash] = buyerEmailHashes('many@example.com', office.encryptionKeys);
    for (let at = 0; at < 105; at += 1) {
      const id = newId('order');
      const sealedBuyerEmail = sealText('many@example.com', id, office.encryptionKeys);
      const paid = { status: 'paid', paymentStatus: 'succeeded', checkout: { paidAt: daysAgo(1) }, ttl: undefined } as const;
      const order = await office.addOrder({ id, sealedBuyerEmail, ...paid });
      await office.table.transact(removeOrderExpiry(order, emailHash));
    }
    await office.resend('many@example.com');
    const mails = await office.work();
    expect(mails).toHaveLength(1);
    expect(new Set((await office.linked(mails[0]!)).map(({ orderId }) => orderId)).size).toBe(105);
  });

  test('sends an address three mails in any hour, and answers the same beyond', async () => {
    await office.buy('often@example.com');
    await office.buy('another@example.com');
    const replies = await Promise.all(Array.from({ length: 5 }, () => office.resend('often@example.com')));
    expect(replies.map(({ status, text }) => [status, text])).toEqual(Array(5).fill([202, '{}']));
    expect(await office.work()).toHaveLength(3);
    await office.resend('OFTEN@example.com');
    await office.resend('another@example.com');
    expect((await office.work()).map(({ to }) => to)).toEqual(['another@example.com']);

    office.passTime(hour - 60_000);
    await office.resend('often@example.com');
    expect(await office.work()).toEqual([]);
    office.passTime(61_000);
    for (let time = 0; time < 5; time += 1) await office.resend('often@example.com');
    expect(await office.work()).toHaveLength(3);
  });

  test('sends an address ten mails in any hour: those of free orders wait, and nobody else’s do', async () => {
    const deliver = async () => {
      const jobs = await takeDueJobs(office, { evenIfLeased: true });
      await office.mailer(toSqsEvent(jobs.map(({ id }) => id).filter((id) => id.startsWith('send-mail'))));
      return office.mailbox.splice(0);
    };
    for (let time = 0; time < 3; time += 1) await office.resend('victim@example.com');
    await office.work();
    const free = [];
    for (let time = 0; time < 9; time += 1) free.push(await office.buy('Victim@example.com', { amount: 0 }));
    await office.buy('victim@example.com', { amount: 7 });
    await office.buy('another@example.com', { amount: 0 });
    office.passTime(hour - 2_600_000);
    const links = await Promise.all((await deliver()).map(office.linked));
    const freeIds = new Set<unknown>(free.map(({ id }) => id));
    expect([links.length, links.flat().filter(({ orderId }) => freeIds.has(orderId)).length]).toEqual([9, 7]);
    const waits = () => office.logged.filter((line) => line.includes('"mail_address"')).map((line) => /"delay":(\d+)/.exec(line)?.[1]);
    expect(waits()).toEqual(['900', '900']);
    office.passTime(2_540_000);
    expect(await deliver()).toEqual([]);
    expect(waits().slice(2)).toEqual(['60', '60']);
    const [emailHash] = buyerEmailHashes('victim@example.com', office.settings.ENCRYPTION_KEYS);
    const { ttl } = (await office.engine.table.get(mailingsKey(emailHash))) ?? {};
    expect(Number(ttl)).toBeGreaterThan(office.now().getTime() / 1000);
    expect(office.logged.join()).not.toMatch(/victim/i);
    await office.resend('victim@example.com');
    expect(await office.work()).toEqual([]);
    office.passTime(61_000);
    expect(await deliver()).toHaveLength(2);
    await office.resend('victim@example.com');
    expect(await office.work()).toHaveLength(1);
  });

  test('counts a mail that is tried again once', async () => {
    let down = false;
    office = await openOffice({
      faults: {
        async call(name, make) {
          if (down && name === 'SendEmail') throw new Error('The mail service is away.');
          return make();
        },
      },
    });
    await office.buy('buyer@example.com');
    const free = await office.buy('free@example.com', { amount: 0 });
    for (let time = 0; time < 3; time += 1) await office.resend('free@example.com');
    expect(await office.work()).toHaveLength(3);
    await office.resend('buyer@example.com');
    const links = office.queue.take();
    const mail = toSqsEvent([`send-mail:${free.id}/issuance`]);
    down = true;
    for (const seconds of [5, 15, 60, 300, 900, 900, 900]) {
      await Promise.all([links, mail].map(office.mailer));
      office.passTime(seconds * 1000);
    }
    expect(office.mailbox).toEqual([]);
    down = false;
    await Promise.all([links, mail].map(office.mailer));
    office.queue.take();
    const sent = office.mailbox.splice(0).map(({ to }) => to);
    expect(sent.toSorted()).toEqual(['buyer@example.com', 'free@example.com']);
    for (let time = 0; time < 3; time += 1) await office.resend('buyer@example.com');
    expect(await office.work()).toHaveLength(2);
  });

  test('each request that comes while another is worked on gets its mail', async () => {
    await office.buy('buyer@example.com');
    await office.resend('buyer@example.com');
    const first = office.queue.take();
    await office.resend('buyer@example.com');
    await Promise.all([office.mailer(first), office.mailer(office.queue.take())]);
    expect(office.mailbox).toHaveLength(2);
  });

  test('sends an order’s link to no other address than the order’s own', async () => {
    const order = await office.addOrder();
    await office.deliver(sessionEvent(order, 'completed', { payment_status: 'unpaid', customer_details: { email: 'first@example.com' } }));
    await office.deliver(sessionEvent(order, 'async_payment_succeeded', { customer_details: { email: 'second@example.com' } }));
    office.queue.take();
    await office.resend('second@example.com');
    expect(await office.work()).toEqual([]);
    await office.resend('first@example.com');
    expect(await office.work()).toMatchObject([{ to: 'first@example.com' }]);
    // Older versions listed an order under the address of the event that paid it.
    const [hash = ''] = buyerEmailHashes('second@example.com', office.encryptionKeys);
    await office.table.write({ put: { Item: { ...orderOfBuyerKey(hash, order.id), id: order.id } } });
    await office.resend('second@example.com');
    expect(await office.work()).toEqual([]);
  });

  test('finds purchases of an address under an older encryption key, and sends three mails in any hour also while it is retired', async () => {
    const mails: OutgoingMail[] = [];
    office = await openOffice({ encryptionKeys: Keyring.parse(older) });
    const early = await office.buy('buyer@example.com');
    office.setEncryptionKeys(`${newer},${older}`);
    const late = await office.buy('buyer@example.com');
    for (const keys of [`${newer},${older}`, newer]) {
      office.setEncryptionKeys(keys);
      for (let time = 0; time < 3; time += 1) await office.resend('buyer@example.com');
      mails.push(...(await office.work()));
    }
    expect(mails.map(({ to }) => to)).toEqual(Array(3).fill('buyer@example.com'));
    expect(new Set((await office.linked(mails[0]!)).map(({ orderId }) => orderId))).toEqual(new Set([early.id, late.id]));
  });

  test('finds purchases of an address under whichever form of its domain either was typed, also of when that was kept as typed', async () => {
    const unicode = await office.buy('taro@例え.jp');
    const ascii = await office.buy('Taro@XN--R8JZ45G.jp');
    const before = await office.addOrder({ status: 'paid', paymentStatus: 'succeeded', checkout: { paidAt: daysAgo(1) }, ttl: undefined });
    const sealed = { ...before, sealedBuyerEmail: sealText('taro@例え.jp', before.id, office.encryptionKeys) };
    const [, former] = buyerEmailHashes('taro@例え.jp', office.encryptionKeys);
    await office.table.transact([replaceOrder(before, sealed), ...removeOrderExpiry(sealed, former).slice(-1)]);
    for (const typed of ['ＴＡＲＯ＠例え．jp', 'taro@xn--r8jz45g.jp']) {
      await office.resend(typed);
      const [mail] = await office.work();
      expect(mail?.to.toLowerCase()).toBe('taro@xn--r8jz45g.jp');
      expect(new Set((await office.linked(mail!)).map(({ orderId }) => orderId))).toEqual(new Set([unicode.id, ascii.id, before.id]));
    }
    expect((await office.correct(unicode, 'taro@xn--r8jz45g.jp')).status).toBe(202);
    expect(await office.actionsOn(unicode)).toEqual([]);
    expect((await office.complete({ token: await office.token(unicode) })).json.buyer_email).toBe('taro@例え.jp');
  });

  test('wants an address, which neither the message nor the job nor a log line holds', async () => {
    await office.buy('secret.buyer@example.com');
    office.logged.length = 0;
    await office.resend('secret.buyer@example.com');
    expect(office.queue.sent).toEqual([expect.stringMatching(/^send-links:mai_\w{26}$/)]);
    const jobs = await takeDueJobs(office, { evenIfLeased: true });
    expect(JSON.stringify([office.queue.sent, jobs, office.logged])).not.toMatch(/secret|example\.com/i);
    for (const wrong of ['no address', null]) {
      expect(await office.resend(wrong)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    }
  });

  test('answers alike with the same requests to table and queue, and sends nothing, without such a purchase and beyond the limit', async () => {
    await office.buy('known@example.com');
    await office.deliver(refundEvent(await office.buy('refunded@example.com'), 1200));
    for (let time = 0; time < 5; time += 1) {
      for (const email of ['known@example.com', 'nobody@example.com', 'refunded@example.com']) {
        office.engine.takeRequestCounts();
        office.queue.take();
        const { status, text } = await office.resend(email);
        const cost = { table: office.engine.takeRequestCounts(), messages: office.queue.sent.length };
        expect([status, text, cost]).toEqual([202, '{}', { table: { TransactWriteItems: 1 }, messages: 1 }]);
        expect(await office.work()).toHaveLength(email.startsWith('known') && time < 3 ? 1 : 0);
      }
    }
    const waiting = await takeDueJobs(office, { evenIfLeased: true });
    expect(waiting.filter(({ task }) => task.kind === 'send-links')).toEqual([]);
  });

  test('a mail worker that dies at any of its calls sends no second mail, unless it dies between the mail and its mark', async () => {
    const plan = createCrashPlan();
    office = await openOffice({ faults: plan });
    const request = async () => {
      office.passTime(2 * hour);
      await office.resend('buyer@example.com');
      return office.queue.take();
    };
    await office.buy('buyer@example.com');
    const event = await request();
    plan.crashAt(Number.POSITIVE_INFINITY, 'before');
    await office.mailer(event);
    const { calls } = plan;
    expect(calls).toBeGreaterThan(3);
    for (const { call, when } of crashPoints(calls)) {
      plan.revive();
      const requested = await request();
      office.mailbox.length = 0;
      plan.crashAt(call, when);
      await office.mailer(requested).catch(() => undefined);
      const mailedUnmarked = plan.lastEffect === 'SendEmail';
      plan.revive();
      const due = await takeDueJobs(office, { evenIfLeased: true });
      await office.mailer(toSqsEvent(due.map(({ id }) => id).filter((id) => id.startsWith('send-links'))));
      expect({ call, when, mails: office.mailbox.length }).toEqual({ call, when, mails: mailedUnmarked ? 2 : 1 });
    }
  });
});
