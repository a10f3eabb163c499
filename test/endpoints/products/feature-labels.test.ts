import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogHarness, createCatalogHarness, type Owner } from '../../support/scenes/catalog-harness.ts';

const features = ['export_wav', 'batchRun', 'Spectral-View', 'constructor'];
const labels = {
  export_wav: { en: 'Export to WAV', ja: 'WAV書き出し' },
  batchRun: { en: 'Batch processing' },
  'Spectral-View': { ja: 'スペクトル表示' },
};

let catalog: CatalogHarness;
let owner: Owner;
beforeAll(async () => {
  catalog = await createCatalogHarness();
  owner = await catalog.newSeller();
});

describe('the labels of features', () => {
  test('come back under the identifiers as they were given, to the seller and to the public', async () => {
    const product = await owner.offered({ features, feature_labels: labels });
    expect(product.feature_labels).toEqual(labels);
    expect(await catalog.shown(product.slug)).toMatchObject({ features, feature_labels: labels });
  });

  test('may be of a feature of any name, through every edit and review', async () => {
    const names = ['constructor', '__proto__', '_constructor', '___proto__', 'toString', 'hasOwnProperty', 'toJSON', 'then'];
    const labelled = (word: string) => Object.fromEntries(names.map((name) => [name, { en: `${word} ${name}` }]));
    const sorted = (fields: object) => Object.entries(fields).sort();
    const { id, slug } = await owner.offered({ features: names, feature_labels: labelled('First') });
    const edited = await owner.patch(id, { feature_labels: labelled('Second') });
    expect(sorted((await catalog.shown(slug)).feature_labels)).toEqual(sorted(labelled('First')));
    expect(sorted(edited.json.pending.changes.feature_labels)).toEqual(sorted(labelled('Second')));
  });

  test('are absent from a product that has none, and of none change nothing', async () => {
    const product = await owner.create({ features, feature_labels: {} });
    expect(product).not.toHaveProperty('feature_labels');
    expect((await owner.patch(product.id, { feature_labels: {} })).json).toEqual(product);
  });

  test.each([
    ['of a feature that is not listed', { features: ['a'], feature_labels: { b: { en: 'B' } } }],
    ['of a feature whose name every object has', { features: ['a'], feature_labels: { constructor: { en: 'B' } } }],
    ['without features', { feature_labels: { a: { en: 'A' } } }],
    ['in another language', { features: ['a'], feature_labels: { a: { en: 'A', fr: 'A' } } }],
    ['in no language', { features: ['a'], feature_labels: { a: {} } }],
    ['that are blank', { features: ['a'], feature_labels: { a: { ja: '  ' } } }],
    ['of 101 characters', { features: ['a'], feature_labels: { a: { ja: 'あ'.repeat(101) } } }],
    ['that turn the reading order', { features: ['a'], feature_labels: { a: { en: 'A\u202e' } } }],
    ['that are no text', { features: ['a'], feature_labels: { a: 'A' } }],
    ['in a list', { features: ['a'], feature_labels: ['a'] }],
  ])('%s are refused', async (_, fields) => {
    const { status, json } = await owner.send(fields);
    expect([status, json.code, json.message]).toEqual([400, 'invalid_request', expect.stringMatching(/^feature_labels/)]);
  });

  test('are compared with the features that the update leaves, stay when it leaves them out, and go with their feature', async () => {
    const { id } = await owner.create({ features, feature_labels: labels });
    expect((await owner.patch(id, { description: 'Edits more.' })).json).toMatchObject({ feature_labels: labels, revision: 2 });
    expect((await owner.patch(id, { features: ['batchRun'] })).json.feature_labels).toEqual({ batchRun: labels.batchRun });
    expect((await owner.patch(id, { features: ['b'], feature_labels: { batchRun: { en: 'A' } } })).status).toBe(400);
    expect((await owner.patch(id, { features: ['b'] })).json).not.toHaveProperty('feature_labels');
    expect((await owner.patch(id, { feature_labels: { b: { ja: 'い' } } })).json.feature_labels).toEqual({ b: { ja: 'い' } });
    expect((await owner.patch(id, { feature_labels: {} })).json).not.toHaveProperty('feature_labels');
  });

  test('of a product on sale wait with its other changes, but where they say nothing new', async () => {
    const live = await owner.offered({ features, feature_labels: labels });
    const turned = Object.fromEntries(Object.entries(labels).reverse());
    expect((await owner.patch(live.id, { feature_labels: turned })).json).toEqual(live);
    const changes = { feature_labels: { ...labels, batchRun: { en: 'Batches' } } };
    const { json } = await owner.patch(live.id, changes);
    expect(json).toMatchObject({ status: 'approved', feature_labels: labels, pending: { changes }, revision: live.revision + 1 });
    await owner.patch(live.id, { features: ['batchRun'] });
    expect((await owner.patch(live.id, { feature_labels: labels })).json.message).toMatch(/^feature_labels must name only /);
  });
});
