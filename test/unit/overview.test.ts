import { describe, expect, test } from '@jest/globals';
import { newId } from '../../shared/ids.ts';
import { type AttentionFacts, attentionOf, type ProductStanding } from '../../shared/overview/attention.ts';
import { type FileFacts, nextStepsOf, type TaskFacts, tasksOf } from '../../shared/overview/tasks.ts';
import type { ProductFileRecord } from '../../shared/product-files/product-file.ts';
import { pendingAfterSubmission } from '../../shared/products/pending-revision.ts';
import type { PendingRecord, ProductRecord } from '../../shared/products/product.ts';
import { productAfterEdit, productAfterReview, productAfterSubmission } from '../../shared/products/product-states.ts';
import type { UnpublishedRelease } from '../../shared/releases/unpublished-release-repository.ts';
import { type SellerRecord, taskIds } from '../../shared/sellers/seller.ts';
import type { WebhookEndpointRecord } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { sampleFile } from '../support/samples/sample-file.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../support/samples/sample-seller.ts';

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

// What is told in which state is compared with a reference in model/overview; here is since when, and what that has not.

/** Some days before now. */
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600_000).toISOString();
const now = new Date('2026-06-30T12:00:00.000Z');

const told = (given: Partial<AttentionFacts>) =>
  attentionOf({ seller: sampleSeller(sellingSeller), products: [], releases: [], endpoints: [], heldOrders: [], ...given }, now);
const briefly = (given: Partial<AttentionFacts>) => told(given).map(({ kind, since }) => [kind, since]);
const ofSeller = (changes: Partial<SellerRecord>) => briefly({ seller: sampleSeller({ ...sellingSeller, ...changes }) });

const stand = (product: Partial<ProductRecord>, rest: Partial<ProductStanding> = {}): ProductStanding => ({
  product: sampleProduct(product),
  files: [],
  codesLeft: undefined,
  ordersWaitSince: undefined,
  ...rest,
});
const ofProduct = (product: Partial<ProductRecord>, rest: Partial<ProductStanding> = {}) => briefly({ products: [stand(product, rest)] });
const file = (changes: Partial<ProductFileRecord>) =>
  sampleFile({ status: 'pending_review', hashStatus: 'verified', scanStatus: 'clean', uploadedAt: daysAgo(5), ...changes });
const ofFiles = (...files: Partial<ProductFileRecord>[]) => ofProduct({}, { files: files.map(file) });

describe('of a seller', () => {
  const [at, before] = [daysAgo(3), daysAgo(9)];
  const due = { paymentRequirementsDue: ['id'] };
  test.each<[string, Partial<SellerRecord>, unknown[]]>([
    ['approved', { reviewNote: 'An old note.', returnedAt: at }, []],
    ['asked for more', { internalReviewStatus: 'draft', reviewNote: 'Which?', returnedAt: at }, [['application_returned', at]]],
    ['rejected', { internalReviewStatus: 'rejected', returnedAt: at }, [['application_returned', at]]],
    ['rejected before that was kept', { internalReviewStatus: 'rejected', updatedAt: before }, [['application_returned', before]]],
    ['with something due', { ...due, paymentDueSince: at }, [['payment_due', at]]],
    ['whose link came back', { ...due, onboardingReturnedAt: at, onboardingLinkIssuedAt: before }, [['payment_due', at]]],
    ['with a link', { ...due, onboardingLinkIssuedAt: before }, [['payment_due', before]]],
    ['from long ago', { ...due, updatedAt: before }, [['payment_due', before]]],
  ])('%s', (_, changes, expected) => {
    expect(ofSeller(changes)).toEqual(expected);
  });
});

