import { expect } from '@jest/globals';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { getProduct, replaceProduct } from '../../../shared/products/product-repository.ts';
import type { Marketplace } from '../../support/scenes/marketplace.ts';
import { id, ok, type Row } from './rows.ts';

/** The product with these terms, as if they had been reviewed. */
async function sell({ id }: ProductRecord, terms: Partial<ProductRecord>, { table }: Pick<Marketplace, 'table'>): Promise<void> {
  const product = await getProduct(table, id);
  await table.transact(replaceProduct(product, { ...product, ...terms, revision: product.revision + 1 }));
}

const checkout = (at: string, quantity: number, unitAmount: number) =>
  ok(
    {
      order_id: id('ord'),
      checkout_url: expect.stringContaining('/c/pay/cs_test_'),
      expires_at: new Date(Date.parse(at) + 30 * 60_000 + 20_000).toISOString(),
      quantity,
      unit_amount: unitAmount,
      amount: quantity * unitAmount,
      currency: 'JPY',
    },
    201,
  );

/** What is bought for a license that was sold. */
export const additionRows: Record<string, Row> = {
  'additions: createAddition': {
    ask: async ({ product, token }, market) => {
      await sell(product, { additionPrices: { seat: 700 } }, market);
      return { body: { token, kind: 'seats', quantity: 3 } };
    },
    reply: (_, { at }) => checkout(at, 3, 700),
  },
  'additions: createUpgrade': {
    ask: async ({ product, csvProduct, token }, market) => {
      const upgradesFrom = [{ productId: product.id, priceAmount: 900 }];
      await sell(csvProduct, { upgradesFrom, licenseIssuanceMode: 'generated_server_validated' }, market);
      return { body: { token, product_id: csvProduct.id } };
    },
    reply: (_, { at }) => checkout(at, 1, 900),
  },
};
