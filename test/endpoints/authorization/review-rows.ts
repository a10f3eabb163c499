import { leaseJob, markJobDead } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { Marketplace, Shop } from '../../support/scenes/marketplace.ts';
import { adminFileBody, ofProduct, ok, productBody, type Row, sellerBody } from './rows.ts';

const hashing = ({ file }: Shop) => ({ kind: 'hash-file', productId: file.productId, fileId: file.id }) as const;

/** A job that is dead. */
async function giveUp(shop: Shop, { table, at }: Marketplace): Promise<void> {
  const c = { table, now: () => new Date(at) };
  await table.write(addJob(c, hashing(shop)));
  const leased = await leaseJob(c, jobId(hashing(shop)), 60);
  if (leased) await markJobDead(c, leased, 'object_unreadable');
}

const hoursAfter = (at: string | undefined, hours: number) => new Date(Date.parse(String(at)) + hours * 3600_000).toISOString();

const waiting = ({ seller, file }: Shop) => ({
  kind: 'file',
  target_id: file.id,
  product_id: file.productId,
  seller_id: seller.id,
  seller_name: 'Example Shop',
  title: 'setup.zip',
  since: file.uploadedAt,
  due_at: hoursAfter(file.uploadedAt, 72),
  ready: false,
  blocked_by: 'hash',
  own: false,
});

/** The rows of what admins look at before they decide, and of the service's own work. */
export const reviewRows: Record<string, Row> = {
  'admin: listReviewQueue': { reply: (_, { own, other }) => ok({ items: [waiting(own), waiting(other)] }) },
  'admin: getAdminOverview': {
    ask: async (shop, market) => {
      await giveUp(shop, market);
      return {};
    },
    reply: ({ file }) =>
      ok({
        queue: {
          seller: { count: 0 },
          product: { count: 0 },
          revision: { count: 0 },
          file: { count: 2, oldest_since: file.uploadedAt },
          release: { count: 0 },
        },
        jobs: { dead: 1, late: 0 },
        bounced_mails: 0,
      }),
  },
  'admin: getSeller': {
    ask: ({ seller }) => ({ ids: { seller_id: seller.id } }),
    reply: (shop) => ok(sellerBody(shop, { own: false })),
  },
  'admin: getProductForReview': {
    ask: ofProduct,
    reply: (shop) =>
      ok(
        productBody(shop.product, {
          own: false,
          seller: sellerBody(shop),
          files: [adminFileBody(shop.downloadable), adminFileBody(shop.file)],
        }),
      ),
  },
  'admin: listJobs': {
    ask: async (shop, market) => {
      await giveUp(shop, market);
      return {};
    },
    reply: (shop, { at }) =>
      ok({
        items: [
          {
            id: jobId(hashing(shop)),
            kind: 'hash-file',
            target_id: shop.file.id,
            attempts: 1,
            last_failure: 'object_unreadable',
            created_at: at,
            due_at: at,
          },
        ],
      }),
  },
  'admin: redriveJob': {
    ask: async (shop, market) => {
      await giveUp(shop, market);
      return { body: { job_id: jobId(hashing(shop)) } };
    },
    reply: () => ok({}, 202),
  },
};
