import { beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import type { Needs } from '../../../shared/context.ts';
import { jobKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { ProductId } from '../../../shared/ids.ts';
import { type JobTask, LeaseLostError } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { StripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { reviewProduct } from '../../../shared/products/product-review.ts';
import { createProduct, showOwnProduct, submitProduct, updateProduct } from '../../../shared/products/product-service.ts';
import { refreshOwnSeller } from '../../../shared/sellers/seller-onboarding.ts';
import { addSeller, getSeller, getSellerOfUser } from '../../../shared/sellers/seller-repository.ts';
import { reviewSeller } from '../../../shared/sellers/seller-reviews.ts';
import { applyAsSeller } from '../../../shared/sellers/seller-service.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { accountStates } from '../../support/samples/account-states.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

const interleaver = createInterleaver();
let table: Table;
let c: Needs<'table' | 'now' | 'sendJob' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>;
beforeAll(async () => {
  ({ table } = await createTestTable({ faults: interleaver }));
  const settings = sampleSettings(['PUBLIC_BASE_URL', 'REVIEW_DUE_HOURS']);
  c = { table, now: () => new Date(), sendJob: async () => {}, settings };
});

/** What each task came to: its value, or the code of its error. */
const outcomeOf = (task: () => Promise<unknown>) => () =>
  task().catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return error.code;
    throw error;
  });

describe('in every order of two people at once', () => {
  const application = {
    displayName: 'A Shop',
    contactEmail: 'a@example.com',
    supportEmail: 'help@example.com',
    siteUrl: 'https://a.example.com',
  };
  const draft = (name: string) => ({
    name,
    description: 'What it does.',
    priceAmount: 1200,
    currency: 'JPY',
    supportEmail: 'help@example.com',
    refundPolicy: 'Within 14 days.',
    softwareOperatingEnvironment: 'Any',
  });
  let last = 0;
  const fresh = (what: string) => {
    last += 1;
    return `${what} ${last}`;
  };

  test('a user who applies twice is one seller', async () => {
    await inEveryOrder(async (picks) => {
      const user = fresh('user');
      const [one, other] = await interleaver.run(picks, [
        () => applyAsSeller(c, { userId: user }, application),
        () => applyAsSeller(c, { userId: user }, application),
      ]);
      expect(one?.id).toBe(other?.id);
    });
  });

  test('two products of one name: one has it, the other is refused', async () => {
    const user = fresh('user');
    await applyAsSeller(c, { userId: user }, application);
    await inEveryOrder(async (picks) => {
      const name = fresh('Sample App');
      const make = outcomeOf(async () => (await createProduct(c, user, draft(name))).slug);
      const outcomes = await interleaver.run(picks, [make, make]);
      expect(outcomes.toSorted()).toEqual([name.toLowerCase().replaceAll(' ', '-'), 'slug_reserved'].toSorted());
    });
  });

  test('a product that is approved while it is edited is on sale only as it was reviewed, and no edit is lost', async () => {
    const user = fresh('user');
    await applyAsSeller(c, { userId: user }, application);
    await inEveryOrder(async (picks) => {
      const name = fresh('Sample App');
      const { id } = await createProduct(c, user, draft(name));
      await submitProduct(c, user, id);
      const outcomes = await interleaver.run(picks, [
        outcomeOf(() => updateProduct(c, user, id, { ...draft(name), priceAmount: 1 })),
        outcomeOf(() => reviewProduct(c, { userId: 'admin' }, id, { decision: 'approve' })),
      ]);
      const product = await showOwnProduct(c, user, id);
      if (product.status === 'approved') expect(product.priceAmount).toBe(1200);
      const done = outcomes.map((outcome) => typeof outcome !== 'string');
      expect(product.pending?.changes.priceAmount ?? product.priceAmount).toBe(done[0] ? 1 : 1200);
      expect(product.revision).toBe(2 + done.filter(Boolean).length);
    });
  });

  test('of two tabs that edit one revision, or hand it in, one wins and the other is told', async () => {
    const user = fresh('user');
    await applyAsSeller(c, { userId: user }, application);
    const acts = {
      edit: (id: ProductId, name: string) => updateProduct(c, user, id, { ...draft(name), priceAmount: 1, expectedRevision: 1 }),
      edit2: (id: ProductId, name: string) => updateProduct(c, user, id, { ...draft(name), priceAmount: 2, expectedRevision: 1 }),
      submit: (id: ProductId) => submitProduct(c, user, id, { expectedRevision: 1 }),
    };
    for (const other of [acts.edit2, acts.submit]) {
      await inEveryOrder(async (picks) => {
        const name = fresh('Sample App');
        const { id } = await createProduct(c, user, draft(name));
        const outcomes = await interleaver.run(picks, [outcomeOf(() => acts.edit(id, name)), outcomeOf(() => other(id, name))]);
        expect(outcomes.filter((outcome) => outcome === 'stale_revision')).toHaveLength(1);
        const [won] = outcomes.filter((outcome) => typeof outcome !== 'string');
        expect(await showOwnProduct(c, user, id)).toEqual(won);
      });
    }
  });

  test('a seller that is approved while they apply anew is approved as they were read, or not at all', async () => {
    await inEveryOrder(async (picks) => {
      const user = fresh('user');
      const { id } = await applyAsSeller(c, { userId: user }, application);
      const outcomes = await interleaver.run(picks, [
        outcomeOf(() => applyAsSeller(c, { userId: user }, { ...application, displayName: 'Another Shop' })),
        outcomeOf(() => reviewSeller(c, { userId: 'admin' }, id, { decision: 'approve', expectedRevision: 1 })),
      ]);
      const refused = outcomes.filter((outcome) => typeof outcome === 'string');
      const { internalReviewStatus, displayName } = await getSellerOfUser(table, user);
      // Whoever was told that it is done, it is done.
      const expected = refused[0] === 'stale_review' ? ['pending_review', 'Another Shop'] : ['approved', 'A Shop'];
      expect([internalReviewStatus, displayName]).toEqual(expected);
      expect(refused).toEqual([refused[0] === 'stale_review' ? 'stale_review' : 'seller_application_closed']);
    });
  });
});

test('in every order of two retrievals that show the owner is waited for, it is since the first that is stored', async () => {
  // Nothing else is asked than for the account, which waits for its owner.
  const stripe = { v2: { core: { accounts: { retrieve: async () => accountStates['new'] } } } } as unknown as Stripe;
  const provider: StripeClient = { call: (ask) => ask(stripe) };
  const times = ['2026-02-01T09:00:00.000Z', '2026-02-02T09:00:00.000Z'] as const;
  const refreshAt = (at: string, user: string) => () => refreshOwnSeller({ table, now: () => new Date(at), provider }, user);
  const scene: Parameters<typeof inEveryOrder>[0] = async (picks) => {
    const seller = sampleSeller({ paymentConnectedAccountId: 'acct_1', paymentOnboardingStatus: 'account_created' });
    await table.transact(addSeller(seller));
    const user = seller.ownerUserId;
    await interleaver.run(picks, [refreshAt(times[0], user), refreshAt(times[1], user)]);
    const first = interleaver.made.find(({ name }) => name === 'TransactWriteItems')?.task ?? 0;
    const stored = await getSeller(table, seller.id);
    expect(stored).toMatchObject({ paymentDueSince: times[first], paymentRetrievalsBegun: 2 });
  };
  // Both have to begin before either ends, and the later one must be overtaken too.
  expect(await inEveryOrder(scene, { switches: 2 })).toBeGreaterThan(20);
});

test('in every order of a worker that finishes a job and somebody who adds it again, the added one stays', async () => {
  const task: JobTask = { kind: 'project-event', eventId: 'evt_race' };
  const id = jobId(task);
  let clock = Date.parse('2026-01-31T09:00:00.000Z');
  const now = () => {
    clock += 1;
    return new Date(clock);
  };
  const c = { table, now };
  await inEveryOrder(async (picks) => {
    await table.write(addJob(c, task));
    const finish = async () => {
      const job = await leaseJob(c, id, 60);
      await table.transact(job ? [finishJob(job)] : []).catch((error) => expect(error).toBeInstanceOf(LeaseLostError));
    };
    await interleaver.run<unknown>(picks, [finish, () => table.transact([addJob(c, task)])]);
    const isLeft = (await table.get(jobKey(id))) !== undefined;
    // Only a worker that leased the added job itself may have removed it.
    const added = interleaver.made.findIndex((made) => made.task === 1);
    const leased = interleaver.made.findIndex((made) => made.task === 0 && made.name === 'UpdateItem');
    expect(isLeft).toBe(leased < added);
    await table.write({ delete: { Key: jobKey(id) } });
  });
});
