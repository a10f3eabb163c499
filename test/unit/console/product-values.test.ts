import { describe, expect, test } from '@jest/globals';
import { bodySchemaOf } from '../../../infra/bundles/body-schema.ts';
import { fieldWords } from '../../../shared/products/fields.ts';
import { ProductUpsertRequest } from '../../../shared/products/product.ts';
import { wireName } from '../../../shared/wire.ts';
import { inLanguage } from '../../support/in-language.ts';

const {
  exports: { alikeInProduct, faultsIn, labelKey, liveValues, newProduct, productBody, productFaults, savedValues },
} = await inLanguage(
  'en',
  `export { faultsIn } from './forms/faults.ts';
   export { productFaults } from './seller/products/product-faults.ts';
   export * from './seller/products/product-values.ts';`,
);

const schema = bodySchemaOf(ProductUpsertRequest);
const fresh = newProduct({ currency: 'JPY', supportEmail: 'help@pen.example' });
const filled = {
  ...fresh,
  name: 'Pen',
  description: 'Draws',
  price_amount: '１，２００',
  refund_policy: 'None',
  software_operating_environment: 'macOS',
  features: ' export \n\nimport\n',
  feature_labels: { [labelKey('ja', 'export')]: '書き出し', [labelKey('en', 'export')]: ' ', [labelKey('ja', 'gone')]: 'x' },
};
const faultsOf = productFaults((body: object, values: object) => faultsIn(schema, body, values));

/** The product as the service answers with it. */
const product = {
  id: 'prd_1',
  seller_id: 'sel_1',
  slug: 'pen',
  status: 'approved',
  url: 'https://x.example/p/pen',
  on_sale: true,
  sale_blockers: [],
  license_issuance_mode: 'generated_server_validated',
  ...productBody(filled),
  tax_percent: 10,
  offline_days: 14,
  offline_file_days: 0,
  updates_days: 36_500,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  revision: 4,
};

describe('what is sent', () => {
  test('is what was typed, as the API has it', () => {
    expect(productBody(filled)).toEqual({
      name: 'Pen',
      description: 'Draws',
      price_amount: 1200,
      currency: 'JPY',
      support_email: 'help@pen.example',
      refund_policy: 'None',
      software_operating_environment: 'macOS',
      forbidden_category_acknowledged: false,
      license_issuance_mode: 'generated_server_validated',
      license_key_prefix: 'LIC1',
      activation_limit: 1,
      features: ['export', 'import'],
      feature_labels: { export: { ja: '書き出し' } },
      deactivation_allowed: true,
      offline_days: 14,
      offline_file_days: 0,
      updates_days: 36_500,
      max_quantity: 1,
      tax_percent: 10,
      addition_prices: {},
      upgrades_from: [],
    });
    expect(faultsOf(filled)).toEqual([]);
  });

  test('has a value for each field of a product', () => {
    const names = Object.keys(fieldWords).map(wireName);
    const lacking = names.filter((name) => !Object.keys(fresh).some((value) => value === name || value.startsWith(`${name}.`)));
    expect(lacking).toEqual([]);
    const before = { ...filled, tokushoho_seller_name: 'a', tokushoho_contact: 'b', tokushoho_address: 'c' };
    expect(Object.keys(productBody(before, before)).toSorted()).toEqual(names.toSorted());
  });

  test('holds prices of more seats, more updates and upgrades where there are any', () => {
    const selling = {
      ...filled,
      currency: 'USD',
      max_quantity: '２５',
      tax_percent: '8',
      'addition_prices.seat': '4.50',
      upgrades_from: { prd_old: '0', prd_lite: '１２', prd_other: ' ' },
    };
    const body = productBody(selling);
    expect(body).toMatchObject({ max_quantity: 25, tax_percent: 8, addition_prices: { seat: 450 } });
    expect(body.addition_prices).not.toHaveProperty('updates');
    expect(body.upgrades_from).toEqual([
      { product_id: 'prd_old', price_amount: 0 },
      { product_id: 'prd_lite', price_amount: 1200 },
    ]);
    const back = liveValues({ ...product, ...body, tax_percent: 8 });
    expect(back).toMatchObject({ 'addition_prices.seat': '4.50', 'addition_prices.updates': '', upgrades_from: { prd_lite: '12.00' } });
  });

  test('holds an optional text that was emptied, and none that never was', () => {
    const before = { ...filled, tokushoho_contact: '03-1234' };
    expect(productBody({ ...before, tokushoho_contact: '' }, before)).toMatchObject({ tokushoho_contact: '' });
    expect(productBody(filled, filled)).not.toHaveProperty('tokushoho_contact');
  });

  test('takes labels away that were emptied', () => {
    expect(productBody({ ...filled, feature_labels: {} }, filled)).toMatchObject({ feature_labels: {} });
    expect(productBody({ ...filled, feature_labels: {} })).not.toHaveProperty('feature_labels');
  });
});

