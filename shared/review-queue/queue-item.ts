import * as z from 'zod/mini';
import { type QueueKind, queueKinds } from '../db/keys.ts';
import { idOf } from '../ids.ts';
import { ProductFileHashStatus, ProductFileScanStatus, ProductFileStatus } from '../product-files/product-file.ts';
import { dateTime } from '../schemas.ts';
import { SellerRecord } from '../sellers/seller.ts';

/** What blocks a decision, in order of precedence. See "Ready" in README.md */
export const reviewBlockers = ['infected', 'hash', 'scan'] as const;
export type ReviewBlocker = (typeof reviewBlockers)[number];

/** Something that waits for an admin's decision. */
export const QueueItem = z.object({
  kind: z.enum(queueKinds),
  /** Of a revision, its product. */
  targetId: z.string(),
  /** Of everything but a seller. */
  productId: z.optional(idOf('product')),
  sellerId: idOf('seller'),
  sellerName: z.string(),
  title: z.string(),
  /** When it was handed in. */
  since: dateTime,
  dueAt: dateTime,
  ready: z.boolean(),
  blockedBy: z.optional(z.enum(reviewBlockers)),
  /** Whether it is the requesting admin's own, so that they may not decide on it. */
  own: z.boolean(),
});
export type QueueItem = z.infer<typeof QueueItem>;

/** How much of a kind waits, as far as it is counted, and since when the first. */
export const KindInQueue = z.object({ count: z.int(), oldestSince: z.optional(dateTime) });
export type KindInQueue = z.infer<typeof KindInQueue>;

export const QueueCounts = z.object({
  seller: KindInQueue,
  product: KindInQueue,
  revision: KindInQueue,
  file: KindInQueue,
  release: KindInQueue,
} satisfies Record<QueueKind, typeof KindInQueue>);
export type QueueCounts = z.infer<typeof QueueCounts>;

/** What the queue holds of each kind of noun. */
export const WaitingItem = z.object({
  queueSk: z.string(),
  id: z.string(),
  sellerId: z.optional(idOf('seller')),
  productId: z.optional(idOf('product')),
  name: z.optional(z.string()),
  fileName: z.optional(z.string()),
  version: z.optional(z.string()),
  hashStatus: z.optional(ProductFileHashStatus),
  scanStatus: z.optional(ProductFileScanStatus),
  scanTrustedClean: z.optional(z.boolean()),
  queueFiles: z.optional(z.array(idOf('file'))),
});
export type WaitingItem = z.infer<typeof WaitingItem>;

/** What is read of the sellers of what waits. */
export const QueueSeller = z.pick(SellerRecord, { id: true, displayName: true, ownerUserId: true, ownerEmails: true });
export type QueueSeller = z.infer<typeof QueueSeller>;

/** What is read of the files of the releases that wait. */
export const QueueFile = z.object({
  id: idOf('file'),
  status: ProductFileStatus,
  hashStatus: ProductFileHashStatus,
  scanStatus: ProductFileScanStatus,
  scanTrustedClean: z.boolean(),
});
export type QueueFile = z.infer<typeof QueueFile>;

type Judged = Pick<WaitingItem, 'hashStatus' | 'scanStatus' | 'scanTrustedClean'>;

/** What keeps a human from deciding on a file that waits; undefined when nothing does. */
export function blockerOfFile({ hashStatus, scanStatus, scanTrustedClean }: Judged): ReviewBlocker | undefined {
  if (scanStatus === 'infected') return 'infected';
  if (hashStatus === 'unverified') return 'hash';
  // What has another hash than declared is never scanned.
  return hashStatus === 'verified' && scanStatus === 'not_scanned' && !scanTrustedClean ? 'scan' : undefined;
}

/** The most serious blocker among a release's files. Files already decided on do not block. */
export function blockerOfRelease(files: readonly QueueFile[]): ReviewBlocker | undefined {
  const found = files.filter(({ status, scanStatus }) => status === 'pending_review' || scanStatus === 'infected').map(blockerOfFile);
  return reviewBlockers.find((blocker) => found.includes(blocker));
}
