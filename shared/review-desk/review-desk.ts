import { reviewDueAt } from '../console/review-due.ts';
import { type QueueKind, queueKinds } from '../db/keys.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import type { FileId, ProductId, SellerId } from '../ids.ts';
import { createProductFileRepository } from '../product-files/product-file-repository.ts';
import { toAdminFile } from '../product-files/product-file-reviews.ts';
import { createProductRepository } from '../products/product-repository.ts';
import type { ShowProduct } from '../products/sale-blockers.ts';
import { isOwn, type Person, toSeller } from '../sellers/seller.ts';
import { createSellerRepository } from '../sellers/seller-repository.ts';
import type { ProductUnderReview, SellerUnderReview } from './product-under-review.ts';
import {
  blockerOfFile,
  blockerOfRelease,
  type KindInQueue,
  type QueueCounts,
  type QueueFile,
  QueueItem,
  type QueueSeller,
} from './queue-item.ts';
import { createQueueRepository, sellerIdOf, type Waiting } from './queue-repository.ts';

/** As far as is counted what waits, or is amiss. */
export const mostCounted = 999;

export type ReviewDesk = ReturnType<typeof createReviewDesk>;

/** What admins look at before they decide. `admin` is who asks. */
export function createReviewDesk(options: { table: Table; showProduct: ShowProduct; reviewDueHours: number }) {
  const { table, showProduct, reviewDueHours } = options;
  const queue = createQueueRepository({ table });
  const sellers = createSellerRepository({ table });
  const products = createProductRepository({ table });
  const files = createProductFileRepository({ table });

  function shown(admin: Person, waiting: Waiting, beside: Beside): QueueItem[] {
    const { kind, since, item } = waiting;
    const sellerId = sellerIdOf(waiting);
    if (sellerId === undefined) return [];
    const seller = beside.sellers.get(sellerId);
    const blockedBy = blockerOf(waiting, beside);
    return [
      QueueItem.parse({
        kind,
        targetId: item.id,
        productId: kind === 'product' || kind === 'revision' ? item.id : item.productId,
        sellerId,
        sellerName: seller?.displayName ?? '',
        title: titleOf(waiting, seller),
        since,
        dueAt: reviewDueAt(since, reviewDueHours),
        ready: blockedBy === undefined,
        blockedBy,
        own: isOwn(admin, seller),
      }),
    ];
  }

  return {
    /** What waits for a decision, that which waits longest first; of one kind if given. See "The queue" in README.md */
    async listQueue(admin: Person, request: PageRequest & { kind?: QueueKind | undefined }): Promise<Page<QueueItem>> {
      const { items, nextCursor } = await queue.listWaiting(request);
      const beside = await queue.readBeside(items);
      return { items: items.flatMap((waiting) => shown(admin, waiting, beside)), nextCursor };
    },

    /** How much of each kind waits, as far as `mostCounted`, and since when the first. */
    async countQueue(): Promise<QueueCounts> {
      const counted = new Map<QueueKind, KindInQueue>(queueKinds.map((kind) => [kind, { count: 0 }]));
      for await (const { kind, since } of queue.eachWaiting()) {
        const { count = 0, oldestSince = since } = counted.get(kind) ?? {};
        counted.set(kind, { count: Math.min(mostCounted, count + 1), oldestSince });
        if ([...counted.values()].every((one) => one.count === mostCounted)) break;
      }
      const of = (kind: QueueKind) => counted.get(kind) ?? { count: 0 };
      return { seller: of('seller'), product: of('product'), revision: of('revision'), file: of('file'), release: of('release') };
    },

    /** @throws AppError seller_not_found */
    async getSeller(admin: Person, sellerId: SellerId): Promise<SellerUnderReview> {
      const seller = await sellers.getSeller(sellerId);
      return { ...toSeller(seller, options), own: isOwn(admin, seller) };
    },

    /** A product with all that a decision about it wants to know. @throws AppError product_not_found */
    async getProduct(admin: Person, productId: ProductId): Promise<ProductUnderReview> {
      const { product, lastDecision } = await products.getDecidedProduct(productId);
      const [seller, newest] = await Promise.all([
        sellers.getSeller(product.sellerId),
        files.listFilesOfProduct(productId, { limit: 100, newestFirst: true }),
      ]);
      return {
        ...(await showProduct(product, seller)),
        own: isOwn(admin, seller),
        seller: toSeller(seller, options),
        files: newest.items.map((file) => toAdminFile(file, options)),
        lastDecision,
      };
    },
  };
}

interface Beside {
  sellers: ReadonlyMap<SellerId, QueueSeller>;
  files: ReadonlyMap<FileId, QueueFile>;
}

function blockerOf({ kind, item }: Waiting, { files }: Beside) {
  if (kind === 'file') return blockerOfFile(item);
  return kind === 'release' ? blockerOfRelease((item.queueFiles ?? []).flatMap((fileId) => files.get(fileId) ?? [])) : undefined;
}

function titleOf({ kind, item }: Waiting, seller: QueueSeller | undefined): string {
  const titles = { seller: seller?.displayName, product: item.name, revision: item.name, file: item.fileName, release: item.version };
  return titles[kind] ?? item.id;
}
