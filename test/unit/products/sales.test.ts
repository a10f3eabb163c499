import { describe, expect, test } from '@jest/globals';
import { codeStockPartitions, productKey, sellerKey } from '../../../shared/db/keys.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { termFaults } from '../../../shared/products/offers/merged-terms.ts';
import { withPendingApplied } from '../../../shared/products/pending-revision.ts';
import {
  draftProduct,
  type ProductRecord,
  ProductUpsertRequest,
  productRequests,
  productStatuses,
  saleBlockers,
} from '../../../shared/products/product.ts';
import { productAfterEdit } from '../../../shared/products/product-states.ts';
import { readPublicProduct } from '../../../shared/products/public-product.ts';
import { findSaleBlockers, saleBlockersOf, showProduct } from '../../../shared/products/sale-blockers.ts';
import { createSlugMemory } from '../../../shared/products/slug-memory.ts';
import { reviewStatuses } from '../../../shared/sellers/seller.ts';
import { emptyTable } from '../../support/empty-table.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';

const at = '2026-02-01T00:00:00.000Z';

describe('a product request', () => {
  const { sellerId: _, ...filled } = sampleProduct();
  const schema = productRequests(['JPY', 'USD']).create;
  const base = {
    name: filled.name,
    description: filled.description,
    priceAmount: 1200,
    currency: 'JPY',
    supportEmail: filled.supportEmail,
    refundPolicy: filled.refundPolicy,
    softwareOperatingEnvironment: filled.softwareOperatingEnvironment,
  };
  const isTaken = (field: string, value: unknown) => schema.safeParse({ ...base, [field]: value }).success;
  const strings = (length: number) => Array.from({ length }, () => 'x');
  test.each<[string, taken: unknown[], refused: unknown[]]>([
    ['priceAmount', [0, 99_999_999], [-1, 100_000_000, 1.5, true]],
    ['currency', ['JPY', 'usd'], ['EUR', 'JPYE', 'ＪＰＹ', 'JP']],
    ['activationLimit', [1, 100_000], [0, 100_001]],
    ['licenseKeyPrefix', ['A', 'ABCDEFGHIJ12'], ['', '1A', 'a', 'ABCDEFGHIJ123']],
    ['features', [strings(100), ['x'.repeat(64)]], [strings(101), ['x'.repeat(65)], [''], 'pro', ['sound\u2067']]],
    ['name', ['x'.repeat(200)], [' ', null, 5, '***', 'x'.repeat(201), 'Pаint', `${'x'.repeat(200)}\u200b`, 'Right\u202e to left']],
    ['supportEmail', [base.supportEmail], ['nobody', 'a@b']],
    ['forbiddenCategoryAcknowledged', [true, undefined], ['true']],
    ['offlineDays', [0, 90], [-1, 91, 1.5, '14', null]],
    ['offlineFileDays', [0, 366], [-1, 367, 1.5, '14', null]],
    ['updatesDays', [0, 36_500], [-1, 36_501, 1.5, '365', null]],
    ['description', [base.description, 'a\u202eb\u2066'], ['']],
    ['refundPolicy', [base.refundPolicy], [' ']],
    ['softwareOperatingEnvironment', [base.softwareOperatingEnvironment, 'Linux\nWindows'], ['', 'Linux\u200f']],
    ['tokushohoContact', ['Phone'], ['Phone\u061c']],
    ['licenseIssuanceMode', ['imported_csv'], ['by_hand']],
    ['deactivationAllowed', [false], ['yes']],
    ['tokushohoAddress', [''], [5]],
  ])('has %s as it may be, and not as it may not', (field, taken, refused) => {
    expect(taken.filter((value) => !isTaken(field, value))).toEqual([]);
    expect(refused.filter((value) => isTaken(field, value))).toEqual([]);
  });

  test('has the defaults of an optional field that is left out', () => {
    const made = { id: filled.id, sellerId: sampleProduct().sellerId, at };
    expect(draftProduct(made, schema.parse(base))).toMatchObject({
      status: 'draft',
      approvedBefore: false,
      revision: 1,
      forbiddenCategoryAcknowledged: false,
      licenseIssuanceMode: 'generated_server_validated',
      licenseKeyPrefix: 'LIC1',
      activationLimit: 1,
      features: [],
      deactivationAllowed: true,
      createdAt: made.at,
      updatedAt: made.at,
    });
  });
});

