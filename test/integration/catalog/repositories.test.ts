import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findOffer } from '../../../functions/pages/find-offer.ts';
import { drawCode, stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { Needs } from '../../../shared/context.ts';
import { listKey, listPartitions, slugKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId, type ProductId, type SellerId } from '../../../shared/ids.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { listIds, listIdsOfSeller } from '../../../shared/products/product-id-repository.ts';
import {
  addProduct,
  findProduct,
  findProductAndSellerBySlug,
  findProductBySlug,
  getProduct,
  replaceProduct,
} from '../../../shared/products/product-repository.ts';
import { createSlugMemory } from '../../../shared/products/slug-memory.ts';
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
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';
import { testKeyring } from '../../support/scenes/projection-harness.ts';

describe('the product repository', () => {
  let store: TestTable;
  let c: Needs<'table' | 'slugs'>;

  beforeEach(async () => {
    store = await createTestTable();
    c = { table: store.table, slugs: createSlugMemory() };
  });

  test('finds a product by its id and by every slug it ever had', async () => {
    const first = sampleProduct({ slug: 'first' });
    await store.table.transact(addProduct(first));
    const renamed = { ...first, slug: 'second', slugs: ['first', 'second'], revision: 2 };
    await store.table.transact(replaceProduct(first, renamed));

    expect(await findProduct(store.table, first.id)).toEqual(renamed);
    expect(await findProductBySlug(store.table, 'first')).toEqual(renamed);
    expect(await findProductBySlug(store.table, 'second')).toEqual(renamed);
    expect(await findProductBySlug(store.table, 'third')).toBeUndefined();
  });

  test('sends no request to the table for what cannot be an id or a slug', async () => {
    store.takeRequestCounts();
    for (const text of ['', '../x', 'prd_', 'prd_%00', `prd_${'0'.repeat(26)}\0`, 'sel_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
      expect(await findProduct(store.table, text as ProductId)).toBeUndefined();
    }
    for (const text of ['', 'a/../b', 'a\0', 'x'.repeat(5000), '-']) {
      expect(await findProductBySlug(store.table, text)).toBeUndefined();
    }
    await expect(getProduct(store.table, 'x' as ProductId)).rejects.toMatchObject({ code: 'product_not_found' });
    await expect(getProduct(store.table, newId('product'))).rejects.toMatchObject({ code: 'product_not_found' });
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1 });
  });

  describe('by slug, with its seller', () => {
    const add = async (change: Partial<ProductRecord> = {}) => {
      const seller = sampleSeller();
      const product = sampleProduct({ sellerId: seller.id, ...change });
      await store.table.transact([...addSeller(seller), ...addProduct(product)]);
      return product;
    };
    const rename = async (read: ProductRecord, slug: string) => {
      const renamed = { ...read, slug, slugs: [...read.slugs, slug], revision: read.revision + 1 };
      await store.table.transact(replaceProduct(read, renamed));
      return renamed;
    };
    const idAt = async (slug: string) => (await findProductAndSellerBySlug(c, slug))?.product.id;

    test('takes two requests to the table, and one where the slug was found before', async () => {
      const product = await add({ slug: 'editor' });
      store.takeRequestCounts();
      expect(await idAt('editor')).toBe(product.id);
      expect(store.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 1 });
      expect(await idAt('editor')).toBe(product.id);
      expect(store.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
    });

    test('shows the product as it is now, however often its slug was found', async () => {
      const product = await add({ slug: 'editor' });
      await findProductAndSellerBySlug(c, 'editor');
      const renamed = await rename(product, 'studio');
      expect((await findProductAndSellerBySlug(c, 'editor'))?.product).toEqual(renamed);
      expect((await findProductAndSellerBySlug(c, 'studio'))?.product).toEqual(renamed);
    });

    test('a slug that leads nowhere leads to the product that takes it later', async () => {
      expect(await idAt('later')).toBeUndefined();
      const product = await add({ slug: 'later' });
      expect(await idAt('later')).toBe(product.id);
    });

    test('follows a slug that was given to another product behind its back', async () => {
      const [former, other] = [await add({ slug: 'editor' }), await add({ slug: 'studio', slugs: ['studio', 'editor'] })];
      expect(await idAt('editor')).toBe(former.id);
      // No way of the service leads here: it never gives a slug away.
      await store.table.transact(replaceProduct(former, { ...former, slug: 'left', slugs: ['left'], revision: 2 }));
      const pointer = { ...slugKey('editor'), productId: other.id, sellerId: other.sellerId };
      await store.table.write({ put: { Item: pointer } });
      expect(await idAt('editor')).toBe(other.id);
      expect(await idAt('editor')).toBe(other.id);
    });

    test('finds a product under a slug that it remembers no more', async () => {
      const { id, sellerId } = await add({ slug: 'editor' });
      expect(await idAt('editor')).toBe(id);
      for (let number = 0; number < 1000; number += 1) c.slugs.remember(`name-${number}`, { productId: id, sellerId });
      store.takeRequestCounts();
      expect([await idAt('editor'), await idAt('editor')]).toEqual([id, id]);
      expect(store.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 2 });
    });
  });

  describe('lists ids of products', () => {
    const at = '2026-01-31T09:00:00.000Z';

    test('of all in pages of at most 200, each once, in one request a page', async () => {
      const last = listPartitions('products').at(-1);
      const isInLast = (id: ProductId) => listKey('products', at, id).listPk === last;
      const made = Array.from({ length: 4500 }, () => newId('product'));
      const ids = [...made.filter(isInLast).slice(0, 430), ...made.filter((id) => !isInLast(id)).slice(0, 20)];
      const items = ids.map((id) => ({ put: { Item: { pk: id, sk: 'PRODUCT', id, ...listKey('products', at, id) } } }));
      while (items.length > 0) await store.table.transact(items.splice(0, 100));
      const pages: string[][] = [];
      let cursor: string | undefined;
      store.takeRequestCounts();
      do {
        const page = await listIds(store.table, cursor);
        pages.push(page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(store.takeRequestCounts()).toEqual({ Query: pages.length });
      expect(Math.max(...pages.map(({ length }) => length))).toBe(200);
      expect(pages.flat().toSorted()).toEqual(ids.toSorted());
      const places = ['99/', '-1/', 'x/', '0.5/'].map((place) => Buffer.from(`product-ids ${place}`).toString('base64url'));
      for (const wrong of ['nonsense', ...places]) {
        await expect(listIds(store.table, wrong)).rejects.toMatchObject({ code: 'invalid_request' });
      }
    });

    test('of a seller, in one request', async () => {
      const sellerId = newId('seller');
      const own = [sampleProduct({ sellerId }), sampleProduct({ sellerId })];
      await store.table.transact([...own, sampleProduct()].flatMap((product) => addProduct(product)));
      store.takeRequestCounts();
      expect((await listIdsOfSeller(store.table, sellerId)).toSorted()).toEqual(own.map(({ id }) => id).toSorted());
      expect(store.takeRequestCounts()).toEqual({ Query: 1 });
      expect(await listIdsOfSeller(store.table, newId('seller'))).toEqual([]);
    });
  });
});

describe('what a product page offers', () => {
  let store: TestTable;
  const slugs = createSlugMemory();
  const offerAt = (slug: string) => findOffer({ table: store.table, now: () => new Date(), slugs }, slug, {});

  const put = async (product: Partial<ProductRecord> = {}, seller: Partial<SellerRecord> = {}) => {
    const owner = sampleSeller({ ...sellingSeller, ...seller });
    const offered = sampleProduct({ status: 'approved', sellerId: owner.id, ...product });
    await store.table.transact([...addSeller(owner), ...addProduct(offered)]);
    return offered;
  };

  beforeAll(async () => {
    store = await createTestTable();
  });

  test('is on sale when product and seller are approved and payments are possible: two requests to the table', async () => {
    const { slug } = await put({ name: '波形エディター' }, { displayName: 'みなと工房' });
    store.takeRequestCounts();
    expect(await offerAt(slug)).toMatchObject({ product: { slug, name: '波形エディター' }, sellerName: 'みなと工房', onSale: true });
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 1 });
  });

  test.each([{ status: 'draft' }, { status: 'suspended' }, { status: 'unpublished' }] as const)(
    'is nothing when the product is not public (%j)',
    async (product) => {
      expect(await offerAt((await put(product)).slug)).toBeUndefined();
    },
  );

  test('is shown but not on sale when the seller cannot take payments, or no code is left', async () => {
    const restricted = await put({}, { paymentOnboardingStatus: 'restricted' });
    expect(await offerAt(restricted.slug)).toMatchObject({ onSale: false });
    const imported = await put({ licenseIssuanceMode: 'imported_csv' });
    const c = { table: store.table, randomBytes, settings: { ENCRYPTION_KEYS: testKeyring() } };
    await store.table.write(stockCode(c, { productId: imported.id, codeHash: 'h1', code: 'CODE-1', batchId: newId('batch') }));
    expect(await offerAt(imported.slug)).toMatchObject({ onSale: true });
    await store.table.transact((await drawCode(c, imported.id))?.writes ?? []);
    expect(await offerAt(imported.slug)).toMatchObject({ onSale: false });
  });
});

describe('the seller repository', () => {
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
