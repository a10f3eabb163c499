import { beforeAll, describe, expect, test } from '@jest/globals';
import { fileReviewTable } from '../../../shared/product-files/file-states.ts';
import { writtenFields } from '../../../shared/products/fields.ts';
import { productReviewDecisions, productReviewTable } from '../../../shared/products/product-states.ts';
import { reviewTable } from '../../../shared/sellers/seller.ts';
import { wireName } from '../../../shared/wire.ts';
import { inLanguage } from '../../support/in-language.ts';

let reviews: any;
beforeAll(async () => {
  ({ exports: reviews } = await inLanguage(
    'en',
    `export { choicesOf as sellerChoices } from './admin/sellers/seller-choices.ts';
     export { choicesOf as productChoices, waitingKind } from './admin/products/product-choices.ts';
     export { fileChoices } from './admin/products/file-choices.ts';
     export { comparedFields, comparisonOf } from './admin/products/comparison.ts';
     export { nextOf, placeOf } from './admin/decisions/queue-places.ts';`,
  ));
});

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
    ['verified', 'not_scanned', true],
    ['verified', 'error', true],
    ['verified', 'infected', false],
    ['unverified', 'not_scanned', true],
    ['mismatch', 'not_scanned', false],
    ['error', 'not_scanned', false],
  ])('on a file with hash %s and scan %s, whether to vouch for it: %p', (hash_status, scan_status, mayVouch) => {
    const file = { ...clean, status: 'pending_review', hash_status, scan_status, scan_trusted_clean: false };
    expect(decisionsOf(reviews.fileChoices(file))).toEqual([...(mayVouch ? ['manual_clean'] : []), 'disable', 'reject']);
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