test('what the public cannot see is not found, whatever hides it', async () => {
  const seller = sampleSeller({ internalReviewStatus: 'approved' });
  const offer = { product: sampleProduct({ status: 'approved', sellerId: seller.id, slug: 'any' }), seller };
  const place = { productId: offer.product.id, sellerId: seller.id };
  const read = (found: typeof offer | undefined) => {
    const items: Item[] = found
      ? [
          { ...productKey(found.product.id), ...found.product },
          { ...sellerKey(found.seller.id), ...found.seller },
        ]
      : [];
    const table = { ...emptyTable, get: async () => found && place, batchGet: async () => items };
    return readPublicProduct({ table, slugs: createSlugMemory() }, 'any');
  };
  await expect(read(offer)).resolves.toMatchObject({ id: offer.product.id, sellerDisplayName: offer.seller.displayName });
  const hidden = [
    undefined,
    { ...offer, product: { ...offer.product, status: 'draft' as const } },
    { ...offer, seller: { ...offer.seller, internalReviewStatus: 'suspended' as const } },
  ];
  for (const found of hidden) await expect(read(found)).rejects.toMatchObject({ code: 'product_not_found' });
});

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

const from = newId('product');
const offer = (priceAmount: number) => [{ productId: from, priceAmount }];

describe('terms that do not fit each other', () => {
  const inSteps = (field: string, step = 100) => `${field} must be a multiple of ${step} in this currency`;
  const inKronur = { currency: 'isk', updatesDays: 30 };
  test.each<[Partial<ProductRecord>, string[]]>([
    [{ maxQuantity: 1, licenseIssuanceMode: 'imported_csv' }, []],
    [{ maxQuantity: 2, licenseIssuanceMode: 'imported_csv' }, ['max_quantity must be 1 where license_issuance_mode is imported_csv']],
    [{ maxQuantity: 100, activationLimit: 1000 }, []],
    [{ maxQuantity: 100, activationLimit: 1001 }, ['max_quantity must be at most 99 with this activation_limit']],
    [{ maxQuantity: 2, activationLimit: 50_001 }, ['max_quantity must be at most 1 with this activation_limit']],
    [{ additionPrices: { updates: 500 }, updatesDays: 36_499 }, []],
    [
      { additionPrices: { updates: 5 }, updatesDays: 36_500 },
      ['addition_prices.updates must be left out where updates_days is without end'],
    ],
    [{ additionPrices: { seat: 500 }, updatesDays: 36_500 }, []],
    [{ ...inKronur, additionPrices: { seat: 300, updates: 500 }, upgradesFrom: offer(0) }, []],
    [{ ...inKronur, additionPrices: { seat: 310 } }, [inSteps('addition_prices.seat')]],
    [{ ...inKronur, additionPrices: { updates: 550 } }, [inSteps('addition_prices.updates')]],
    [{ ...inKronur, upgradesFrom: [...offer(0), ...offer(120)] }, [inSteps('upgrades_from.1.price_amount')]],
    [{ currency: 'KWD', additionPrices: { seat: 125 } }, [inSteps('addition_prices.seat', 10)]],
    [{ currency: 'JPY', additionPrices: { seat: 7 }, upgradesFrom: offer(13) }, []],
  ])('%j: %j', (fields, faults) => {
    expect(termFaults(sampleProduct(fields))).toEqual(faults);
  });

  test('make no product, and change none', () => {
    const made = { id: newId('product'), sellerId: newId('seller'), at };
    const request = ProductUpsertRequest.parse({ ...sampleProduct(), maxQuantity: 3, activationLimit: 50_000 });
    const refused = expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(/^max_quantity /) });
    expect(() => draftProduct(made, request)).toThrow(refused);
    for (const status of ['draft', 'approved'] as const) {
      const product = sampleProduct({ status, maxQuantity: 3 });
      const { maxQuantity: _, ...sent } = ProductUpsertRequest.parse({ ...product, activationLimit: 50_000 });
      expect(() => productAfterEdit(product, sent, at)).toThrow(refused);
    }
  });

  test('are so after a change of the other one alone', () => {
    const product = sampleProduct({ updatesDays: 365, additionPrices: { updates: 700 } });
    const { additionPrices: _, ...sent } = ProductUpsertRequest.parse(product);
    expect(() => productAfterEdit(product, { ...sent, updatesDays: 36_500 }, at)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
    expect(productAfterEdit(product, { ...sent, updatesDays: 30 }, at)).toMatchObject({
      updatesDays: 30,
      additionPrices: { updates: 700 },
    });
  });
});

