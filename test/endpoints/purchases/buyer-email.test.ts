import { beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { mailKey } from '../../../shared/db/keys.ts';
import { newId, type SellerId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { addSeller, getSeller, recordReview } from '../../../shared/sellers/seller-repository.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';

const refusal = (status: number, code: string) => ({ status, json: { code } });
const tokenInvalid = refusal(403, 'completion_token_invalid');

let office: AddressOffice;
beforeEach(async () => {
  office = await openAddressOffice();
});
const legacy = (buyer_email: string, completion_token: string) => office.complete({ buyer_email, completion_token });

/** All that a request may change: what is stored, what is sent, without the callers' budgets. */
async function stateOf() {
  const items = await readContents(office.engine);
  return { items: items.filter(({ pk }) => !String(pk).startsWith('RATE#')), sent: [...office.queue.sent] };
}

describe('a payer who corrects the address', () => {
  test('gets one mail with a link that works at the new one, and the old one a notice without a link or the new address', async () => {
    const order = await office.buy();
    await office.work();
    const reply = await office.correct(order, '\u3000Ｒｉｇｈｔ＠Example.com ');
    expect([reply.status, reply.text, reply.headers['cache-control']]).toEqual([202, '{}', 'no-store']);
    const mails = await office.work();
    expect(mails.map(({ to }) => to).toSorted()).toEqual(['Right@Example.com', 'typo@example.com']);
    const link = await office.linkIn(mails.find(({ to }) => to === 'Right@Example.com'));
    expect(link).toMatchObject({ orderId: order.id, use: 'mail' });
    expect(await office.complete({ token: link?.token })).toMatchObject({ status: 200, json: { order: { id: order.id } } });
    const notice = mails.find(({ to }) => to === 'typo@example.com');
    expect(JSON.stringify(notice)).not.toMatch(/right@|https?:|token|SHOP7-/i);
    expect(notice?.subject).toBe('ご注文のメールアドレスが変更されました：Sample App');
    expect(await office.work()).toEqual([]);
    expect((await office.complete({ token: await office.token(order) })).json.buyer_email_masked).toBe('R…@Example.com');
  });

  test('ends the links of every mail that was sent before, wherever a token is taken, and no other token', async () => {
    const order = await office.buy();
    const [issuance] = await office.work();
    const dayLater = Math.floor((office.now().getTime() + 24 * 3600_000) / 1000) * 1000;
    expect(await office.linkIn(issuance)).toMatchObject({ use: 'mail', expiresAt: new Date(dayLater) });
    await office.resend('typo@example.com');
    const [fresh] = await office.work();
    const dead = [(await office.linkIn(issuance))!.token, (await office.linkIn(fresh))!.token];
    for (const token of dead) expect((await office.complete({ token })).status).toBe(200);
    await office.correct(order, 'right@example.com');
    for (const token of dead) {
      expect(await office.complete({ token })).toMatchObject(tokenInvalid);
      expect(await office.download({ token })).toMatchObject(tokenInvalid);
      for (const email of ['typo@example.com', 'right@example.com']) {
        expect(await legacy(email, token)).toMatchObject(tokenInvalid);
        expect(await office.download({ buyer_email: email, completion_token: token })).toMatchObject(tokenInvalid);
      }
    }
    for (const use of ['redirect', 'admin'] as const) {
      const token = await office.token(order, use);
      expect((await office.complete({ token })).status).toBe(200);
      expect(await office.download({ token })).toMatchObject(refusal(404, 'file_not_found'));
    }
  });

  test('of a partly refunded order is found under the new address alone by fresh links and the older form', async () => {
    const order = await office.buy();
    await office.deliver(refundEvent(order, 400));
    expect((await office.correct(order, 'right@example.com')).status).toBe(202);
    await office.work();
    await office.resend('typo@example.com');
    expect(await office.work()).toEqual([]);
    await office.resend('RIGHT@example.com');
    const mails = await office.work();
    expect(mails.map(({ to }) => to)).toEqual(['right@example.com']);
    const { token = '' } = (await office.linkIn(mails[0])) ?? {};
    expect((await legacy('Right@example.com', token)).status).toBe(200);
    expect(await legacy('typo@example.com', token)).toMatchObject(tokenInvalid);
  });

  test('leaves no trace of the order under the old address, whichever key it was stored with', async () => {
    const [older, newer] = [`1:${'a'.repeat(43)}`, `2:${'b'.repeat(43)}`];
    office = await openAddressOffice({ encryptionKeys: Keyring.parse(`${newer},${older}`) });
    const before = await openAddressOffice({ encryptionKeys: Keyring.parse(older) });
    const order = await before.buy();
    // The same order as a deployment with the older key alone left it.
    for (const { pk, sk, ...item } of await readContents(before.engine)) {
      await office.table.write({ put: { Item: { pk: String(pk), sk: String(sk), ...item } } });
    }
    const listed = async () =>
      (await readContents(office.engine)).filter(({ pk, sk }) => `${pk}`.startsWith('BUYER#') && sk !== 'MAILINGS');
    expect(await listed()).toHaveLength(1);
    expect((await office.correct(order, 'right@example.com')).status).toBe(202);
    expect((await listed()).map(({ pk, id, ttl }) => [String(pk).slice(0, 8), id, ttl])).toEqual([['BUYER#2.', order.id, undefined]]);
  });

  test('while the first mail is not sent yet keeps it from going out: the new address gets one mail', async () => {
    const order = await office.buy();
    await office.correct(order, 'right@example.com');
    expect((await office.work()).map(({ to }) => to).toSorted()).toEqual(['right@example.com', 'typo@example.com']);
    expect(await office.mailsOf(order)).toEqual(['address_corrected sent', 'completion sent', 'completion superseded']);
  });

  test('where no address was known gets the mail, and there is no notice', async () => {
    const order = await office.buy(null);
    await office.work();
    expect((await office.correct(order, 'right@example.com')).status).toBe(202);
    expect((await office.work()).map(({ to }) => to)).toEqual(['right@example.com']);
    expect(await office.mailsOf(order)).toEqual(['completion no_recipient', 'completion sent']);
  });

  test('while there is no license yet gets the mail once there is one, and no other', async () => {
    const order = await office.buyWaiting();
    expect((await office.correct(order, 'right@example.com')).status).toBe(202);
    expect((await office.work()).map(({ to }) => to)).toEqual(['typo@example.com']);
    await office.serve(order.productId);
    const mails = await office.work();
    expect(mails.map(({ to }) => to)).toEqual(['right@example.com']);
    expect((await office.complete({ token: (await office.linkIn(mails[0]))?.token })).json.license.license_key).toBeDefined();
    expect(await office.mailsOf(order)).toEqual(['address_corrected sent', 'completion sent']);
  });

  test('to the same one, letter case aside, changes nothing and may correct it still', async () => {
    const order = await office.buy();
    const before = await stateOf();
    const reply = await office.correct(order, 'TYPO@example.com');
    expect([reply.status, reply.text]).toEqual([202, '{}']);
    expect(await stateOf()).toEqual(before);
    expect((await office.correct(order, 'right@example.com')).status).toBe(202);
    const corrected = await stateOf();
    expect((await office.correct(order, 'Right@example.com')).status).toBe(202);
    expect(await stateOf()).toEqual(corrected);
  });

  test('may do so once, whatever admins do, which is recorded without an address', async () => {
    const order = await office.buy();
    await office.correctAsAdmin(order, 'admin-1@example.com');
    expect((await office.correct(order, 'right@example.com')).status).toBe(202);
    const before = await stateOf();
    expect(await office.correct(order, 'other@example.com')).toMatchObject(refusal(403, 'email_already_corrected'));
    expect(await stateOf()).toEqual(before);
    await office.correctAsAdmin(order, 'admin-2@example.com');
    expect(await office.correct(order, 'right@example.com')).toMatchObject(refusal(403, 'email_already_corrected'));
    const { items } = await listAudit(office.table, { targetId: order.id, limit: 10 });
    const [record, ...others] = items.filter(({ actor }) => actor === 'buyer');
    expect(record).toMatchObject({ action: 'order.correct_buyer_email', before: { emailGeneration: 1 }, after: { emailGeneration: 2 } });
    expect([others, JSON.stringify(record).includes('example.com')]).toEqual([[], false]);
  });

  test('is not heard once the order is refunded or disputed, even with the same address or a second one', async () => {
    const stops = [(order: Order) => refundEvent(order, 1200), (order: Order) => disputeEvent(order, 'created', 'needs_response')];
    for (const stop of stops) {
      const [order, corrected] = [await office.buy(), await office.buy()];
      await office.correct(corrected, 'right@example.com');
      for (const each of [order, corrected]) await office.deliver(stop(each));
      const before = await stateOf();
      for (const each of [order, corrected]) {
        for (const email of ['other@example.com', 'typo@example.com', 'right@example.com']) {
          expect(await office.correct(each, email)).toMatchObject(refusal(403, 'license_not_usable'));
        }
      }
      expect(await stateOf()).toEqual(before);
    }
  });

  test('leaves the addresses in no log, message or plain text of the table', async () => {
    const order = await office.buy('wrong-secret@example.com');
    await office.correct(order, 'right-secret@example.com');
    await office.correctAsAdmin(order, 'third-secret@example.com');
    await office.resendAsAdmin(order);
    await office.correct(order, 'fourth-secret@example.com');
    const sent = JSON.stringify(office.queue.sent);
    await office.work();
    expect(JSON.stringify([office.logged, sent, await readContents(office.engine)])).not.toMatch(/secret@|-secret/);
  });

  test('keeps the address, whatever address a later event reports', async () => {
    for (const first of ['typo@example.com', null]) {
      const order = await office.buy(first);
      await office.correct(order, 'right@example.com');
      await office.work();
      await office.deliver(sessionEvent(order, 'async_payment_succeeded', { customer_details: { email: 'late@example.com' } }));
      await office.resend('late@example.com');
      expect(await office.work()).toEqual([]);
      await office.resend('right@example.com');
      expect((await office.work()).map(({ to }) => to)).toEqual(['right@example.com']);
    }
  });

  test('of an order and a mail that an older version stored is heard too', async () => {
    const order = await office.buy();
    const stored = await office.table.get(mailKey(order.id, 'issuance'));
    const { kind: _, ...older } = stored ?? {};
    await office.table.write({ put: { Item: { ...mailKey(order.id, 'issuance'), ...older } } });
    expect((await office.show(order.id)).order.emailGeneration).toBeUndefined();
    expect((await office.correct(order, 'right@example.com')).status).toBe(202);
    expect((await office.work()).map(({ to }) => to).toSorted()).toEqual(['right@example.com', 'typo@example.com']);
  });
});

describe('a correction is refused', () => {
  test.each(['mail', 'admin'] as const)('with a token of use %s, whatever the order', async (use) => {
    const paid = await office.buy();
    const unpaid = await office.addOrder();
    const refunded = await office.buy();
    await office.deliver(refundEvent(refunded, 1200));
    for (const order of [paid, unpaid, refunded]) {
      expect(await office.correct(order, 'right@example.com', await office.token(order, use))).toMatchObject(tokenInvalid);
    }
  });

  test('of an order that was never paid', async () => {
    const order = await office.addOrder();
    expect(await office.correct(order, 'right@example.com')).toMatchObject(refusal(403, 'order_not_paid'));
    await office.deliver(sessionEvent(order, 'expired'));
    expect(await office.correct(order, 'right@example.com')).toMatchObject(refusal(403, 'order_expired'));
  });

  test('with no address or no token', async () => {
    const order = await office.buy();
    const before = await stateOf();
    for (const email of ['', 'a@example.com\r\nBcc: b@example.com', 5, undefined]) {
      expect(await office.correct(order, email)).toMatchObject(refusal(400, 'invalid_request'));
    }
    expect(await office.correct(order, 'right@example.com', null)).toMatchObject(refusal(400, 'invalid_request'));
    expect(await stateOf()).toEqual(before);
  });
});

const notFound = refusal(404, 'request_not_found');
const day = 24 * 3600_000;

/** A seller with a paid order under a mistyped address, and what they ask for it. */
async function openShop(userId = 'alice', { paid = true, email = 'typo@example.com' as string | null } = {}) {
  const seller = sampleSeller({ ownerUserId: userId, internalReviewStatus: 'approved' });
  await office.table.transact(addSeller(seller));
  const order = paid ? await office.buy(email, { sellerId: seller.id }) : await office.addOrder({ sellerId: seller.id });
  await office.work();
  return {
    order,
    ask: (buyer_email: unknown = 'right@example.com', by = userId, { id }: Pick<Order, 'id'> = order) =>
      office.asSeller(by, 'POST', `/${id}/buyer-email-request`, { buyer_email }),
    shown: async () => (await office.asSeller(userId, 'GET', `/${order.id}`)).json.email_request,
    item: (wanted_masked: string, current_masked?: string) => ({
      order_id: order.id,
      seller_id: seller.id as SellerId,
      requested_at: office.now().toISOString(),
      ...(current_masked && { current_masked }),
      wanted_masked,
    }),
    suspend: async () => office.table.write(recordReview(office, await getSeller(office.table, seller.id), { status: 'suspended' })),
  };
}
const openRequests = async () => (await office.asAdmin('GET', '/email-requests')).json.items;
const decide = ({ id }: { id: string }, decision: string, more: object = {}) =>
  office.asAdmin('POST', `/email-requests/${id}/decide`, { decision, ...more });

describe('a seller who asks for another address of a sale', () => {
  test('is answered alike for every address, and the admin sees the last that was asked for', async () => {
    const { order, ask, item, shown } = await openShop();
    expect(await shown()).toBeUndefined();
    for (const address of ['typo@example.com', 'wrong@example.com', ' ｒｉｇｈｔ＠example.com ']) {
      expect(await ask(address)).toMatchObject({ status: 202, text: '{}' });
    }
    expect(await openRequests()).toEqual([item('r…@example.com', 't…@example.com')]);
    expect(await shown()).toEqual({ requested_at: office.now().toISOString() });

    const approved = { order_id: order.id, decision: 'approve' };
    expect((await decide(order, 'approve', { note: 'Asked for by phone.' })).json).toEqual(approved);
    const mails = await office.work();
    expect(mails.map(({ to }) => to).toSorted()).toEqual(['right@example.com', 'typo@example.com']);
    expect(await openRequests()).toEqual([]);
    expect(await shown()).toMatchObject({ decision: 'approve' });
    expect(await decide(order, 'approve')).toMatchObject(notFound);
    expect((await office.actionsOn(order)).filter((action) => action.includes('email')).toSorted()).toEqual([
      ...Array(3).fill('alice order.request_email_correction'),
      'root order.approve_email_request',
      'root order.correct_buyer_email',
    ]);
    const kept = JSON.stringify([await readContents(office.engine), office.logged]);
    expect(kept).not.toMatch(/(right|wrong|typo)@example\.com/);
    expect(kept).not.toContain('sealedWanted');
  });

  test('may ask where no address is known, and for the one that the order has: that is decided, and changes nothing', async () => {
    const unknown = await openShop('alice', { email: null });
    await unknown.ask();
    const known = await openShop('bob');
    await known.ask('Typo@Example.com');
    expect(await openRequests()).toEqual([unknown.item('r…@example.com'), known.item('T…@Example.com', 't…@example.com')]);
    await decide(known.order, 'approve');
    expect(await office.work()).toEqual([]);
    await decide(unknown.order, 'reject', { note: 'Not the buyer’s.' });
    const [last] = (await office.asAdmin('GET', `/audit?target_id=${unknown.order.id}&limit=1`)).json.items;
    expect(last).toMatchObject({ actor: 'root', action: 'order.reject_email_request', note: 'Not the buyer’s.' });
    expect(await office.work()).toEqual([]);
    expect([await unknown.shown(), await known.shown()]).toMatchObject([{ decision: 'reject' }, { decision: 'approve' }]);
    await unknown.ask('other@example.com');
    expect(await unknown.shown()).not.toHaveProperty('decision');
    expect(await openRequests()).toHaveLength(1);
  });

  test('is forgotten after 30 days, and by the buyer’s own correction', async () => {
    const [late, corrected, decided] = [await openShop('alice'), await openShop('bob'), await openShop('carol')];
    await decided.ask();
    await decide(decided.order, 'reject');
    await corrected.ask('right@example.com');
    expect((await office.correct(corrected.order, 'mine@example.com')).status).toBe(202);
    expect(await corrected.shown()).toBeUndefined();
    expect(await decide(corrected.order, 'approve')).toMatchObject(notFound);
    await late.ask();
    office.passTime(30 * day - 1);
    expect(await openRequests()).toHaveLength(1);
    office.passTime(1);
    expect(await openRequests()).toEqual([]);
    expect([await late.shown(), await decided.shown()]).toEqual([undefined, { requested_at: expect.any(String), decision: 'reject' }]);
    expect(await decide(late.order, 'approve')).toMatchObject(notFound);
  });

  test('asks for paid sales of their own alone, while they may sell', async () => {
    const { order, ask, suspend } = await openShop();
    const other = await openShop('bob', { paid: false });
    expect(await ask('right@example.com', 'bob')).toMatchObject(refusal(403, 'forbidden'));
    expect(await other.ask()).toMatchObject(refusal(400, 'order_not_paid'));
    expect(await ask('right@example.com', 'alice', { id: newId('order') })).toMatchObject(refusal(404, 'order_not_found'));
    for (const address of ['right', '', 5, null, `${'r'.repeat(250)}@example.com`]) {
      expect(await ask(address)).toMatchObject(refusal(400, 'invalid_request'));
    }
    await suspend();
    expect(await ask()).toMatchObject(refusal(403, 'seller_not_eligible'));
    expect(await openRequests()).toEqual([]);
    expect(await decide(order, 'approve')).toMatchObject(notFound);
    expect(await decide({ id: 'nothing' }, 'approve')).toMatchObject(notFound);
    expect(await decide(order, 'perhaps')).toMatchObject(refusal(400, 'invalid_request'));
  });

  test('does not decide as an admin, and ten decisions at once are one', async () => {
    const own = await openShop('root');
    await own.ask();
    for (const decision of ['approve', 'reject']) {
      expect(await decide(own.order, decision)).toMatchObject(refusal(403, 'self_review_forbidden'));
    }
    const { order, ask } = await openShop();
    await ask();
    const decided = await Promise.all(Array.from({ length: 10 }, (_, index) => decide(order, index % 2 === 0 ? 'approve' : 'reject')));
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of decided.filter(({ status }) => status !== 200)) expect(reply).toMatchObject(notFound);
  });
});
