/** Views for admins before they decide. `admin` is the requesting admin. */

import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { type QueueKind, queueKinds } from '../db/keys.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import type { ProductId, SellerId } from '../ids.ts';
import { listFilesOfProduct } from '../product-files/live-file-repository.ts';
import { ProductFileAdmin, toAdminFile } from '../product-files/product-file-reviews.ts';
import { LastDecision, Product } from '../products/product.ts';
import { getProductWithDecision } from '../products/product-repository.ts';
import { type ShowNeeds, showProduct } from '../products/sale-blockers.ts';
import { reviewDueAt } from '../review-due.ts';
import { isOwn, type Person, Seller, toSeller } from '../sellers/seller.ts';
import { getSeller } from '../sellers/seller-repository.ts';
import { blockerOfFile, blockerOfRelease, type KindInQueue, type QueueCounts, QueueItem, type QueueSeller } from './queue-item.ts';
import { eachWaiting, listWaiting, readRelated, sellerIdOfEntry, type WaitingEntry } from './queue-repository.ts';

type QueueNeeds = Needs<'table' | 'REVIEW_DUE_HOURS'>;

/** A seller as the admin sees it who is to decide. */
export const SellerUnderReview = z.extend(Seller, {
  /** Whether that admin may not. */
  own: z.boolean(),
});
type SellerUnderReview = z.infer<typeof SellerUnderReview>;

/** A product likewise, with what belongs to a decision about it. */
export const ProductUnderReview = z.extend(Product, {
  own: z.boolean(),
  seller: Seller,
  /** The newest, in every state. */
  files: z.array(ProductFileAdmin),
  lastDecision: z.optional(LastDecision),
});
type ProductUnderReview = z.infer<typeof ProductUnderReview>;

/** The limit up to which waiting items and problems are counted. */
export const maxCounted = 999;

function toQueueItems(c: Needs<'REVIEW_DUE_HOURS'>, admin: Person, waiting: WaitingEntry, related: Related): QueueItem[] {
  const { kind, since, item } = waiting;
  const sellerId = sellerIdOfEntry(waiting);
  if (sellerId === undefined) return [];
  const seller = related.sellers.get(sellerId);
  const blockedBy = blockerOf(waiting, related);
  return [
    QueueItem.parse({
      kind,
      targetId: item.id,
      productId: kind === 'product' || kind === 'revision' ? item.id : item.productId,
      sellerId,
      sellerName: seller?.displayName ?? '',
      title: titleOf(waiting, seller),
      since,
      dueAt: reviewDueAt(since, c.settings.REVIEW_DUE_HOURS),
      ready: blockedBy === undefined,
      blockedBy,
      own: isOwn(admin, seller),
    }),
  ];
}

/** What waits for a decision, that which waits longest first; of one kind if given. See "The queue" in README.md */
export async function listQueue(
  c: QueueNeeds,
  admin: Person,
  request: PageRequest & { kind?: QueueKind | undefined },
): Promise<Page<QueueItem>> {
  const { items, nextCursor } = await listWaiting(c.table, request);
  const related = await readRelated(c.table, items);
  return { items: items.flatMap((waiting) => toQueueItems(c, admin, waiting, related)), nextCursor };
}

/** How much of each kind waits, as far as `maxCounted`, and since when the first. */
export async function countQueue(table: Table): Promise<QueueCounts> {
  const counted = new Map<QueueKind, KindInQueue>(queueKinds.map((kind) => [kind, { count: 0 }]));
  for await (const { kind, since } of eachWaiting(table)) {
    const { count = 0, oldestSince = since } = counted.get(kind) ?? {};
    counted.set(kind, { count: Math.min(maxCounted, count + 1), oldestSince });
    if ([...counted.values()].every((one) => one.count === maxCounted)) break;
  }
  const of = (kind: QueueKind) => counted.get(kind) ?? { count: 0 };
  return { seller: of('seller'), product: of('product'), revision: of('revision'), file: of('file'), release: of('release') };
}

/** @throws AppError seller_not_found */
export async function getSellerForReview(c: QueueNeeds, admin: Person, sellerId: SellerId): Promise<SellerUnderReview> {
  const seller = await getSeller(c.table, sellerId);
  return { ...toSeller(c, seller), own: isOwn(admin, seller) };
}

/** A product with everything needed to decide on it. @throws AppError product_not_found */
export async function getProductForReview(c: ShowNeeds, admin: Person, productId: ProductId): Promise<ProductUnderReview> {
  const { product, lastDecision } = await getProductWithDecision(c.table, productId);
  const [seller, newest] = await Promise.all([
    getSeller(c.table, product.sellerId),
    listFilesOfProduct(c.table, productId, { limit: 100, newestFirst: true }),
  ]);
  return {
    ...(await showProduct(c, product, seller)),
    own: isOwn(admin, seller),
    seller: toSeller(c, seller),
    files: newest.items.map((file) => toAdminFile(c, file)),
    lastDecision,
  };
}

type Related = Awaited<ReturnType<typeof readRelated>>;

function blockerOf({ kind, item }: WaitingEntry, { files }: Related) {
  if (kind === 'file') return blockerOfFile(item);
  return kind === 'release' ? blockerOfRelease((item.queueFiles ?? []).flatMap((fileId) => files.get(fileId) ?? [])) : undefined;
}

function titleOf({ kind, item }: WaitingEntry, seller: QueueSeller | undefined): string {
  const titles = { seller: seller?.displayName, product: item.name, revision: item.name, file: item.fileName, release: item.version };
  return titles[kind] ?? item.id;
}
