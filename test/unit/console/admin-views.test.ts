import { beforeAll, describe, expect, test } from '@jest/globals';
import { changesOf } from '../../../functions/console/browser/admin/audit/changes.ts';
import { auditPathOf, pathOfTarget, shortId } from '../../../functions/console/browser/admin/audit/targets.ts';
import { newId } from '../../../shared/ids.ts';
import { releaseTransitions } from '../../../shared/releases/release-states.ts';
import { inLanguage } from '../../support/in-language.ts';

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
  let previousRelease: (release: object, published: object[]) => { id: string } | undefined;
  beforeAll(async () => {
    ({ previousRelease } = (await inLanguage('en', `export { previousRelease } from './admin/releases/last-release.ts';`)).exports);
  });
  const release = (id: string, month?: string) => ({ id, ...(month && { published_at: `2026-${month}-01T00:00:00.000Z` }) });
  const [first, second, third] = [release('1', '01'), release('3', '02'), release('2', '03')];

  test('was published last before it, whatever their versions', () => {
    const published = [second, third, first];
    expect(previousRelease(release('4'), published)?.id).toBe('2');
    expect(previousRelease(third, published)?.id).toBe('3');
    expect(previousRelease(second, published)?.id).toBe('1');
    expect(previousRelease(first, published)).toBeUndefined();
    expect(previousRelease(release('4'), [])).toBeUndefined();
    expect(previousRelease(first, [{ id: '1', published_at: '2025-01-01T00:00:00.000Z' }])).toBeUndefined();
  });
});

describe('what admins can decide on a release', () => {
  let choicesOf: (release: object, product: object) => { decision: string; effects: string[]; refused?: string }[];
  beforeAll(async () => {
    ({ choicesOf } = (await inLanguage('en', `export { choicesOf } from './admin/releases/release-choices.ts';`)).exports);
  });
  const clean = { filename: 'a.zip', status: 'pending_review', hash_status: 'verified', scan_status: 'clean', scan_trusted_clean: true };
  const product = { productStatus: 'published', files: [clean] };
  const decisions = ['approve', 'reject', 'yank'] as const;

  test.each(['draft', 'pending_review', 'approved', 'published', 'yanked'] as const)('that is %s is what moves it', (status) => {
    const moving = decisions.filter((decision) => !['no', status].includes(releaseTransitions[decision][status]));
    expect(choicesOf({ status }, product).map(({ decision }) => decision)).toEqual(moving);
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
    const [approve, reject] = choicesOf({ status: 'pending_review' }, { ...product, files: [clean, { ...clean, ...file }] });
    expect(approve?.refused ?? 'none').toContain(refusal ?? 'none');
    expect(reject?.refused).toBeUndefined();
  });

  test('of a product that is suspended', () => {
    const [approve, reject] = choicesOf({ status: 'pending_review' }, { ...product, productStatus: 'suspended' });
    expect([approve?.refused, reject?.refused]).toEqual(['The product is suspended', undefined]);
  });

  test('says whether it is published at once, and for how many devices', () => {
    const effectOf = (release: object) => choicesOf({ status: 'pending_review', ...release }, product)[0]?.effects[0];
    expect(effectOf({})).toContain('the seller can publish it');
    expect(effectOf({ publish_on_approval: true })).toContain('100 % of devices');
    expect(effectOf({ publish_on_approval: true, rollout_percent: 0 })).toContain('0 % of devices');
  });
});
