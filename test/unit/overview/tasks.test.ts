import { expect, test } from '@jest/globals';
import { type FileFacts, nextStepsOf, type TaskFacts, tasksOf } from '../../../shared/overview/tasks.ts';
import { taskIds } from '../../../shared/sellers/seller.ts';
import { sampleFile } from '../../support/samples/sample-file.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';

// Every state of sellers, products and files is compared with a reference in model/overview; here is what that has not.

const facts = (given: Partial<TaskFacts> = {}): TaskFacts => ({
  seller: sampleSeller(sellingSeller),
  products: [],
  deliveries: new Map(),
  soldProductId: undefined,
  ...given,
});
const stepsOf = (given: TaskFacts) => nextStepsOf(tasksOf(given));
const statesOf = (given: Partial<TaskFacts>) => Object.fromEntries(tasksOf(facts(given)).map(({ id, state }) => [id, state]));

test('the tasks are always six, in their order', () => {
  expect(tasksOf(facts()).map(({ id }) => id)).toEqual([...taskIds]);
  const blocked = Object.fromEntries(taskIds.map((id) => [id, 'blocked']));
  expect(statesOf({ seller: undefined })).toEqual({ ...blocked, apply: 'todo' });
});

const at = '2026-01-31T09:00:00.000Z';
test.each<[string, Partial<FileFacts>, string]>([
  ['was approved until it was found infected', { approvedAt: at, scanStatus: 'infected' }, 'action'],
  ['was infected, and withdrawn', { approvedAt: at, scanStatus: 'infected', withdrawnAt: at }, 'todo'],
  ['was approved until an admin disabled it', { approvedAt: at }, 'todo'],
  ['was infected, and disabled by an admin', { scanStatus: 'infected' }, 'todo'],
])('the delivery of a file that %s, %j, is %s', (_, fields, delivery) => {
  const product = sampleProduct();
  const file = sampleFile({ status: 'disabled', hashStatus: 'verified', scanStatus: 'clean', ...fields });
  const deliveries = new Map([[product.id, { files: [file], hasCode: false }]]);
  expect(statesOf({ products: [product], deliveries })['delivery']).toBe(delivery);
});

test('of several products the one that is furthest on decides each task, and is named', () => {
  const [rejected, waiting, draft] = [
    sampleProduct({ status: 'rejected' }),
    sampleProduct({ status: 'pending_review' }),
    sampleProduct({ licenseIssuanceMode: 'imported_csv' }),
  ];
  const deliveries = new Map([[rejected.id, { files: [sampleFile({ status: 'approved' })], hasCode: false }]]);
  const tasks = tasksOf(facts({ products: [draft, rejected, waiting], deliveries }));
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
