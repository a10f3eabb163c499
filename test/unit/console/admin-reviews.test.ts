import { describe, expect, test } from '@jest/globals';
import { changesOf } from '../../../functions/console/browser/admin/audit/changes.ts';
import { auditPathOf, pathOfTarget, shortId } from '../../../functions/console/browser/admin/audit/targets.ts';
import { newId } from '../../../shared/ids.ts';
import { fileReviewTable } from '../../../shared/product-files/file-states.ts';
import { writtenFields } from '../../../shared/products/fields.ts';
import { productReviewDecisions, productReviewTable } from '../../../shared/products/product-states.ts';
import { releaseTransitions } from '../../../shared/releases/release-states.ts';
import { reviewTable } from '../../../shared/sellers/seller.ts';
import { wireName } from '../../../shared/wire.ts';
import { inLanguage } from '../../support/in-language.ts';

const { exports: reviews } = await inLanguage(
  'en',
  `export { choicesOf as sellerChoices } from './admin/sellers/seller-choices.ts';
   export { choicesOf as productChoices, waitingKind } from './admin/products/product-choices.ts';
   export { fileChoices } from './admin/products/file-choices.ts';
   export { isRescannable, isUnsettled } from './admin/decisions/reviewed-file.ts';
   export { comparedFields, comparisonOf } from './admin/products/comparison.ts';
   export { nextOf, placeOf } from './admin/decisions/queue-places.ts';
   export { previousRelease } from './admin/releases/last-release.ts';
   export { choicesOf as releaseChoices } from './admin/releases/release-choices.ts';`,
);

const decisionsOf = (choices: { decision: string; refused?: string }[]) =>
  choices.filter(({ refused }) => refused === undefined).map(({ decision }) => decision);
const outcomesIn = (row: Record<string, string>, ...outcomes: string[]) =>
  Object.keys(row).filter((decision) => outcomes.includes(row[decision] ?? ''));

describe('what admins can decide', () => {
  test.each(Object.entries(reviewTable))('on a seller in %s is what moves it', (status, row) => {
    expect(decisionsOf(reviews.sellerChoices({ internal_review_status: status }))).toEqual(outcomesIn(row, 'yes'));
  });

  test.each(Object.entries(productReviewTable))('on a product in %s is what moves it', (status, row) => {
    const choices = reviews.productChoices({ status, sale_blockers: [] });
    expect(decisionsOf(choices)).toEqual(outcomesIn(row, 'yes', 'lift'));
  });

  test.each(Object.keys(productReviewTable))('on the change of a product in %s needs one that is on sale', (status) => {
    for (const pending of ['draft', 'pending_review', 'rejected']) {
      const decisions = decisionsOf(reviews.productChoices({ status, sale_blockers: [], pending: { status: pending } }));
      const decides = ['approved', 'published'].includes(status) && pending === 'pending_review';
      if (decides) expect(decisions).toEqual([...productReviewDecisions]);
      else expect(decisions).toEqual(decisionsOf(reviews.productChoices({ status, sale_blockers: [] })));
    }
  });

  const clean = { purpose: 'download', visibility: 'private', hash_status: 'verified', scan_status: 'clean', scan_trusted_clean: true };
  test.each(Object.entries(fileReviewTable))('on a clean file in %s is what changes it', (status, row) => {
    const { manual_clean: _, mark_manual_clean: __, ...decisions } = row;
    expect(decisionsOf(reviews.fileChoices({ ...clean, status })).toSorted()).toEqual(
      outcomesIn(decisions, 'yes', 'visibility').toSorted(),
    );
  });

  test.each([
    ['verified', 'not_scanned', true, false],
    ['verified', 'error', true, true],
    ['verified', 'infected', false, true],
    ['verified', 'clean', true, false],
    ['unverified', 'not_scanned', true, false],
    ['unverified', 'infected', false, false],
    ['mismatch', 'not_scanned', false, false],
    ['error', 'not_scanned', false, false],
  ])(
    'on a file with hash %s and scan %s, whether to vouch for it: %p, and to have it scanned again: %p',
    (hash_status, scan_status, mayVouch, mayRescan) => {
      const file = { ...clean, status: 'pending_review', hash_status, scan_status, scan_trusted_clean: false };
      expect(decisionsOf(reviews.fileChoices(file))).toEqual([...(mayVouch ? ['manual_clean'] : []), 'disable', 'reject']);
      expect(decisionsOf(reviews.fileChoices({ ...file, was_infected: true }))).toEqual(['disable', 'reject']);
      expect(reviews.isRescannable(file)).toBe(mayRescan);
    },
  );

  test('is looked at again while a file is checked that waits, or that was to be scanned anew', () => {
    const file = { ...clean, status: 'disabled', scan_status: 'not_scanned', scan_trusted_clean: false };
    const changes = [{ status: 'pending_review' }, { was_infected: true }, { was_infected: true, scan_status: 'clean' }, {}];
    expect(changes.map((change) => reviews.isUnsettled({ ...file, ...change }))).toEqual([true, true, false, false]);
  });

  test('is told with what else keeps a product from sale', () => {
    const effectsOf = (sale_blockers: string[]) => reviews.productChoices({ status: 'pending_review', sale_blockers })[0].effects[0];
    expect(effectsOf(['not_approved'])).toContain('buyers can buy it at once');
    expect(effectsOf(['payment_not_ready', 'not_approved'])).toContain('not sold yet');
  });
});

