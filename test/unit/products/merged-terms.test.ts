import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { termFaults } from '../../../shared/products/offers/merged-terms.ts';
import { withPendingApplied } from '../../../shared/products/pending-revision.ts';
import { draftProduct, type ProductRecord, ProductUpsertRequest } from '../../../shared/products/product.ts';
import { productAfterEdit } from '../../../shared/products/product-states.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';

const at = '2026-02-01T00:00:00.000Z';
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
