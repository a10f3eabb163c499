import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId, type ProductId } from '../../../shared/ids.ts';
import { createProductRepository, type ProductRepository } from '../../../shared/products/product-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';

describe('the product repository', () => {
  let store: TestTable;
  let products: ProductRepository;

  beforeEach(async () => {
    store = await createTestTable();
    products = createProductRepository({ table: store.table });
  });

  test('finds a product by its id and by every slug it ever had', async () => {
    const first = sampleProduct({ slug: 'first' });
    await store.table.transact(products.createProduct(first));
    const renamed = { ...first, slug: 'second', slugs: ['first', 'second'], revision: 2 };
    await store.table.transact(products.replaceProduct(first, renamed));

    expect(await products.findProduct(first.id)).toEqual(renamed);
    expect(await products.findProductBySlug('first')).toEqual(renamed);
    expect(await products.findProductBySlug('second')).toEqual(renamed);
    expect(await products.findProductBySlug('third')).toBeUndefined();
  });

  test('sends no request to the table for what cannot be an id or a slug', async () => {
    store.takeRequestCounts();
    for (const text of ['', '../x', 'prd_', 'prd_%00', `prd_${'0'.repeat(26)}\0`, 'sel_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
      expect(await products.findProduct(text as ProductId)).toBeUndefined();
    }
    for (const text of ['', 'a/../b', 'a\0', 'x'.repeat(5000), '-']) {
      expect(await products.findProductBySlug(text)).toBeUndefined();
    }
    await expect(products.getProduct('x' as ProductId)).rejects.toMatchObject({ code: 'product_not_found' });
    await expect(products.getProduct(newId('product'))).rejects.toMatchObject({ code: 'product_not_found' });
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1 });
  });

  test('gives a slug to one of ten that reserve it at once, and stores nothing of the others', async () => {
    const sellerId = newId('seller');
    const rivals = Array.from({ length: 10 }, () => sampleProduct({ slug: 'wanted', sellerId }));
    const outcomes = await Promise.allSettled(rivals.map((product) => store.table.transact(products.createProduct(product))));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    expect(refusals).toEqual(Array(9).fill('slug_reserved'));
    const { items } = await products.listProductsOfSeller(sellerId, { limit: 100, newestFirst: true });
    expect(items).toHaveLength(1);
    expect(await products.findProductBySlug('wanted')).toEqual(items[0]);
    expect((await products.listProducts({ limit: 100 })).items).toEqual(items);
  });

  test('replaces only the product that was read', async () => {
    const read = sampleProduct();
    await store.table.transact(products.createProduct(read));
    await store.table.transact(products.replaceProduct(read, { ...read, name: 'Other', revision: 2 }));
    await expect(store.table.transact(products.replaceProduct(read, { ...read, name: 'Third', revision: 2 }))).rejects.toThrow();
    await expect(store.table.transact([products.productUnchanged(read)])).rejects.toThrow();
    expect((await products.getProduct(read.id)).name).toBe('Other');
  });
});
