import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';

const features = ['export_wav', 'batchRun', 'Spectral-View', 'constructor'];
const labels = {
  export_wav: { en: 'Export to WAV', ja: 'WAV書き出し' },
  batchRun: { en: 'Batch processing' },
  'Spectral-View': { ja: 'スペクトル表示' },
};

let harness: CatalogHarness;
let call: Awaited<ReturnType<CatalogHarness['newSeller']>>['call'];
let made = 0;

const create = (fields: object) => {
  made += 1;
  return call('POST', '/v1/products', { body: { ...productRequest, name: `Labelled ${made}`, ...fields } });
};
const patch = ({ id, name }: { id: string; name: string }, fields: object) =>
  call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...fields } });

beforeAll(async () => {
  harness = await createCatalogHarness();
  ({ call } = await harness.newSeller({ paymentOnboardingStatus: 'payouts_enabled' }));
});

describe('the labels of features', () => {
  test('come back under the identifiers as they were given, to the seller and to the public', async () => {
    const { status, json } = await create({ features, feature_labels: labels });
    expect(status).toBe(201);
    expect(json.feature_labels).toEqual(labels);
    expect((await call('GET', `/v1/products/${json.id}`)).json.feature_labels).toEqual(labels);
    await call('POST', `/v1/products/${json.id}/submit-review`);
    await harness.adminCall('PATCH', `/v1/admin/products/${json.id}/review`, { body: { decision: 'approve' } });
    const shown = await harness.publicCall('GET', `/v1/public/products/${json.slug}`);
    expect(shown.json).toMatchObject({ features, feature_labels: labels });
  });

  test('may be of a feature of any name, through every edit and review', async () => {
    const names = ['constructor', '__proto__', '_constructor', '___proto__', 'toString', 'hasOwnProperty', 'toJSON', 'then'];
    const labelled = (word: string) => Object.fromEntries(names.map((name) => [name, { en: `${word} ${name}` }]));
    const sorted = (fields: object) => Object.entries(fields).sort();
    const { json } = await create({ features: names, feature_labels: labelled('First') });
    await call('POST', `/v1/products/${json.id}/submit-review`);
    await harness.adminCall('PATCH', `/v1/admin/products/${json.id}/review`, { body: { decision: 'approve' } });
    const edited = await patch(json, { feature_labels: labelled('Second') });
    const shown = await harness.publicCall('GET', `/v1/public/products/${json.slug}`);
    expect(sorted(shown.json.feature_labels)).toEqual(sorted(labelled('First')));
    expect(sorted(edited.json.pending.changes.feature_labels)).toEqual(sorted(labelled('Second')));
  });

  test('are absent from a product that has none', async () => {
    expect((await create({ features })).json).not.toHaveProperty('feature_labels');
    expect((await create({ features, feature_labels: {} })).json).not.toHaveProperty('feature_labels');
  });

  test.each([
    ['of a feature that is not listed', { features: ['a'], feature_labels: { b: { en: 'B' } } }],
    ['of a feature whose name every object has', { features: ['a'], feature_labels: { constructor: { en: 'B' } } }],
    ['without features', { feature_labels: { a: { en: 'A' } } }],
    ['in another language', { features: ['a'], feature_labels: { a: { en: 'A', fr: 'A' } } }],
    ['in no language', { features: ['a'], feature_labels: { a: {} } }],
    ['that are empty', { features: ['a'], feature_labels: { a: { en: '' } } }],
    ['that are blank', { features: ['a'], feature_labels: { a: { ja: '  ' } } }],
    ['of 101 characters', { features: ['a'], feature_labels: { a: { ja: 'あ'.repeat(101) } } }],
    ['that turn the reading order', { features: ['a'], feature_labels: { a: { en: 'A\u202e' } } }],
    ['that are no text', { features: ['a'], feature_labels: { a: 'A' } }],
    ['in a list', { features: ['a'], feature_labels: ['a'] }],
    ['that are null', { features: ['a'], feature_labels: null }],
  ])('%s are refused', async (_, fields) => {
    const reply = await create(fields);
    expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect(reply.json.message).toMatch(/^feature_labels/);
  });

  test('may be 100 of 100 characters, and no more', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `f${index}`);
    const long = Object.fromEntries(many.map((feature) => [feature, { en: '🎨'.repeat(100) }]));
    expect((await create({ features: many, feature_labels: long })).json.feature_labels).toEqual(long);
    const over = { ...long, f100: { en: 'x' } };
    expect((await create({ features: many, feature_labels: over })).status).toBe(400);
  });

  test('stay when an update leaves them out, and go with their feature', async () => {
    const { json } = await create({ features, feature_labels: labels });
    const renamed = await patch(json, { description: 'Edits more.' });
    expect(renamed.json).toMatchObject({ feature_labels: labels, revision: 2 });
    const fewer = await patch(json, { features: ['batchRun'] });
    expect(fewer.json).toMatchObject({ features: ['batchRun'], feature_labels: { batchRun: labels.batchRun } });
    expect((await patch(json, { features: ['other'] })).json).not.toHaveProperty('feature_labels');
  });

  test('are compared with the features that the update leaves', async () => {
    const { json } = await create({ features: ['a', 'b'] });
    expect((await patch(json, { feature_labels: { a: { en: 'A' } } })).json.feature_labels).toEqual({ a: { en: 'A' } });
    expect((await patch(json, { features: ['b'], feature_labels: { a: { en: 'A' } } })).status).toBe(400);
    expect((await patch(json, { feature_labels: { b: { ja: 'い' } } })).json.feature_labels).toEqual({ b: { ja: 'い' } });
    expect((await patch(json, { feature_labels: {} })).json).not.toHaveProperty('feature_labels');
  });

  test('that say nothing new leave the product on sale and its revision as it is', async () => {
    const { json } = await create({ features, feature_labels: labels });
    await call('POST', `/v1/products/${json.id}/submit-review`);
    const approved = await harness.adminCall('PATCH', `/v1/admin/products/${json.id}/review`, { body: { decision: 'approve' } });
    const turned = Object.fromEntries(Object.entries(labels).reverse());
    const same = await patch(json, { feature_labels: turned });
    expect(same.json).toMatchObject({ status: 'approved', revision: approved.json.revision });
    const other = await patch(json, { feature_labels: { ...labels, batchRun: { en: 'Batches' } } });
    const changes = { feature_labels: { ...labels, batchRun: { en: 'Batches' } } };
    expect(other.json).toMatchObject({
      status: 'approved',
      feature_labels: labels,
      pending: { changes },
      revision: approved.json.revision + 1,
    });
  });

  test('of none leave a product without any on sale', async () => {
    const { json } = await create({ features });
    const same = await patch(json, { feature_labels: {} });
    expect(same.json.revision).toBe(json.revision);
  });
});
