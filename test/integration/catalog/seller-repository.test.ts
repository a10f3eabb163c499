import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Table } from '../../../shared/db/table.ts';
import type { SellerId } from '../../../shared/ids.ts';
import { reviewStatuses, type SellerRecord } from '../../../shared/sellers/seller.ts';
import {
  addSeller,
  countProduct,
  findSeller,
  findSellerOfAccount,
  findSellerOfUser,
  getSeller,
  linkAccount,
  listSellers,
  recordReview,
} from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';

describe('seller repository', () => {
  let table: Table;
  const clock = new Date('2026-02-01T10:00:00.000Z');

  beforeEach(async () => {
    ({ table } = await createTestTable());
  });

  async function saved(changes: Partial<SellerRecord> = {}): Promise<SellerRecord> {
    const seller = sampleSeller(changes);
    await table.transact(addSeller(seller));
    return seller;
  }

  test('a user has at most one seller, found by id, user and account', async () => {
    const both = [sampleSeller({ ownerUserId: 'u1' }), sampleSeller({ ownerUserId: 'u1' })];
    const outcomes = await Promise.allSettled(both.map((seller) => table.transact(addSeller(seller))));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);

    const seller = await findSellerOfUser(table, 'u1');
    expect(await getSeller(table, seller!.id)).toEqual(seller);
    await table.write(linkAccount(seller!.id, 'acct_1'));
    expect(await findSellerOfAccount(table, 'acct_1')).toEqual(seller);
    await expect(table.write(linkAccount(sampleSeller().id, 'acct_1'))).rejects.toThrow();
    expect((await listSellers(table, { limit: 10 })).items).toEqual([seller]);
  });

  test('nothing is found under unknown or malformed ids', async () => {
    expect(await findSeller(table, 'sel_../x' as SellerId)).toBeUndefined();
    expect(await findSeller(table, sampleSeller().id)).toBeUndefined();
    await expect(getSeller(table, 'sel_nothing' as SellerId)).rejects.toMatchObject({ code: 'seller_not_found' });
    expect(await findSellerOfUser(table, 'nobody')).toBeUndefined();
    expect(await findSellerOfAccount(table, 'acct_unknown')).toBeUndefined();
  });

  test('lists oldest first, page by page, filtered by review status', async () => {
    const days = [3, 1, 5, 2, 4];
    for (const day of days) {
      const status = day % 2 === 0 ? 'approved' : 'pending_review';
      await saved({ displayName: `day ${day}`, createdAt: `2026-01-0${day}T00:00:00.000Z`, internalReviewStatus: status });
    }
    const first = await listSellers(table, { limit: 3 });
    const second = await listSellers(table, { limit: 3, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map((seller) => seller.displayName)).toEqual(['day 1', 'day 2', 'day 3', 'day 4', 'day 5']);
    expect(second.nextCursor).toBeUndefined();

    const approved = await listSellers(table, { limit: 2, internalReviewStatus: 'approved' });
    expect(approved.items.map((seller) => seller.displayName)).toEqual(['day 2', 'day 4']);
  });

  test.each(reviewStatuses)('counts products of a seller in state %s as its state allows', async (internalReviewStatus) => {
    const limits = { most: 100, mostUnapproved: 7 };
    const count = (id: SellerId) => table.write(countProduct(id, limits));
    const { id } = await saved({ internalReviewStatus, productCount: 98, approvedBefore: true });
    const counted = count(id);
    if (internalReviewStatus === 'suspended' || internalReviewStatus === 'rejected') {
      await expect(counted).rejects.toMatchObject({ code: 'seller_not_eligible' });
      return;
    }
    expect(await counted).toMatchObject({ productCount: 99 });
    await count(id);
    await expect(count(id)).rejects.toMatchObject({ code: 'too_many_products' });

    const never = await saved({ internalReviewStatus, productCount: 6 });
    expect(await count(never.id)).toMatchObject({ productCount: 7 });
    const isApproved = internalReviewStatus.startsWith('approved');
    const eighth = await count(never.id).catch(({ code }) => code);
    expect(eighth).toEqual(isApproved ? expect.objectContaining({ productCount: 8 }) : 'too_many_products');
    await table.write(recordReview({ now: () => clock }, await getSeller(table, never.id), { status: 'suspended' }));
    expect((await getSeller(table, never.id)).approvedBefore ?? false).toBe(isApproved);
  });

  test('nothing is counted for a seller that does not exist', async () => {
    await expect(table.write(countProduct(sampleSeller().id, { most: 100, mostUnapproved: 10 }))).rejects.toMatchObject({
      code: 'seller_required',
    });
  });
});