describe('a product that is decided on', () => {
  const values = { name: 'A', price_amount: 1, feature_labels: { a: { en: 'A', ja: 'あ' } } };

  test('is compared in every field that a seller writes', () => {
    expect([...reviews.comparedFields].toSorted()).toEqual(Object.keys(writtenFields).map(wireName).toSorted());
  });

  test('is compared with what is live, else with the last decision, else with nothing', () => {
    const last_decision = { values: { ...values, name: 'Z' } };
    expect(reviews.comparisonOf({ ...values, pending: { changes: { name: 'B' } }, last_decision })).toMatchObject({
      ...{ against: 'live', before: { name: 'A' }, after: { name: 'B', price_amount: 1 }, count: 1 },
    });
    expect(reviews.comparisonOf({ ...values, last_decision })).toMatchObject({ against: 'decision', before: { name: 'Z' }, count: 1 });
    expect(reviews.comparisonOf(values)).toMatchObject({ against: 'nothing', count: 0 });
  });

  test('has the fields first that differ, and no difference in the order of labels', () => {
    const last_decision = { values: { ...values, price_amount: 2, feature_labels: { a: { ja: 'あ', en: 'A' } } } };
    const { fields, count } = reviews.comparisonOf({ ...values, last_decision });
    expect(fields.slice(0, 2)).toEqual(['price_amount', 'name']);
    expect(count).toBe(1);
    expect(fields).toHaveLength(reviews.comparedFields.length);
  });
});

describe('the queue', () => {
  const item = (target_id: string, more: object = {}) => ({ kind: 'product', target_id, ready: true, own: false, title: '1.0', ...more });

  test('has next what waits longest, is ready and not the admin’s own, and was not just decided', () => {
    const items = [item('own', { own: true }), item('blocked', { ready: false }), item('done'), item('done', { kind: 'revision' })];
    expect(reviews.nextOf(items, { kind: 'product', target_id: 'done' })).toMatchObject({ kind: 'revision' });
    expect(reviews.nextOf(items.slice(0, 3), { kind: 'product', target_id: 'done' })).toBe(undefined);
  });

  test.each([
    ['seller', 'sel_1', undefined, '/console/admin/sellers/sel_1'],
    ['product', 'prd_1', 'prd_1', '/console/admin/products/prd_1'],
    ['revision', 'prd_1', 'prd_1', '/console/admin/products/prd_1'],
    ['file', 'fil_1', 'prd_1', '/console/admin/products/prd_1'],
    ['release', 'rel_1', 'prd_1', '/console/admin/products/prd_1/releases/1.0'],
  ])('leads from a %s to its screen', (kind, target_id, product_id, place) => {
    expect(reviews.placeOf({ kind, target_id, product_id, title: '1.0' })).toBe(place);
  });
});

