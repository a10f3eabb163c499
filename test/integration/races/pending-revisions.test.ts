import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { Needs } from '../../../shared/context.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { ProductId } from '../../../shared/ids.ts';
import { type ReviewProductRequest, reviewProduct } from '../../../shared/products/product-review.ts';
import { createProduct, publishProduct, showOwnProduct, submitProduct, updateProduct } from '../../../shared/products/product-service.ts';
import { readPublicProduct } from '../../../shared/products/public-product.ts';
import { createSlugMemory } from '../../../shared/products/slug-memory.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

const interleaver = createInterleaver();
let table: Table;
let c: Needs<'table' | 'now' | 'sendJob' | 'slugs' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>;
beforeAll(async () => {
  ({ table } = await createTestTable({ faults: interleaver }));
  const settings = sampleSettings(['PUBLIC_BASE_URL', 'REVIEW_DUE_HOURS']);
  c = { table, now: () => new Date(), sendJob: async () => {}, slugs: createSlugMemory(), settings };
  const [alice, bob] = ['alice', 'bob'].map((ownerUserId) => sampleSeller({ ownerUserId, internalReviewStatus: 'approved' }));
  await table.transact([alice, bob].flatMap((seller) => (seller ? addSeller(seller) : [])));
});

/** What each task came to: `done`, or the code of its error. */
const outcomeOf = (task: () => Promise<unknown>) => () =>
  task().then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Error && 'code' in error) return String(error.code);
      throw error;
    },
  );

const written = (name: string, priceAmount: number) => ({
  name,
  description: `Costs ${priceAmount}.`,
  priceAmount,
  currency: 'JPY',
  supportEmail: 'help@example.com',
  refundPolicy: 'Within 14 days.',
  softwareOperatingEnvironment: 'Any',
});

let last = 0;
let name = '';
beforeEach(() => {
  name = '';
});

/** A new product on sale for 1200, with an edit to 1500 that waits, or none. */
async function offered(pendingStatus?: 'draft' | 'pending_review', owner = 'alice') {
  last += 1;
  name = `Raced ${last}`;
  const { id, slug } = await createProduct(c, owner, written(name, 1200));
  await submitProduct(c, owner, id);
  await reviewProduct(c, { userId: 'admin' }, id, { decision: 'approve' });
  if (pendingStatus) await updateProduct(c, owner, id, written(name, 1500));
  if (pendingStatus === 'pending_review') await submitProduct(c, owner, id);
  const { revision } = await showOwnProduct(c, owner, id);
  return { id, slug, revision, name };
}
const edit = (id: ProductId, to: string, priceAmount: number, owner = 'alice') =>
  outcomeOf(() => updateProduct(c, owner, id, written(to, priceAmount)));
const submit = (id: ProductId) => outcomeOf(() => submitProduct(c, 'alice', id));
const withdraw = (id: ProductId) => outcomeOf(() => publishProduct(c, 'alice', id, false));
const review = (id: ProductId, request: ReviewProductRequest) => outcomeOf(() => reviewProduct(c, { userId: 'admin' }, id, request));
const read = (id: ProductId) => showOwnProduct(c, 'alice', id);
const publicPrice = async (slug: string) => (await readPublicProduct(c, slug)).priceAmount;
const liveAndPending = async (id: ProductId) => {
  const { status, priceAmount, pending } = await read(id);
  return [status, priceAmount, pending?.status, pending?.changes.priceAmount];
};

/** Both orders of two moves were met, each with the outcome that one after the other has. */
function expectBoth(met: unknown[][], ...possible: unknown[][]) {
  const seen = new Set(met.map((outcome) => JSON.stringify(outcome)));
  expect([...seen].sort()).toEqual(possible.map((outcome) => JSON.stringify(outcome)).sort());
}

