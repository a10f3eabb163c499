import { describe, expect, test } from '@jest/globals';
import { codeStockPartitions } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { productStatuses, saleBlockers } from '../../../shared/products/product.ts';
import { findSaleBlockers, saleBlockersOf, showProduct } from '../../../shared/products/sale-blockers.ts';
import { reviewStatuses } from '../../../shared/sellers/seller.ts';
import { emptyTable } from '../../support/empty-table.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';

const payments = [
  { paymentChargesEnabled: true, isReady: true },
  { paymentChargesEnabled: false, isReady: false },
  { paymentConnectedAccountId: undefined, isReady: false },
  { paymentOnboardingStatus: 'restricted' as const, isReady: false },
];

describe.each(productStatuses)('what keeps a product that is %s from sale', (status) => {
  test.each(reviewStatuses)('with a seller that is %s, in the order of the list', (internalReviewStatus) => {
    for (const { isReady, ...payment } of payments) {
      for (const isOut of [false, true]) {
        const expected = [
          !internalReviewStatus.startsWith('approved') && 'seller_not_approved',
          !isReady && 'payment_not_ready',
          !['approved', 'published', 'suspended'].includes(status) && 'not_approved',
          status === 'suspended' && 'suspended',
          isOut && 'out_of_stock',
        ].filter((blocker) => blocker !== false);
        const seller = sampleSeller({ ...sellingSeller, internalReviewStatus, ...payment });
        expect(saleBlockersOf({ status }, seller, { isOut })).toEqual(expected);
      }
    }
  });
});

test('a product whose seller is not there sells as little as one of a seller that may do nothing', () => {
  expect(saleBlockersOf({ status: 'suspended' }, undefined, { isOut: true })).toEqual(saleBlockers.filter((b) => b !== 'not_approved'));
});

test('a product shows with its page and what keeps it from sale', async () => {
  const c = { table: emptyTable, settings: { PUBLIC_BASE_URL: 'https://shop.example.com', REVIEW_DUE_HOURS: 24 } };
  const product = { slug: '波形', licenseIssuanceMode: 'imported_csv', status: 'approved' } as const;
  expect(await showProduct(c, sampleProduct(product), sampleSeller(sellingSeller))).toMatchObject({
    url: 'https://shop.example.com/p/%E6%B3%A2%E5%BD%A2',
    onSale: false,
    saleBlockers: ['out_of_stock'],
  });
});

test('only a product of imported codes has its stock looked at', async () => {
  const partitions: string[] = [];
  const query: Table['query'] = async (request) => {
    partitions.push(request.partition);
    return emptyTable.query(request);
  };
  const table = { ...emptyTable, query };
  const seller = sampleSeller(sellingSeller);
  const imported = sampleProduct({ status: 'approved', licenseIssuanceMode: 'imported_csv' });
  expect(await findSaleBlockers(table, sampleProduct({ status: 'approved' }), seller)).toEqual([]);
  expect(await findSaleBlockers(table, imported, seller)).toEqual(['out_of_stock']);
  expect(partitions).toEqual(codeStockPartitions(imported.id));
});