describe('prices of additions and upgrades', () => {
  const priced = { currency: 'JPY', additionPrices: { seat: 900 }, upgradesFrom: offer(1200) };
  const sent = (product: ProductRecord, fields: object) => {
    const { additionPrices: _, upgradesFrom: __, ...others } = ProductUpsertRequest.parse(product);
    return { ...others, ...fields };
  };

  const anew = (field: string) => `${field} must be given anew with another currency`;
  test.each([
    [{ currency: 'jpy' }, {}, undefined],
    [{ currency: 'USD' }, {}, `${anew('addition_prices')}; ${anew('upgrades_from')}`],
    [{ currency: 'USD', additionPrices: { seat: 900 } }, {}, anew('upgrades_from')],
    [{ currency: 'USD', upgradesFrom: [] }, {}, anew('addition_prices')],
    [{ currency: 'USD', additionPrices: {}, upgradesFrom: [] }, {}, undefined],
    [{ currency: 'USD', upgradesFrom: offer(10) }, { additionPrices: {} }, undefined],
    [{ currency: 'USD', additionPrices: { seat: 9 } }, { upgradesFrom: [] }, undefined],
  ])('sent %j, of what has %j, are judged: %s', (fields, has, message) => {
    for (const status of ['draft', 'approved'] as const) {
      const product = sampleProduct({ status, ...priced, ...has });
      const edit = () => productAfterEdit(product, sent(product, fields), at);
      if (message === undefined) expect(withPendingApplied(edit())).toMatchObject(fields);
      else expect(edit).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
    }
  });

  test('stay when they are left out, go when they are empty, and are replaced whole', () => {
    const product = sampleProduct({ ...priced, updatesDays: 365, additionPrices: { seat: 900, updates: 700 } });
    expect(productAfterEdit(product, sent(product, {}), at)).toBe(product);
    expect(productAfterEdit(product, sent(product, { additionPrices: { updates: 800 } }), at).additionPrices).toEqual({ updates: 800 });
    expect(productAfterEdit(product, sent(product, { additionPrices: {}, upgradesFrom: [] }), at)).toMatchObject({
      additionPrices: {},
      upgradesFrom: [],
    });
  });

  test('of a product on sale wait with everything else, also where the same numbers are meant in another currency', () => {
    const product = sampleProduct({ status: 'approved', ...priced });
    const fields = { currency: 'USD', additionPrices: { seat: 900 }, upgradesFrom: offer(50) };
    const edited = productAfterEdit(product, sent(product, fields), at);
    expect(edited).toMatchObject({ ...priced, pending: { changes: { currency: 'USD', upgradesFrom: offer(50) } } });
    expect(withPendingApplied(edited)).toMatchObject(fields);
    // What is pending is in the new currency already.
    expect(productAfterEdit(edited, sent(withPendingApplied(edited), { currency: 'usd' }), at).pending?.changes.currency).toBe('usd');
    expect(() => productAfterEdit(edited, sent(edited, { currency: 'JPY' }), at)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});
