import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { attentionOf, type ProductStanding } from '../../shared/overview/attention.ts';
import { tasksOf } from '../../shared/overview/tasks.ts';
import { onboardingStatuses } from '../../shared/payments/onboarding/onboarding-status.ts';
import type { ProductFileRecord } from '../../shared/product-files/product-file.ts';
import { productStatuses } from '../../shared/products/product.ts';
import { reviewStatuses } from '../../shared/sellers/seller.ts';
import { tries } from '../support/depth.ts';
import { sampleFile } from '../support/samples/sample-file.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { sampleSeller } from '../support/samples/sample-seller.ts';

const now = new Date('2026-06-30T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3600_000).toISOString();
/** Unlike for each thing that is made, so that the order of all is certain. */
let hours = 0;
const moment = () => {
  hours += 1;
  return hoursAgo(hours);
};

const file = fc.record({
  purpose: fc.constantFrom<ProductFileRecord['purpose'][]>('download', 'download', 'image', 'release'),
  status: fc.constantFrom<ProductFileRecord['status'][]>('upload_pending', 'pending_review', 'approved', 'rejected', 'disabled'),
  hashStatus: fc.constantFrom<ProductFileRecord['hashStatus'][]>('unverified', 'verified', 'verified', 'mismatch', 'error'),
  scanStatus: fc.constantFrom<ProductFileRecord['scanStatus'][]>('not_scanned', 'clean', 'clean', 'infected', 'error'),
  scanTrustedClean: fc.boolean(),
  isOld: fc.boolean(),
});
const product = fc.record({
  status: fc.constantFrom(...productStatuses),
  sellsCodes: fc.boolean(),
  revision: fc.constantFrom('none', 'draft', 'pending_review', 'rejected', 'rejected, then edited'),
  wasRejected: fc.boolean(),
  codes: fc.constantFrom(0, 1, 9, 10),
  orderWaits: fc.boolean(),
  files: fc.array(file, { maxLength: 4 }),
});
const scene = fc.record({
  review: fc.constantFrom(...reviewStatuses),
  hasNote: fc.boolean(),
  onboarding: fc.constantFrom(...onboardingStatuses),
  takesCharges: fc.boolean(),
  due: fc.boolean(),
  products: fc.array(product, { maxLength: 4 }),
  isSold: fc.boolean(),
});
type File = typeof file extends fc.Arbitrary<infer T> ? T : never;
type Product = typeof product extends fc.Arbitrary<infer T> ? T : never;
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

const cannotBeApproved = ({ hashStatus, scanStatus, scanTrustedClean }: File) =>
  ['mismatch', 'error'].includes(hashStatus) || scanStatus === 'infected' || (scanStatus === 'error' && !scanTrustedClean);

/** Of several the one that is furthest on. */
const best = (states: readonly string[], none: string) =>
  ['done', 'waiting', 'action', 'todo'].find((state) => states.includes(state)) ?? none;

/** The tasks, told from the table column by column. */
function expectedStates({ review, hasNote, onboarding, takesCharges, products, isSold }: Scene): string[] {
  const mayAct = review !== 'suspended' && review !== 'rejected';
  const isIn = (...words: string[]) => words.includes(review);
  const apply = isIn('suspended')
    ? 'blocked'
    : isIn('pending_review')
      ? 'waiting'
      : isIn('approved', 'approved_limited')
        ? 'done'
        : isIn('rejected') || hasNote
          ? 'action'
          : 'todo';
  const chargesAllowed = takesCharges && ['charges_enabled', 'payouts_enabled'].includes(onboarding);
  const inHand = ['requirements_due', 'restricted', 'rejected'].includes(onboarding) ? 'action' : 'waiting';
  const payments = !mayAct ? 'blocked' : chargesAllowed ? 'done' : onboarding === 'not_started' ? 'todo' : inHand;
  const delivery = ({ sellsCodes, codes, files }: Product) => {
    if (sellsCodes) return codes > 0 ? 'done' : 'todo';
    const downloads = files.filter(({ purpose }) => purpose === 'download');
    if (downloads.some(({ status }) => status === 'approved')) return 'done';
    if (downloads.some((one) => one.status === 'pending_review' && !cannotBeApproved(one))) return 'waiting';
    return downloads.some(({ status }) => status === 'rejected' || status === 'pending_review') ? 'action' : 'todo';
  };
  const reviewOf = ({ status }: Product) =>
    status === 'draft' ? 'todo' : status === 'pending_review' ? 'waiting' : ['rejected', 'suspended'].includes(status) ? 'action' : 'done';
  const sells = ({ status, sellsCodes, codes }: Product) =>
    isIn('approved', 'approved_limited') && chargesAllowed && ['approved', 'published'].includes(status) && (!sellsCodes || codes > 0);
  const sold = isSold && products.length > 0;
  return [
    apply,
    payments,
    products.length > 0 ? 'done' : 'todo',
    sold ? 'done' : best(products.map(delivery), 'blocked'),
    best(products.map(reviewOf), 'blocked'),
    sold ? 'done' : products.some(sells) ? 'waiting' : 'blocked',
  ];
}

/** What needs the seller, and how often. */
function expectedKinds({ review, hasNote, onboarding, due, products }: Scene): string[] {
  const ofFiles = (files: File[]) =>
    files.flatMap((one, at) => {
      const later = files.slice(at + 1).some(({ purpose, status }) => purpose === one.purpose && status !== 'disabled');
      if (one.status === 'rejected') return one.isOld || later ? [] : ['file_rejected'];
      return one.status === 'pending_review' && cannotBeApproved(one) ? ['file_failed'] : [];
    });
  const ofProduct = ({ status, wasRejected, revision, sellsCodes, codes, orderWaits, files }: Product) => [
    ...(status === 'rejected' || (status === 'draft' && wasRejected) ? ['product_rejected'] : []),
    ...(revision.startsWith('rejected') ? ['revision_rejected'] : []),
    ...(sellsCodes && (orderWaits || (codes < 10 && ['approved', 'published'].includes(status))) ? ['codes_short'] : []),
    ...ofFiles(files),
  ];
  return [
    ...(review === 'rejected' || (review === 'draft' && hasNote) ? ['application_returned'] : []),
    ...(due && onboarding !== 'rejected' ? ['payment_due'] : []),
    ...products.flatMap(ofProduct),
  ].toSorted();
}

function recordsOf({ review, hasNote, onboarding, takesCharges, due, products }: Scene) {
  const seller = sampleSeller({
    internalReviewStatus: review,
    reviewNote: hasNote ? 'Which products?' : undefined,
    returnedAt: moment(),
    paymentConnectedAccountId: 'acct_1',
    paymentOnboardingStatus: onboarding,
    paymentChargesEnabled: takesCharges,
    paymentRequirementsDue: due ? ['id'] : [],
    paymentDueSince: moment(),
  });
  const stands = products.map((given): ProductStanding => {
    const { status, revision, wasRejected, sellsCodes, codes, orderWaits, files } = given;
    const wasRevisionRejected = revision.startsWith('rejected');
    const pendingStatus = revision === 'pending_review' || revision === 'rejected' ? revision : 'draft';
    const rejection = { rejectedAt: moment(), rejectionReason: 'No.' };
    return {
      product: sampleProduct({
        status,
        licenseIssuanceMode: sellsCodes ? 'imported_csv' : 'generated_server_validated',
        reviewedAt: moment(),
        ...((status === 'rejected' || (status === 'draft' && wasRejected)) && rejection),
        ...(revision !== 'none' && {
          pending: {
            status: pendingStatus,
            changes: {},
            updatedAt: moment(),
            ...(wasRevisionRejected && { rejectedAt: moment(), rejectionReason: 'No.' }),
          },
        }),
      }),
      files: files.map(({ isOld, ...one }) =>
        sampleFile({ ...one, scannedAt: moment(), ...(one.status === 'rejected' && { rejectedAt: isOld ? hoursAgo(721) : moment() }) }),
      ),
      codesLeft: sellsCodes ? codes : undefined,
      ordersWaitSince: sellsCodes && orderWaits ? moment() : undefined,
    };
  });
  return { seller, stands };
}

test('tasks and attention are as their tables say, whatever the state of everything', () => {
  fc.assert(
    fc.property(scene, (given) => {
      hours = 0;
      const { seller, stands } = recordsOf(given);
      const products = stands.map((stand) => stand.product);
      const deliveries = new Map(stands.map(({ product: { id }, files, codesLeft = 0 }) => [id, { files, hasCode: codesLeft > 0 }]));
      const tasks = tasksOf({ seller, products, deliveries, soldProductId: given.isSold ? products[0]?.id : undefined });
      expect(tasks.map(({ state }) => state)).toEqual(expectedStates(given));
      const attention = attentionOf({ seller, products: stands, releases: [], endpoints: [], heldOrders: [] }, now);
      expect(attention.map(({ kind }) => kind).toSorted()).toEqual(expectedKinds(given));
      const times = attention.map(({ since }) => since);
      expect(times).toEqual(times.toSorted().toReversed());
    }),
    { numRuns: tries(2000) },
  );
});
