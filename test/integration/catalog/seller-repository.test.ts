import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Table } from '../../../shared/db/table.ts';
import type { SellerId } from '../../../shared/ids.ts';
import { reviewStatuses, type SellerRecord } from '../../../shared/sellers/seller.ts';
import { createSellerRepository, type SellerRepository } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';

describe('seller repository', () => {
  let table: Table;
  let sellers: SellerRepository;
  const clock = new Date('2026-02-01T10:00:00.000Z');

  beforeEach(async () => {
    ({ table } = await createTestTable());
    sellers = createSellerRepository({ table, now: () => clock });
  });

  async function saved(changes: Partial<SellerRecord> = {}): Promise<SellerRecord> {
    const seller = sampleSeller(changes);
    await table.transact(sellers.createSeller(seller));
    return seller;
  }

  test('a user has at most one seller, found by id, user and account', async () => {
    const both = [sampleSeller({ ownerUserId: 'u1' }), sampleSeller({ ownerUserId: 'u1' })];
    const outcomes = await Promise.allSettled(both.map((seller) => table.transact(sellers.createSeller(seller))));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);

    const seller = await sellers.findSellerOfUser('u1');
    expect(await sellers.getSeller(seller!.id)).toEqual(seller);
    await table.write(sellers.linkAccount(seller!.id, 'acct_1'));
    expect(await sellers.findSellerOfAccount('acct_1')).toEqual(seller);
    await expect(table.write(sellers.linkAccount(sampleSeller().id, 'acct_1'))).rejects.toThrow();
    expect((await sellers.listSellers({ limit: 10 })).items).toEqual([seller]);
  });

  test('nothing is found under unknown or malformed ids', async () => {
    expect(await sellers.findSeller('sel_../x' as SellerId)).toBeUndefined();
    expect(await sellers.findSeller(sampleSeller().id)).toBeUndefined();
    await expect(sellers.getSeller('sel_nothing' as SellerId)).rejects.toMatchObject({ code: 'seller_not_found' });
    expect(await sellers.findSellerOfUser('nobody')).toBeUndefined();
    expect(await sellers.findSellerOfAccount('acct_unknown')).toBeUndefined();
  });

  test('lists oldest first, page by page, filtered by review status', async () => {
    const days = [3, 1, 5, 2, 4];
    for (const day of days) {
      const status = day % 2 === 0 ? 'approved' : 'pending_review';
      await saved({ displayName: `day ${day}`, createdAt: `2026-01-0${day}T00:00:00.000Z`, internalReviewStatus: status });
    }
    const first = await sellers.listSellers({ limit: 3 });
    const second = await sellers.listSellers({ limit: 3, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map((seller) => seller.displayName)).toEqual(['day 1', 'day 2', 'day 3', 'day 4', 'day 5']);
    expect(second.nextCursor).toBeUndefined();

    const approved = await sellers.listSellers({ limit: 2, internalReviewStatus: 'approved' });
    expect(approved.items.map((seller) => seller.displayName)).toEqual(['day 2', 'day 4']);
  });

  test.each(reviewStatuses)('counts products of a seller in state %s as its state allows', async (internalReviewStatus) => {
    const limits = { most: 100, mostUnapproved: 7 };
    const count = (id: SellerId) => table.write(sellers.countProduct(id, limits));
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
    await table.write(sellers.recordReview(await sellers.getSeller(never.id), { status: 'suspended' }));
    expect((await sellers.getSeller(never.id)).approvedBefore ?? false).toBe(isApproved);
  });

  test('nothing is counted for a seller that does not exist', async () => {
    await expect(table.write(sellers.countProduct(sampleSeller().id, { most: 100, mostUnapproved: 10 }))).rejects.toMatchObject({
      code: 'seller_required',
    });
  });
});
