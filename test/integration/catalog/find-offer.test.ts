import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findOffer } from '../../../functions/pages/find-offer.ts';
import { drawCode, stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import { newId } from '../../../shared/ids.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { createSlugMemory } from '../../../shared/products/slug-memory.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';
import { testKeyring } from '../../support/scenes/projection-harness.ts';

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
