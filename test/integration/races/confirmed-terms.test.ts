import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../functions/pages/routes.ts';
import type { OrderId } from '../../../shared/ids.ts';
import { getOrder } from '../../../shared/orders/order-repository.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { reviewProduct } from '../../../shared/products/product-review.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';
import { createPageHarness } from '../../support/scenes/pages/page-harness.ts';
import { startQuietProvider } from '../../support/scenes/quiet-provider.ts';

const interleaver = createInterleaver();
let pages: Awaited<ReturnType<typeof createPageHarness>>;
let fakeProvider: Awaited<ReturnType<typeof startQuietProvider>>;

beforeAll(async () => {
  fakeProvider = await startQuietProvider();
  pages = await createPageHarness({ paymentApiBase: fakeProvider.endpoint, faults: interleaver });
});
afterAll(() => fakeProvider.stop());

test('in every order of an order and an approval that changes the price, the buyer orders what was confirmed or is asked again', async () => {
  const { table, settings } = pages;
  const reviews = { table, now: () => new Date(), sendJob: async () => {}, settings: { ...settings, REVIEW_DUE_HOURS: 72 } };
  const account = await fakeProvider.openAccount();
  const call = createCaller(pages.handler, routes);
  const met = new Set<string>();
  await inEveryOrder(async (picks) => {
    const seller = sampleSeller({ ...sellingSeller, paymentConnectedAccountId: account });
    const pending = { status: 'pending_review', changes: { priceAmount: 9900 }, updatedAt: '2026-01-31T09:00:00.000Z' } as const;
    const product = sampleProduct({ sellerId: seller.id, status: 'approved', approvedBefore: true, pending });
    await table.transact([...addSeller(seller), ...addProduct(product)]);
    const body = new URLSearchParams({ revision: '1', request_key: 'k'.repeat(20) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const [reply] = await interleaver.run(picks, [
      () => call('POST', `/p/${product.slug}/checkout`, { body, headers }),
      async () => void (await reviewProduct(reviews, { userId: 'root' }, product.id, { decision: 'approve' })),
    ]);
    expect(reply?.status).toBe(303);
    const { location = '' } = reply?.headers ?? {};
    if (location === `/p/${product.slug}/checkout?changed=yes`) {
      met.add('asked again');
      return;
    }
    const session = await fakeProvider.client.call(({ checkout }) => checkout.sessions.retrieve(location.split('/').at(-1) ?? ''));
    met.add(`${session.amount_total}`);
    expect((await getOrder(table, session.client_reference_id as OrderId)).amount).toBe(4800);
  });
  expect([...met].sort()).toEqual(['4800', 'asked again']);
});
