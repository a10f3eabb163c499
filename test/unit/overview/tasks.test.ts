import { describe, expect, test } from '@jest/globals';
import { type FileFacts, nextStepsOf, type TaskFacts, tasksOf } from '../../../shared/overview/tasks.ts';
import { onboardingStatuses } from '../../../shared/payments/onboarding/onboarding-status.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { reviewStatuses, type SellerRecord, taskIds } from '../../../shared/sellers/seller.ts';
import { sampleFile } from '../../support/samples/sample-file.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';

const facts = (given: Partial<TaskFacts> = {}): TaskFacts => ({
  seller: sampleSeller(sellingSeller),
  products: [],
  deliveries: new Map(),
  soldProductId: undefined,
  ...given,
});
const stepsOf = (given: TaskFacts) => nextStepsOf(tasksOf(given));
const statesOf = (given: Partial<TaskFacts>) => Object.fromEntries(tasksOf(facts(given)).map(({ id, state }) => [id, state]));
const ofSeller = (seller: Partial<SellerRecord>) => statesOf({ seller: sampleSeller(seller) });
/** The states of the tasks of one product, with what its buyers would get. */
function ofProduct(
  product: Partial<ProductRecord>,
  delivery: { files?: FileFacts[]; hasCode?: boolean } = {},
  more: Partial<TaskFacts> = {},
) {
  const made = sampleProduct(product);
  const deliveries = new Map([[made.id, { files: [], hasCode: false, ...delivery }]]);
  return statesOf({ products: [made], deliveries, ...more });
}

test('are always six, in their order', () => {
  expect(tasksOf(facts()).map(({ id }) => id)).toEqual([...taskIds]);
  expect(statesOf({}).product).toBe('todo');
  const blocked = Object.fromEntries(taskIds.map((id) => [id, 'blocked']));
  expect(statesOf({ seller: undefined })).toEqual({ ...blocked, apply: 'todo' });
});

test.each([
  ['draft', 'todo'],
  ['pending_review', 'waiting'],
  ['approved_limited', 'done'],
  ['approved', 'done'],
  ['rejected', 'action'],
  ['suspended', 'blocked'],
] as const)('apply of a seller that is %s is %s', (internalReviewStatus, state) => {
  expect(ofSeller({ internalReviewStatus }).apply).toBe(state);
  const withNote = ofSeller({ internalReviewStatus, reviewNote: 'Which products?' }).apply;
  expect(withNote).toBe(internalReviewStatus === 'draft' ? 'action' : state);
});

const paymentStates = {
  not_started: 'todo',
  account_created: 'waiting',
  onboarding_started: 'waiting',
  requirements_due: 'action',
  restricted: 'action',
  rejected: 'action',
  charges_enabled: 'done',
  payouts_enabled: 'done',
};

test.each(onboardingStatuses)('payments at %s are as the table says, whoever is reviewed, and blocked of whom may do nothing', (status) => {
  for (const internalReviewStatus of reviewStatuses) {
    const given = { paymentOnboardingStatus: status, paymentChargesEnabled: paymentStates[status] === 'done', internalReviewStatus };
    const isBlocked = internalReviewStatus === 'suspended' || internalReviewStatus === 'rejected';
    expect(ofSeller(given).payments).toBe(isBlocked ? 'blocked' : paymentStates[status]);
  }
});

test.each(['charges_enabled', 'payouts_enabled'] as const)('an account that is %s and takes no charges is waited for', (status) => {
  expect(ofSeller({ paymentOnboardingStatus: status, paymentChargesEnabled: false }).payments).toBe('waiting');
});

