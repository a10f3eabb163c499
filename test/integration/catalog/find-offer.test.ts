import { beforeAll, describe, expect, test } from '@jest/globals';
import { createFindOffer, type FindOffer } from '../../../functions/pages/find-offer.ts';
import { createCheckoutService } from '../../../shared/orders/checkout-service.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { createProductRepository } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { createSellerRepository } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';

describe('what a product page offers', () => {
  let store: TestTable;
  let findOffer: FindOffer;
  let stock: boolean;

  const put = async (product: Partial<ProductRecord> = {}, seller: Partial<SellerRecord> = {}) => {
    const owner = sampleSeller({ ...sellingSeller, ...seller });
    const offered = sampleProduct({ status: 'approved', sellerId: owner.id, ...product });
    await store.table.transact([
      ...createSellerRepository({ table: store.table }).createSeller(owner),
      ...createProductRepository({ table: store.table }).createProduct(offered),
    ]);
    return offered.slug;
  };

  beforeAll(async () => {
    store = await createTestTable();
    stock = true;
    const products = createProductRepository({ table: store.table });
    // Whether something is for sale is decided without orders, provider or tokens.
    const unused = {} as never;
    const checkout = createCheckoutService({
      products,
      hasStock: async () => stock,
      orders: unused,
      checkoutSessions: unused,
      stage: 'local',
      publicBaseUrl: 'http://127.0.0.1:3000',
      feeBasisPoints: 1000,
      tokenKeys: unused,
      now: () => new Date(),
    });
    findOffer = createFindOffer({ products, checkout });
  });

  test('is on sale when product and seller are approved and payments are possible: two requests to the table', async () => {
    const slug = await put({ name: '波形エディター' }, { displayName: 'みなと工房' });
    store.takeRequestCounts();
    expect(await findOffer(slug)).toMatchObject({ product: { slug, name: '波形エディター' }, sellerName: 'みなと工房', onSale: true });
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 1 });
  });

  test.each([{ status: 'draft' }, { status: 'suspended' }, { status: 'unpublished' }] as const)(
    'is nothing when the product is not public (%j)',
    async (product) => {
      expect(await findOffer(await put(product))).toBeUndefined();
    },
  );

  test('is nothing when the seller is suspended, or the slug is unknown', async () => {
    expect(await findOffer(await put({}, { internalReviewStatus: 'suspended' }))).toBeUndefined();
    expect(await findOffer('no-such-product')).toBeUndefined();
  });

  test('is shown but not on sale when the seller cannot take payments, or no code is left', async () => {
    const restricted = await put({}, { paymentOnboardingStatus: 'restricted' });
    expect(await findOffer(restricted)).toMatchObject({ onSale: false });
    const imported = await put({ licenseIssuanceMode: 'imported_csv' });
    expect(await findOffer(imported)).toMatchObject({ onSale: true });
    stock = false;
    expect(await findOffer(imported)).toMatchObject({ onSale: false });
  });
});
