import { expect } from '@jest/globals';
import type { Marketplace, Shop } from '../../support/scenes/marketplace.ts';
import { bringRelease, type Stage, sentOf } from '../../support/scenes/releases/market-releases.ts';
import { dueAt, ok, type Row } from './rows.ts';

type Json = Record<string, unknown>;

/** How far a release has come, by its version: each shop has one of each, once it is asked for. */
const versions = { draft: '1.0.0', pending_review: '1.1.0', approved: '1.2.0', published: '1.3.0' } as const satisfies Record<
  Stage,
  string
>;

const sent = (stage: Stage) => sentOf(versions[stage]);

async function releaseOf(shop: Shop, stage: Stage, market: Marketplace): Promise<{ ids: Record<string, string> }> {
  return { ids: { product_id: shop.product.id, release_id: await bringRelease(market, shop, stage, versions[stage]) } };
}

function releaseBody(shop: Shop, { at }: Marketplace, stage: Stage, changes: Json = {}): Json {
  const available = stage === 'approved' || stage === 'published';
  const { fileName: file_name, sizeBytes: size_bytes, sha256Hex: sha256_hex } = shop.file;
  return {
    ...sent(stage),
    id: expect.stringMatching(/^rel_[0-9A-Z]{26}$/),
    product_id: shop.product.id,
    status: stage,
    created_at: at,
    revision: Object.keys(versions).indexOf(stage) + 1,
    critical: false,
    publish_on_approval: false,
    requires_features: [],
    artifacts: [
      {
        file_id: expect.stringMatching(/^fil_[0-9A-Z]{26}$/),
        platform: 'any',
        arch: 'any',
        kind: 'full',
        file_name,
        size_bytes,
        sha256_hex,
        available,
      },
    ],
    ...(stage !== 'draft' && { submitted_at: at }),
    ...((changes['status'] ?? stage) === 'pending_review' && { review_due_at: dueAt(at) }),
    ...(stage === 'published' && { published_at: at, rollout_percent: 100 }),
    ...changes,
  };
}

const moving = (stage: Stage, changes: Json, body?: Json): Row => ({
  ask: async (shop, market) => ({ ...(await releaseOf(shop, stage, market)), ...(body && { body }) }),
  reply: (shop, market) => ok(releaseBody(shop, market, stage, changes)),
});
const unavailable = (shop: Shop, market: Marketplace) => [
  { ...(releaseBody(shop, market, 'draft')['artifacts'] as Json[])[0], available: false },
];

/** Of releases: their sellers', admins', buyers' and everybody's. */
export const releaseRows: Record<string, Row> = {
  'releases: saveRelease': {
    ask: ({ product }) => ({ ids: { product_id: product.id }, body: sent('draft') }),
    reply: (shop, market) => ok(releaseBody(shop, market, 'draft', { artifacts: [] }), 201),
  },
  'releases: listReleases': {
    ask: async (shop, market) => {
      await releaseOf(shop, 'draft', market);
      return { ids: { product_id: shop.product.id } };
    },
    reply: (shop, market) => ok({ items: [releaseBody(shop, market, 'draft')] }),
  },
  'releases: getRelease': moving('draft', {}),
  'releases: submitRelease': {
    ask: (shop, market) => releaseOf(shop, 'draft', market),
    reply: (shop, market) => ok(releaseBody(shop, market, 'pending_review', sent('draft'))),
  },
  'releases: withdrawRelease': moving('pending_review', { status: 'draft', revision: 3 }),
  'releases: publishRelease': {
    ask: (shop, market) => releaseOf(shop, 'approved', market),
    reply: (shop, market) => ok(releaseBody(shop, market, 'published', sent('approved'))),
  },
  'releases: yankRelease': {
    ask: async (shop, market) => ({ ...(await releaseOf(shop, 'published', market)), body: { reason: 'Broken' } }),
    reply: (shop, market) => {
      const artifacts = unavailable(shop, market);
      const yanked = { status: 'yanked', revision: 5, yank_reason: 'Broken', yanked_at: market.at, artifacts };
      return ok(releaseBody(shop, market, 'published', yanked));
    },
  },
  'releases: deleteRelease': { ask: (shop, market) => releaseOf(shop, 'draft', market), reply: () => ok({}) },
  'admin: listReleasesForReview': {
    ask: async (shop, market) => {
      await releaseOf(shop, 'pending_review', market);
      return {};
    },
    reply: (shop, market) => ok({ items: [releaseBody(shop, market, 'pending_review', { seller_id: shop.seller.id })] }),
  },
  'admin: reviewRelease': moving(
    'pending_review',
    { status: 'draft', revision: 3, rejection_reason: 'No' },
    { decision: 'reject', rejection_reason: 'No' },
  ),
  'purchases: listPurchasedReleases': {
    ask: async (shop, market) => {
      await releaseOf(shop, 'published', market);
      return { body: { token: shop.token } };
    },
    reply: (shop, market) => {
      const { artifacts } = releaseBody(shop, market, 'published');
      return ok({ items: [{ ...sent('published'), published_at: market.at, critical: false, covered: true, artifacts }] });
    },
  },
  'pages: showReleases': {
    ask: async (shop, market) => {
      await releaseOf(shop, 'published', market);
      return { ids: { slug: shop.product.slug } };
    },
    reply: () => ({ status: 200, text: expect.stringContaining(versions.published) }),
  },
  'storefront: listPublicReleases': {
    ask: async (shop, market) => {
      await releaseOf(shop, 'published', market);
      return { ids: { slug: shop.product.slug } };
    },
    reply: (_, { at }) => ok({ items: [{ ...sent('published'), published_at: at, critical: false }] }),
  },
};