describe('of a product', () => {
  test.each([
    ['draft', 'todo', 'blocked'],
    ['pending_review', 'waiting', 'blocked'],
    ['approved', 'done', 'waiting'],
    ['published', 'done', 'waiting'],
    ['unpublished', 'done', 'blocked'],
    ['rejected', 'action', 'blocked'],
    ['suspended', 'action', 'blocked'],
  ] as const)('that is %s the review is %s and the sale %s', (status, review, sale) => {
    expect(ofProduct({ status })).toMatchObject({ product: 'done', review, sale });
    expect(ofProduct({ status }, {}, { seller: sampleSeller() }).sale).toBe('blocked');
  });

  const at = '2026-01-31T09:00:00.000Z';
  const file = (fields: Partial<FileFacts>) =>
    sampleFile({ status: 'pending_review', hashStatus: 'verified', scanStatus: 'clean', ...fields });
  test.each<[string, Partial<FileFacts>, string]>([
    ['is not uploaded yet', { status: 'upload_pending' }, 'todo'],
    ['is hashed', { hashStatus: 'unverified', scanStatus: 'not_scanned' }, 'waiting'],
    ['is reviewed', {}, 'waiting'],
    ['is not what was declared', { hashStatus: 'mismatch' }, 'action'],
    ['could not be read', { hashStatus: 'error' }, 'action'],
    ['is infected', { scanStatus: 'infected' }, 'action'],
    ['could not be scanned', { scanStatus: 'error' }, 'action'],
    ['could not be scanned, which an admin made good', { scanStatus: 'error', scanTrustedClean: true }, 'waiting'],
    ['is approved', { status: 'approved' }, 'done'],
    ['is rejected', { status: 'rejected' }, 'action'],
    ['is disabled', { status: 'disabled' }, 'todo'],
    ['was approved until it was found infected', { status: 'disabled', approvedAt: at, scanStatus: 'infected' }, 'action'],
    ['was infected, and withdrawn', { status: 'disabled', approvedAt: at, scanStatus: 'infected', withdrawnAt: at }, 'todo'],
    ['was approved until an admin disabled it', { status: 'disabled', approvedAt: at }, 'todo'],
    ['was infected, and disabled by an admin', { status: 'disabled', scanStatus: 'infected' }, 'todo'],
    ['is a picture', { status: 'approved', purpose: 'image' }, 'todo'],
  ])('whose file %s', (_, fields, delivery) => {
    expect(ofProduct({}, { files: [file(fields)] }).delivery).toBe(delivery);
  });

  test('the file that is furthest on decides', () => {
    const ladder = [file({ status: 'disabled' }), file({ status: 'rejected' }), file({}), file({ status: 'approved' })];
    const states = ladder.map((_, at) => ofProduct({}, { files: ladder.slice(0, at + 1).reverse() }).delivery);
    expect(states).toEqual(['todo', 'action', 'waiting', 'done']);
  });

  test('of imported codes a code is what counts, and files are not', () => {
    const imported = { licenseIssuanceMode: 'imported_csv', status: 'approved' } as const;
    expect(ofProduct(imported, { hasCode: true })).toMatchObject({ delivery: 'done', sale: 'waiting' });
    expect(ofProduct(imported, { files: [file({ status: 'approved' })] })).toMatchObject({ delivery: 'todo', sale: 'blocked' });
    expect(statesOf({ products: [sampleProduct(imported)] })).toMatchObject({ delivery: 'todo', sale: 'waiting' });
  });
});

test('of several products the one that is furthest on decides each task, and is named', () => {
  const [rejected, waiting, draft] = (['rejected', 'pending_review', 'draft'] as const).map((status) => sampleProduct({ status }));
  if (!rejected || !waiting || !draft) throw new Error('Three were made.');
  const products = [draft, rejected, waiting];
  const deliveries = new Map([[rejected.id, { files: [sampleFile({ status: 'approved' })], hasCode: false }]]);
  const tasks = tasksOf(facts({ products, deliveries }));
  expect(tasks.find(({ id }) => id === 'review')).toEqual({ id: 'review', state: 'waiting', targetId: waiting.id });
  expect(tasks.find(({ id }) => id === 'delivery')).toEqual({ id: 'delivery', state: 'done', targetId: rejected.id });
});

test('what was ever sold was delivered, whatever became of product, file and seller', () => {
  const product = sampleProduct({ status: 'suspended' });
  const given = { products: [product], seller: sampleSeller({ internalReviewStatus: 'suspended' }), soldProductId: product.id };
  expect(statesOf(given)).toMatchObject({ delivery: 'done', sale: 'done', review: 'action' });
});

test('the next steps are what is to do or went wrong, in their order', () => {
  const product = sampleProduct();
  const seller = sampleSeller({ internalReviewStatus: 'draft', paymentOnboardingStatus: 'requirements_due' });
  expect(stepsOf(facts({ seller, products: [product] }))).toEqual(['apply', 'payments', 'delivery', 'review']);
  expect(stepsOf(facts({ seller: undefined }))).toEqual(['apply']);
  expect(stepsOf(facts({ products: [sampleProduct({ status: 'approved' })], soldProductId: product.id }))).toEqual([]);
});
