import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { Needs } from '../../../shared/context.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { ProductId, SellerId } from '../../../shared/ids.ts';
import type { StripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { type ReviewProductRequest, reviewProduct } from '../../../shared/products/product-review.ts';
import { createProduct, publishProduct, showOwnProduct, submitProduct, updateProduct } from '../../../shared/products/product-service.ts';
import { readPublicProduct } from '../../../shared/products/public-product.ts';
import { createSlugMemory } from '../../../shared/products/slug-memory.ts';
import { refreshOwnSeller } from '../../../shared/sellers/seller-onboarding.ts';
import { addSeller, getSeller, getSellerOfUser } from '../../../shared/sellers/seller-repository.ts';
import { reviewSeller } from '../../../shared/sellers/seller-reviews.ts';
import { applyAsSeller } from '../../../shared/sellers/seller-service.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder, meetingsOf } from '../../support/interleave.ts';
import { accountStates } from '../../support/samples/account-states.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { expectSerializable } from '../../support/serializable.ts';

const interleaver = createInterleaver();
const atOnce = meetingsOf(interleaver, { areDecidedAtOnce: true });
const admin = { userId: 'admin' };
let table: Table;
let c: Needs<'table' | 'now' | 'sendJob' | 'slugs' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>;
beforeAll(async () => {
  ({ table } = await createTestTable({ faults: interleaver }));
  const settings = sampleSettings(['PUBLIC_BASE_URL', 'REVIEW_DUE_HOURS']);
  c = { table, now: () => new Date(), sendJob: async () => {}, slugs: createSlugMemory(), settings };
});
/** A seller has few products: those of each test have sellers of their own. */
let [alice, bob] = ['', ''];
beforeEach(async () => {
  [alice, bob] = [fresh('alice'), fresh('bob')];
  const sellers = [alice, bob].map((ownerUserId) => sampleSeller({ ownerUserId, internalReviewStatus: 'approved' }));
  await table.transact(sellers.flatMap((seller) => addSeller(seller)));
});

/** `done`, or the code of the error. */
const outcomeOf = (task: Promise<unknown>) =>
  task.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Error && 'code' in error) return String(error.code);
      throw error;
    },
  );

let last = 0;
const fresh = (what: string) => `${what} ${++last}`;
const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');
const written = (name: string, priceAmount: number) => ({
  name,
  description: 'What it does.',
  priceAmount,
  currency: 'JPY',
  supportEmail: 'help@example.com',
  refundPolicy: 'Within 14 days.',
  softwareOperatingEnvironment: 'Any',
});

/** A product for 1200: handed in for the first time, or on sale, with an edit to 1500 that is a draft or handed in, or none. */
type Stage = 'new' | 'handed in' | 'on sale' | 'edited' | 'edit handed in';
interface Offered {
  id: ProductId;
  name: string;
  revision: number;
}
async function offer(stage: Stage, owner = alice): Promise<Offered> {
  const name = fresh('Raced');
  const { id } = await createProduct(c, { userId: owner }, written(name, 1200));
  if (stage !== 'new') await submitProduct(c, { userId: owner }, id);
  if (stage !== 'new' && stage !== 'handed in') await reviewProduct(c, admin, id, { decision: 'approve' });
  if (stage.startsWith('edit')) await updateProduct(c, { userId: owner }, id, written(name, 1500));
  if (stage === 'edit handed in') await submitProduct(c, { userId: owner }, id);
  return { id, name, revision: (await showOwnProduct(c, { userId: owner }, id)).revision };
}

type Act = (product: Offered) => Promise<string>;
const edit =
  (priceAmount: number, change: object = {}): Act =>
  ({ id, name }) =>
    outcomeOf(updateProduct(c, { userId: alice }, id, { ...written(name, priceAmount), ...change }));
const rename: Act = ({ id, name }) => outcomeOf(updateProduct(c, { userId: alice }, id, written(`${name} anew`, 1500)));
const submit: Act = ({ id }) => outcomeOf(submitProduct(c, { userId: alice }, id));
const withdraw: Act = ({ id }) => outcomeOf(publishProduct(c, { userId: alice }, id, false));
const review =
  (request: ReviewProductRequest): Act =>
  ({ id }) =>
    outcomeOf(reviewProduct(c, admin, id, request));
const approve = review({ decision: 'approve' });
const ofWhatWasRead =
  (act: (expectedRevision: number) => Act): Act =>
  (product) =>
    act(product.revision)(product);
const approveRead = ofWhatWasRead((expectedRevision) => review({ decision: 'approve', expectedRevision }));
const rejectRead = ofWhatWasRead((expectedRevision) => review({ decision: 'reject', rejectionReason: 'No.', expectedRevision }));
const editRead = (priceAmount: number) => ofWhatWasRead((expectedRevision) => edit(priceAmount, { expectedRevision }));
const submitRead = ofWhatWasRead(
  (expectedRevision) =>
    ({ id }) =>
      outcomeOf(submitProduct(c, { userId: alice }, id, { expectedRevision })),
);

