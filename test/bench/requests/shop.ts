import { compose as composePublisher } from '../../../functions/event-publisher/compose.ts';
import { compose as composePages } from '../../../functions/pages/compose.ts';
import { routes as pageRoutes } from '../../../functions/pages/routes.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import type { OrderId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { createObjectStore } from '../../../shared/product-files/storage/object-store.ts';
import { startTestObjectStore, testBucket } from '../../support/engines/test-object-store.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { pageAssets } from '../../support/page-assets.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { startFileHarness } from '../../support/scenes/file-harness.ts';
import { createMailer, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { startSalesHarness } from '../../support/scenes/sales-harness.ts';

const hourMs = 3600_000;

/**
 * Everything that sells, over one table and without limits of callers: a product on sale whose page was never asked
 * for, and one with a file that somebody bought.
 */
export async function openShop() {
  const client = createDynamoClient();
  const [{ table }, objectStore] = await Promise.all([createTestTable({ client }), startTestObjectStore()]);
  const sales = await startSalesHarness({ table, fileStore: createObjectStore({ bucketName: testBucket, client: objectStore.client }) });
  const { settings, queue } = sales;
  const provider = createStripeClient({ secretKey: 'sk_test_shop', apiBase: sales.fakeProvider.endpoint });
  const pages = composePages({ settings, logger: silentLogger, table, provider, sender: queue, assets: pageAssets });
  const workers = {
    projector: sales.project,
    mailer: createMailer(sales, { send: async () => undefined }),
    publisher: composePublisher({ logger: silentLogger, table, sender: queue }),
  };
  const dueByNow = { table, now: () => new Date(Date.now() + 60_000) };
  const files = await startFileHarness({ table, objectStore });
  const fileId = await files.offerFile();
  const bought = await sales.addOrder({ productId: files.product.id, sellerId: files.product.sellerId });
  // Of somebody else than who buys next: orders of one buyer are compared, in one request more.
  await sales.deliver(sessionEvent(bought, 'completed', { customer_details: { email: 'another@example.com' } }));
  const product = await sales.offer();
  queue.take();

  return {
    client,
    slug: product.slug,
    slugWithFile: files.product.slug,
    fileId,
    bought: bought.id,
    sales,
    pageCall: createCaller(pages, pageRoutes, { described: false }),

    tokenOf: (orderId: OrderId, use: 'mail' | 'redirect' = 'mail') =>
      mintCompletionToken({ orderId, use, expiresAt: new Date(Date.now() + hourMs) }, new Date(), sales.tokenKeys),

    /** Has a worker do the job of this kind that was sent to the queue last; what else was sent stays there. */
    async work(worker: keyof typeof workers, kind: string): Promise<string> {
      const jobId = queue.sent.findLast((sent) => sent.startsWith(`${kind}:`));
      if (jobId === undefined) throw new Error(`No job ${kind} was sent.`);
      await workers[worker](toSqsEvent([jobId]));
      return kind;
    },

    /** Sends what waits for the sweeper, as it does once it is due. */
    async sweep(): Promise<void> {
      for (const { id } of await takeDueJobs(dueByNow)) queue.sent.push(id);
    },

    stop: () => Promise.all([sales.fakeProvider.stop(), objectStore.stop()]),
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