describe('in every order of two moves at once', () => {
  test('an edit and an approval of what was looked at: the approval is stale, or the edit waits beside what was approved', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const { id, revision } = await offered('pending_review');
      const outcomes = await interleaver.run(picks, [
        edit(id, name, 9000),
        review(id, { decision: 'approve', expectedRevision: revision }),
      ]);
      met.push([...outcomes, ...(await liveAndPending(id))]);
    });
    expectBoth(met, ['done', 'stale_review', 'approved', 1200, 'draft', 9000], ['done', 'done', 'approved', 1500, 'draft', 9000]);
  });

  test('an edit and an approval of whatever is there never put on sale what was not handed in', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const { id } = await offered('pending_review');
      const outcomes = await interleaver.run(picks, [edit(id, name, 9000), review(id, { decision: 'approve' })]);
      met.push([...outcomes, ...(await liveAndPending(id))]);
    });
    expectBoth(met, ['done', 'done', 'approved', 1200, 'draft', 9000], ['done', 'done', 'approved', 1500, 'draft', 9000]);
  });

  test('an edit and a rejection: the reason is of the revision that was read', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const { id, revision } = await offered('pending_review');
      const outcomes = await interleaver.run(picks, [
        edit(id, name, 9000),
        review(id, { decision: 'reject', rejectionReason: 'No.', expectedRevision: revision }),
      ]);
      met.push([...outcomes, ...(await liveAndPending(id)), (await read(id)).pending?.rejectionReason]);
    });
    expectBoth(
      met,
      ['done', 'stale_review', 'approved', 1200, 'draft', 9000, undefined],
      ['done', 'done', 'approved', 1200, 'draft', 9000, 'No.'],
    );
  });

  test('an edit and handing in: what waits for review was handed in as it is, or is a draft', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const { id } = await offered('draft');
      const outcomes = await interleaver.run(picks, [edit(id, name, 9000), submit(id)]);
      met.push([...outcomes, ...(await liveAndPending(id))]);
    });
    expectBoth(met, ['done', 'done', 'approved', 1200, 'pending_review', 9000], ['done', 'done', 'approved', 1200, 'draft', 9000]);
  });

  test('taking an edit back and handing it in: nothing waits, whoever comes first', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const { id } = await offered('draft');
      const outcomes = await interleaver.run(picks, [edit(id, name, 1200), submit(id)]);
      met.push([...outcomes, ...(await liveAndPending(id))]);
    });
    expectBoth(met, ['done', 'invalid_state_transition', 'approved', 1200, null, null], ['done', 'done', 'approved', 1200, null, null]);
  });

  test('a withdrawal and an approval: a draft of the pending values, which no approval puts back on sale', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const { id } = await offered('pending_review');
      const outcomes = await interleaver.run(picks, [withdraw(id), review(id, { decision: 'approve' })]);
      met.push([...outcomes, ...(await liveAndPending(id))]);
    });
    expectBoth(met, ['done', 'invalid_state_transition', 'draft', 1500, null, null], ['done', 'done', 'draft', 1500, null, null]);
  });

  test('a suspension and an approval by two admins: suspended in the end, or reinstated as it was live', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const { id } = await offered('pending_review');
      const outcomes = await interleaver.run(picks, [review(id, { decision: 'suspend' }), review(id, { decision: 'approve' })]);
      met.push([...outcomes, ...(await liveAndPending(id))]);
    });
    expectBoth(met, ['done', 'done', 'approved', 1200, 'pending_review', 1500], ['done', 'done', 'suspended', 1500, null, null]);
  });

  test('a rename and an approval: the new name leads nowhere before it is approved', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const { id, slug } = await offered('pending_review');
      const wanted = `${name} anew`;
      const outcomes = await interleaver.run(picks, [edit(id, wanted, 1500), review(id, { decision: 'approve' })]);
      const there = await outcomeOf(() => publicPrice(wanted.toLowerCase().replaceAll(' ', '-')))();
      met.push([...outcomes, await publicPrice(slug), there, (await read(id)).pending?.changes.name === wanted]);
    });
    expectBoth(met, ['done', 'done', 1200, 'product_not_found', true], ['done', 'done', 1500, 'product_not_found', true]);
  });

  test('two sellers who rename to one slug: one has it, the other keeps what was pending', async () => {
    const met: unknown[][] = [];
    await inEveryOrder(async (picks) => {
      const one = await offered('draft');
      const other = await offered('draft', 'bob');
      const wanted = `Wanted ${last}`;
      const outcomes = await interleaver.run(picks, [edit(one.id, wanted, 1500), edit(other.id, wanted, 1500, 'bob')]);
      const names = [await read(one.id), await showOwnProduct(c, 'bob', other.id)].map(({ pending }) => pending?.changes.name === wanted);
      met.push([...outcomes, ...names]);
    });
    expectBoth(met, ['done', 'slug_reserved', true, false], ['slug_reserved', 'done', false, true]);
  });

  test('two edits: none is lost, and each is counted', async () => {
    await inEveryOrder(async (picks) => {
      const { id, revision } = await offered();
      await interleaver.run(picks, [
        outcomeOf(() => updateProduct(c, 'alice', id, { ...written(name, 1200), activationLimit: 5 })),
        outcomeOf(() => updateProduct(c, 'alice', id, { ...written(name, 1200), offlineDays: 3 })),
      ]);
      const product = await read(id);
      expect(product.pending?.changes).toEqual({ activationLimit: 5, offlineDays: 3 });
      expect(product.revision).toBe(revision + 2);
    });
  });

  test('the approval of one revision by two admins is one change, audited twice', async () => {
    await inEveryOrder(async (picks) => {
      const { id, revision } = await offered('pending_review');
      const approve = review(id, { decision: 'approve' });
      expect(await interleaver.run(picks, [approve, approve])).toEqual(['done', 'done']);
      expect(await read(id)).toMatchObject({ priceAmount: 1500, revision: revision + 1 });
      const { items } = await listAudit(table, { targetId: id, limit: 2 });
      expect(items.map(({ action }) => action)).toEqual(['product.approve', 'product.approve']);
    });
  });
});
