import { beforeEach, describe, expect, test } from '@jest/globals';
import type { SellerId } from '../../../shared/ids.ts';
import { newId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { addSeller, getSeller, recordReview } from '../../../shared/sellers/seller-repository.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';

const error = (status: number, code: string) => ({ status, json: { code } });
const notFound = error(404, 'request_not_found');
const day = 24 * 3600_000;

let office: AddressOffice;
beforeEach(async () => {
  office = await openAddressOffice();
});

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
    await decide(unknown.order, 'reject');
    expect(await office.work()).toEqual([]);
    expect([await unknown.shown(), await known.shown()]).toMatchObject([{ decision: 'reject' }, { decision: 'approve' }]);
    await unknown.ask('other@example.com');
    expect(await unknown.shown()).not.toHaveProperty('decision');
    expect(await openRequests()).toHaveLength(1);
  });

  test('is forgotten after 30 days, and by the buyer’s own correction', async () => {
    const [late, corrected] = [await openShop('alice'), await openShop('bob')];
    await corrected.ask('right@example.com');
    expect((await office.correct(corrected.order, 'mine@example.com')).status).toBe(202);
    expect(await corrected.shown()).toBeUndefined();
    expect(await decide(corrected.order, 'approve')).toMatchObject(notFound);
    await late.ask();
    office.passTime(30 * day - 1);
    expect(await openRequests()).toHaveLength(1);
    office.passTime(1);
    expect(await openRequests()).toEqual([]);
    expect(await late.shown()).toBeUndefined();
    expect(await decide(late.order, 'approve')).toMatchObject(notFound);
  });

  test('asks for paid sales of their own alone, while they may sell', async () => {
    const { order, ask, suspend } = await openShop();
    const other = await openShop('bob', { paid: false });
    expect(await ask('right@example.com', 'bob')).toMatchObject(error(403, 'forbidden'));
    expect(await other.ask()).toMatchObject(error(400, 'order_not_paid'));
    expect(await ask('right@example.com', 'alice', { id: newId('order') })).toMatchObject(error(404, 'order_not_found'));
    for (const address of ['right', '', 5, null, `${'r'.repeat(250)}@example.com`]) {
      expect(await ask(address)).toMatchObject(error(400, 'invalid_request'));
    }
    await suspend();
    expect(await ask()).toMatchObject(error(403, 'seller_not_eligible'));
    expect(await openRequests()).toEqual([]);
    expect(await decide(order, 'approve')).toMatchObject(notFound);
    expect(await decide({ id: 'nothing' }, 'approve')).toMatchObject(notFound);
    expect(await decide(order, 'perhaps')).toMatchObject(error(400, 'invalid_request'));
  });

  test('does not decide as an admin, and ten decisions at once are one', async () => {
    const own = await openShop('root');
    await own.ask();
    for (const decision of ['approve', 'reject']) {
      expect(await decide(own.order, decision)).toMatchObject(error(403, 'self_review_forbidden'));
    }
    const { order, ask } = await openShop();
    await ask();
    const decided = await Promise.all(Array.from({ length: 10 }, (_, index) => decide(order, index % 2 === 0 ? 'approve' : 'reject')));
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of decided.filter(({ status }) => status !== 200)) expect(reply).toMatchObject(notFound);
  });
});