describe('an audit record', () => {
  test('tells the facts that changed, or all where none did', () => {
    expect(changesOf({ before: { status: 'draft', revision: 3 }, after: { status: 'draft', revision: 4 } })).toEqual([
      { name: 'revision', before: 3, after: 4 },
    ]);
    expect(changesOf({ after: { status: 'draft' } })).toEqual([{ name: 'status', before: undefined, after: 'draft' }]);
    expect(changesOf({ before: { active: true } })).toEqual([{ name: 'active', before: true, after: undefined }]);
    const same = { status: 'approved', revision: 3 };
    expect(changesOf({ before: same, after: same }).map(({ name }) => name)).toEqual(['status', 'revision']);
    expect(changesOf({})).toEqual([]);
  });

  test('leads to the screen of what it is about, and to all records of it', () => {
    const [seller, product, order] = [newId('seller'), newId('product'), newId('order')];
    expect([seller, product, order].map(pathOfTarget)).toEqual([
      `/console/admin/sellers/${seller}`,
      `/console/admin/products/${product}`,
      `/console/admin/orders/${order}`,
    ]);
    expect([newId('license'), 'orders', 'sel', '', 'constructor_x'].map(pathOfTarget)).toEqual(Array(5).fill(undefined));
    expect(pathOfTarget('sel_/../x')).toBe('/console/admin/sellers/sel_%2F..%2Fx');
    expect(auditPathOf('a b&c')).toBe('/console/admin/audit?target_id=a%20b%26c');
  });

  test('calls an id by its kind and its end, and all else whole', () => {
    expect(shortId('sel_01KG9T2V5N8QZ4X7R3B6D0F1HJ')).toBe('sel_…D0F1HJ');
    const whole = ['orders', 'sel_1', '', 'user-with-a-long-name-of-its-own'];
    expect(whole.map(shortId)).toEqual(whole);
  });
});

describe('the release that one is compared with', () => {
  const release = (id: string, month?: string) => ({ id, ...(month && { published_at: `2026-${month}-01T00:00:00.000Z` }) });
  const [first, second, third] = [release('1', '01'), release('3', '02'), release('2', '03')];

  test('was published last before it, whatever their versions', () => {
    const published = [second, third, first];
    expect(reviews.previousRelease(release('4'), published)?.id).toBe('2');
    expect(reviews.previousRelease(third, published)?.id).toBe('3');
    expect(reviews.previousRelease(second, published)?.id).toBe('1');
    expect(reviews.previousRelease(first, published)).toBeUndefined();
    expect(reviews.previousRelease(release('4'), [])).toBeUndefined();
    expect(reviews.previousRelease(first, [{ id: '1', published_at: '2025-01-01T00:00:00.000Z' }])).toBeUndefined();
  });
});

describe('what admins can decide on a release', () => {
  const clean = { filename: 'a.zip', status: 'pending_review', hash_status: 'verified', scan_status: 'clean', scan_trusted_clean: true };
  const product = { productStatus: 'published', files: [clean] };
  const decisions = ['approve', 'reject', 'yank'] as const;

  test.each(['draft', 'pending_review', 'approved', 'published', 'yanked'] as const)('that is %s is what moves it', (status) => {
    const moving = decisions.filter((decision) => !['no', status].includes(releaseTransitions[decision][status]));
    expect(reviews.releaseChoices({ status }, product).map(({ decision }: { decision: string }) => decision)).toEqual(moving);
  });

  test.each([
    [{ scan_trusted_clean: false }, 'Nobody vouches'],
    [{ scan_status: 'infected', scan_trusted_clean: false }, 'Nobody vouches'],
    [{ hash_status: 'mismatch' }, 'hash of the file is not verified'],
    [{ hash_status: 'unverified', scan_trusted_clean: false }, 'hash of the file is not verified'],
    [{ status: 'rejected', hash_status: 'mismatch' }, 'not in a state for this'],
    [{ status: 'disabled' }, 'not in a state for this'],
    [{ status: 'approved' }, undefined],
    [{}, undefined],
  ])('with a file that is %j', (file, refusal) => {
    const [approve, reject] = reviews.releaseChoices({ status: 'pending_review' }, { ...product, files: [clean, { ...clean, ...file }] });
    expect(approve?.refused ?? 'none').toContain(refusal ?? 'none');
    expect(reject?.refused).toBeUndefined();
  });

  test('of a product that is suspended', () => {
    const [approve, reject] = reviews.releaseChoices({ status: 'pending_review' }, { ...product, productStatus: 'suspended' });
    expect([approve?.refused, reject?.refused]).toEqual(['The product is suspended', undefined]);
  });

  test('says whether it is published at once, and for how many devices', () => {
    const effectOf = (release: object) => reviews.releaseChoices({ status: 'pending_review', ...release }, product)[0]?.effects[0];
    expect(effectOf({})).toContain('the seller can publish it');
    expect(effectOf({ publish_on_approval: true })).toContain('100 % of devices');
    expect(effectOf({ publish_on_approval: true, rollout_percent: 0 })).toContain('0 % of devices');
  });
});