test('a product that comes back fills the form with what is sent again', () => {
  const values = liveValues(product);
  expect(productBody(values, values)).toEqual(productBody(filled));
  for (const [field, value] of Object.entries(values)) {
    if (field !== 'feature_labels') expect([field, alikeInProduct(field, value, filled[field])]).toEqual([field, true]);
  }
});

test('what waits is edited further, and what is live stays beside it', () => {
  const pending = { status: 'draft', changes: { name: 'Pencil', price_amount: 900, feature_labels: {} }, updated_at: product.updated_at };
  const saved = { name: 'Pencil', price_amount: '900', feature_labels: {}, description: 'Draws' };
  expect(savedValues({ ...product, pending })).toMatchObject(saved);
  expect(liveValues({ ...product, pending })).toMatchObject({ name: 'Pen', price_amount: '1200' });
});

test.each([
  ['features', 'a\nb', ' a \n\nb\n', true],
  ['features', 'a\nb', 'b\na', false],
  ['price_amount', '1200', '１，２００', true],
  ['price_amount', '12.50', '12.5', false],
  ['activation_limit', '5', '５', true],
  ['activation_limit', 'x', '', false],
  ['updates_days', '', '36500', true],
  ['addition_prices.seat', '1200', '1,200', true],
  ['addition_prices.seat', '', '0', false],
  ['upgrades_from', { a: '1,200', b: '' }, { a: '1200' }, true],
  ['upgrades_from', { a: '0' }, {}, false],
  ['name', 'a', 'a ', false],
])('of %s, %j is sent as %j is: %p', (field, one, other, isAlike) => {
  expect(alikeInProduct(field, one, other)).toBe(isAlike);
});

test('what is wrong is told of every field at once, of a price as people write it', () => {
  const faults = faultsOf({
    ...fresh,
    support_email: '',
    price_amount: '12.5',
    activation_limit: '',
    offline_days: 'x',
    features: `\n\n${'y'.repeat(65)}`,
    max_quantity: '101',
    'addition_prices.updates': '9.5',
    upgrades_from: { prd_old: '0', prd_lite: 'much' },
  });
  expect(faults).toEqual(
    expect.arrayContaining([
      { field: 'price_amount', text: 'must be a whole amount in this currency' },
      { field: 'name', text: 'is missing' },
      { field: 'support_email', text: 'is missing' },
      { field: 'activation_limit', text: 'is missing' },
      { field: 'offline_days', text: 'must be a whole number' },
      { field: 'max_quantity', text: 'must be at most 100' },
      { field: 'addition_prices.updates', text: 'must be a whole amount in this currency' },
      { field: 'upgrades_from', at: 'much', text: 'must be an amount such as 120000' },
      { field: 'features', at: '3', text: 'must be at most 64 characters long' },
    ]),
  );
  expect(new Set(faults.map(({ field }: { field: string }) => field)).size).toBe(faults.length);
});