test('a rejected product needs its seller until it is handed in again, however often it is edited', () => {
  const [handedIn, rejected, edited] = [daysAgo(6), daysAgo(5), daysAgo(4)];
  const review = { decision: 'reject', by: 'admin', at: rejected } as const;
  for (const rejectionReason of ['Too short.', undefined]) {
    const product = productAfterReview(productAfterSubmission(sampleProduct(), handedIn), { ...review, rejectionReason });
    expect(ofProduct(product)).toEqual([['product_rejected', rejected]]);
    const draft = productAfterEdit(product, { ...product, name: 'Another' }, edited);
    expect([draft.status, ofProduct(draft)]).toEqual(['draft', [['product_rejected', rejected]]]);
    const again = productAfterSubmission(draft, edited);
    expect(ofProduct(again)).toEqual([]);
    expect(ofProduct({ ...productAfterReview(again, { decision: 'approve', by: 'admin', at: edited }), status: 'draft' })).toEqual([]);
  }
  expect(ofProduct({ status: 'suspended', rejectedAt: rejected })).toEqual([]);
  // Rejected before the time was kept.
  expect(ofProduct({ status: 'draft', rejectionReason: 'Too short.', reviewedAt: rejected })).toEqual([['product_rejected', rejected]]);
  expect(ofProduct({ status: 'rejected', updatedAt: rejected })).toEqual([['product_rejected', rejected]]);
});

test('so does a rejected revision', () => {
  const [handedIn, rejected, edited] = [daysAgo(6), daysAgo(5), daysAgo(4)];
  const onSale = sampleProduct({ status: 'approved' });
  const waits = productAfterSubmission(productAfterEdit(onSale, { ...onSale, priceAmount: 100 }, handedIn), handedIn);
  const turnedDown = productAfterReview(waits, { decision: 'reject', by: 'admin', at: rejected });
  expect([turnedDown.status, ofProduct(turnedDown)]).toEqual(['approved', [['revision_rejected', rejected]]]);
  const draft = productAfterEdit(turnedDown, { ...onSale, priceAmount: 200 }, edited);
  expect([draft.pending?.status, ofProduct(draft)]).toEqual(['draft', [['revision_rejected', rejected]]]);
  expect(ofProduct(pendingAfterSubmission(draft, edited) ?? {})).toEqual([]);
  expect(ofProduct(productAfterEdit(turnedDown, onSale, edited))).toEqual([]);
  const older: PendingRecord = { status: 'draft', changes: {}, rejectionReason: 'No.', updatedAt: edited };
  expect(ofProduct({ status: 'approved', pending: older })).toEqual([['revision_rejected', edited]]);
});

describe('of files', () => {
  const [at, later] = [daysAgo(3), daysAgo(2)];
  test.each<[string, Partial<ProductFileRecord>, string | undefined]>([
    ['is not what was declared', { hashStatus: 'mismatch' }, daysAgo(5)],
    ['could not be read', { hashStatus: 'error' }, daysAgo(5)],
    ['is infected', { scanStatus: 'infected', scannedAt: at }, at],
    ['could not be scanned', { scanStatus: 'error', scannedAt: at }, at],
    ['is infected and not what was declared', { scanStatus: 'infected', scannedAt: at, hashStatus: 'mismatch' }, daysAgo(5)],
    ['was approved until it was found infected', { status: 'disabled', approvedAt: at, scanStatus: 'infected', scannedAt: later }, later],
    ['was infected, and withdrawn', { status: 'disabled', approvedAt: at, scanStatus: 'infected', withdrawnAt: at }, undefined],
    ['was infected, and disabled by an admin', { status: 'disabled', scanStatus: 'infected', scannedAt: at }, undefined],
  ])('one that %s', (_, changes, since) => {
    expect(ofFiles(changes)).toEqual(since === undefined ? [] : [['file_failed', since]]);
  });

  const rejected = (at: string, changes: Partial<ProductFileRecord> = {}) => ({ status: 'rejected', rejectedAt: at, ...changes }) as const;
  test('a rejected one is told of for 30 days', () => {
    const last = daysAgo(29.99);
    expect(ofFiles(rejected(last, { scanStatus: 'infected' }))).toEqual([['file_rejected', last]]);
    expect(ofFiles(rejected(daysAgo(30)))).toEqual([]);
  });

  test('and until there is a later one of its kind, which was not given up', () => {
    expect(ofFiles({}, rejected(at))).toEqual([['file_rejected', at]]);
    expect(ofFiles(rejected(at), { status: 'upload_pending' })).toEqual([]);
    expect(ofFiles(rejected(at), rejected(later))).toEqual([['file_rejected', later]]);
    expect(ofFiles(rejected(at), { status: 'disabled', withdrawnAt: later })).toEqual([['file_rejected', at]]);
    expect(ofFiles(rejected(at), { status: 'disabled', versionId: 'v1' })).toEqual([]);
    expect(ofFiles(rejected(at), { purpose: 'image' })).toEqual([['file_rejected', at]]);
  });
});