async function shown({ id, name, revision }: Offered, owner = alice) {
  const product = await showOwnProduct(c, { userId: owner }, id);
  const offers = [name, `${name} anew`].map((one) => outcomeOf(readPublicProduct(c, slugOf(one))));
  const { items } = await listAudit(table, { targetId: id, limit: 50 });
  return {
    ...{ status: product.status, price: product.priceAmount, rejectionReason: product.rejectionReason },
    pending: product.pending && [product.pending.status, product.pending.rejectionReason, { ...product.pending.changes, name: undefined }],
    isRenamed: product.pending?.changes.name === `${name} anew`,
    changes: product.revision - revision,
    offers: await Promise.all(offers),
    audits: items.map(({ action }) => action).toSorted(),
  };
}

describe('in every order of two moves of a product, all that is seen of it is as of one after the other:', () => {
  test.each<[string, Stage, Act, Act]>([
    ['two tabs edit one revision', 'new', editRead(1), editRead(2)],
    ['one tab edits, and another hands in one revision', 'new', editRead(1), submitRead],
    ['an edit and the first approval', 'handed in', edit(1), approve],
    ['two edits', 'on sale', edit(1200, { activationLimit: 5 }), edit(1200, { offlineDays: 3 })],
    ['an edit and handing in', 'edited', edit(9000), submit],
    ['taking an edit back and handing it in', 'edited', edit(1200), submit],
    ['an edit and an approval of what was read', 'edit handed in', edit(9000), approveRead],
    ['an edit and an approval of whatever is there', 'edit handed in', edit(9000), approve],
    ['an edit and a rejection of what was read', 'edit handed in', edit(9000), rejectRead],
    ['a withdrawal and an approval', 'edit handed in', withdraw, approve],
    ['a suspension and an approval by two admins', 'edit handed in', review({ decision: 'suspend' }), approve],
    ['a rename and an approval', 'edit handed in', rename, approve],
    ['the approval of one revision by two admins', 'edit handed in', approve, approve],
  ])('%s', async (_, stage, one, other) => {
    await expectSerializable(atOnce, async () => {
      const product = await offer(stage);
      return { tasks: [() => one(product), () => other(product)], end: () => shown(product) };
    });
  });

  test('two sellers rename to one slug', async () => {
    await expectSerializable(atOnce, async () => {
      const [one, other] = [await offer('edited'), await offer('edited', bob)];
      const wanted = written(fresh('Wanted'), 1500);
      const renameOf = ({ id }: Offered, owner: string) => outcomeOf(updateProduct(c, { userId: owner }, id, wanted));
      const hasName = async ({ id }: Offered, owner: string) =>
        (await showOwnProduct(c, { userId: owner }, id)).pending?.changes.name === wanted.name;
      return {
        tasks: [() => renameOf(one, alice), () => renameOf(other, bob)],
        end: async () => [await hasName(one, alice), await hasName(other, bob)],
      };
    });
  });

  test('two products are made of one name', async () => {
    await expectSerializable(atOnce, async () => {
      const name = fresh('Made');
      const make = () => outcomeOf(createProduct(c, { userId: alice }, written(name, 1200)));
      return { tasks: [make, make], end: async () => 'either' };
    });
  });
});

describe('in every order of two requests about a seller, all that is seen of it is as of one after the other:', () => {
  const application = {
    displayName: 'A Shop',
    contactEmail: 'a@example.com',
    supportEmail: 'help@example.com',
    siteUrl: 'https://a.example.com',
  };
  const apply = (userId: string, displayName = 'A Shop') => applyAsSeller(c, { userId }, { ...application, displayName });

  test('a user who applies twice is one seller', async () => {
    await expectSerializable(meetingsOf(interleaver), async () => {
      const user = fresh('user');
      const made = new Set<SellerId>();
      const applyOnce = async () => void made.add((await apply(user)).id);
      return { tasks: [applyOnce, applyOnce], end: async () => made.size };
    });
  });

  test('a seller is approved as they were read, and applies anew', async () => {
    await expectSerializable(atOnce, async () => {
      const user = fresh('user');
      const { id } = await apply(user);
      return {
        tasks: [
          () => outcomeOf(apply(user, 'Another Shop')),
          () => outcomeOf(reviewSeller(c, admin, id, { decision: 'approve', expectedRevision: 1 })),
        ],
        async end() {
          const { internalReviewStatus, displayName } = await getSellerOfUser(table, user);
          return [internalReviewStatus, displayName];
        },
      };
    });
  });

  test('of two retrievals that show the owner is waited for, it is since the first that is stored', async () => {
    // Nothing else is asked than for the account, which waits for its owner.
    const stripe = { v2: { core: { accounts: { retrieve: async () => accountStates['new'] } } } } as unknown as Stripe;
    const provider: StripeClient = { call: (ask) => ask(stripe) };
    const times = ['2026-02-01T09:00:00.000Z', '2026-02-02T09:00:00.000Z'] as const;
    // Both have to begin before either ends, and the later one must be overtaken too.
    const twice = { switches: 2 };
    await inEveryOrder(async (picks) => {
      const seller = sampleSeller({ paymentConnectedAccountId: 'acct_1', paymentOnboardingStatus: 'account_created' });
      await table.transact(addSeller(seller));
      const refreshAt = (at: string) => () => refreshOwnSeller({ table, now: () => new Date(at), provider }, seller.ownerUserId);
      await interleaver.run(picks, times.map(refreshAt));
      const first = interleaver.made.find(({ name }) => name === 'TransactWriteItems')?.task ?? 0;
      const stored = await getSeller(table, seller.id);
      expect(stored).toMatchObject({ paymentDueSince: times[first], paymentRetrievalsBegun: 2 });
    }, twice);
  });
});