test.each<[string, Partial<ProductRecord>, Partial<ProductStanding>, string | undefined]>([
  ['is on sale with nine', { status: 'approved', reviewedAt: daysAgo(7) }, { codesLeft: 9 }, daysAgo(7)],
  ['is published with none', { status: 'published', updatedAt: daysAgo(8) }, { codesLeft: 0 }, daysAgo(8)],
  ['is not on sale, and has orders that wait', { status: 'suspended' }, { codesLeft: 0, ordersWaitSince: daysAgo(1) }, daysAgo(1)],
  ['is on sale, and has orders that wait', { status: 'approved' }, { codesLeft: 0, ordersWaitSince: daysAgo(1) }, daysAgo(1)],
  ['is on sale with ten', { status: 'approved' }, { codesLeft: 10 }, undefined],
  ['is not on sale, and has none', { status: 'draft' }, { codesLeft: 0 }, undefined],
])('of codes, those of a product that %s', (_, product, rest, since) => {
  expect(ofProduct(product, rest)).toEqual(since === undefined ? [] : [['codes_short', since]]);
});

test('a release needs its seller while the reason of its rejection stands there', () => {
  const release = { id: newId('release'), status: 'draft', createdAt: daysAgo(9) } as UnpublishedRelease;
  const since = (changes: Partial<UnpublishedRelease>) => briefly({ releases: [{ ...release, ...changes }] });
  const rejectionReason = 'It does not start.';
  expect(since({ submittedAt: daysAgo(8) })).toEqual([]);
  expect(since({ rejectionReason, submittedAt: daysAgo(8), rejectedAt: daysAgo(7) })).toEqual([['release_rejected', daysAgo(7)]]);
  expect(since({ rejectionReason, submittedAt: daysAgo(8) })).toEqual([['release_rejected', daysAgo(8)]]);
  expect(since({ rejectionReason })).toEqual([['release_rejected', daysAgo(9)]]);
});

test('an endpoint does when it was we who disabled it', () => {
  const endpoint = { id: newId('endpoint'), enabled: false, updatedAt: daysAgo(2) } as WebhookEndpointRecord;
  const since = (changes: Partial<WebhookEndpointRecord>) => briefly({ endpoints: [{ ...endpoint, ...changes }] });
  expect(since({})).toEqual([]);
  expect(since({ disabledReason: 'gone', disabledAt: daysAgo(4) })).toEqual([['endpoint_disabled', daysAgo(4)]]);
  expect(since({ disabledReason: 'failing' })).toEqual([['endpoint_disabled', daysAgo(2)]]);
});

test('an upgrade does that is paid but held', () => {
  const orderId = newId('order');
  expect(briefly({ heldOrders: [{ orderId, since: daysAgo(3) }] })).toEqual([['paid_but_held', daysAgo(3)]]);
});

test('the newest fifty are told, each with what it is about', () => {
  const stands = Array.from({ length: 60 }, (_, days) => stand({ status: 'rejected', rejectedAt: daysAgo(days) }));
  const seller = sampleSeller({ internalReviewStatus: 'rejected', returnedAt: daysAgo(0.5) });
  const all = told({ seller, products: stands.toReversed() });
  const [first, second, third] = all;
  expect(all).toHaveLength(50);
  expect([first?.targetId, third?.targetId]).toEqual([stands[0]?.product.id, stands[1]?.product.id]);
  expect(second).toEqual({ kind: 'application_returned', targetId: seller.id, since: daysAgo(0.5) });
  expect(all.at(-1)?.since).toBe(daysAgo(48));
  const atOnce = [1, 2, 3].map(() => stand({ status: 'rejected', rejectedAt: daysAgo(1) }));
  expect(told({ products: atOnce })).toEqual(told({ products: atOnce.toReversed() }));
});
