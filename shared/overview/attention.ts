import type { EndpointId, FileId, OrderId, ProductId, ReleaseId, SellerId } from '../ids.ts';
import type { HeldOrder } from '../orders/held-order-repository.ts';
import { isDead, type ProductFileRecord } from '../product-files/product-file.ts';
import type { ProductRecord } from '../products/product.ts';
import { isOnSale } from '../products/product-states.ts';
import type { UnpublishedRelease } from '../releases/unpublished-release-repository.ts';
import { paymentWaitingSince, type SellerRecord } from '../sellers/seller.ts';
import type { WebhookEndpointRecord } from '../webhook-endpoints/endpoints/webhook-endpoint.ts';
import { hasFailed, hasFailedScan, isApplicationReturned, isUnreadable } from './tasks.ts';

export const attentionKinds = [
  'application_returned',
  'payment_due',
  'product_rejected',
  'revision_rejected',
  'file_rejected',
  'file_failed',
  'release_rejected',
  'codes_short',
  'endpoint_disabled',
  'paid_but_held',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** What needs the seller. */
export interface Attention {
  kind: AttentionKind;
  /** The seller, product, file, release, endpoint or order that it is about, by its kind. */
  targetId: SellerId | ProductId | FileId | ReleaseId | EndpointId | OrderId;
  since: string;
}

/** How many are listed, newest first. */
export const maxAttention = 50;
/** A product on sale is short of codes while fewer are left. */
export const lowStock = 10;
/** For how many days a rejected file is listed. */
const rejectedDays = 30;

/** A product with what is there of it. */
export interface ProductStanding {
  product: ProductRecord;
  /** Oldest first. */
  files: readonly ProductFileRecord[];
  /** Up to `lowStock` of what is left; undefined of a product that sells no imported codes. */
  codesLeft: number | undefined;
  /** When the oldest payment that waits for a code came. */
  ordersWaitSince: string | undefined;
}

export interface AttentionFacts {
  seller: SellerRecord;
  products: readonly ProductStanding[];
  releases: readonly UnpublishedRelease[];
  endpoints: readonly WebhookEndpointRecord[];
  heldOrders: readonly HeldOrder[];
}

/** What needs the seller now, newest first. See "Attention" in attention.md */
export function attentionOf({ seller, products: stands, releases, endpoints, heldOrders }: AttentionFacts, now: Date): Attention[] {
  const found = [
    ...ofSeller(seller),
    ...stands.flatMap((standing) => [...ofProduct(standing.product), ...ofFiles(standing.files, now), ...ofStock(standing)]),
    ...releases.flatMap(ofRelease),
    ...endpoints.flatMap(ofEndpoint),
    ...heldOrders.map(({ orderId, since }): Attention => ({ kind: 'paid_but_held', targetId: orderId, since })),
  ];
  // Items of the same moment have a fixed order too.
  const placeOf = ({ since, targetId, kind }: Attention) => `${since} ${targetId} ${kind}`;
  return found.toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1)).slice(0, maxAttention);
}

function ofSeller(seller: SellerRecord): Attention[] {
  const dueSince = paymentWaitingSince(seller);
  return [
    ...(isApplicationReturned(seller)
      ? [{ kind: 'application_returned', targetId: seller.id, since: seller.returnedAt ?? seller.updatedAt } as const]
      : []),
    ...(dueSince === undefined ? [] : [{ kind: 'payment_due', targetId: seller.id, since: dueSince } as const]),
  ];
}

function ofProduct(product: ProductRecord): Attention[] {
  const { id: targetId, reviewedAt, updatedAt, pending } = product;
  return [
    ...(isStillRejected(product)
      ? [{ kind: 'product_rejected', targetId, since: product.rejectedAt ?? reviewedAt ?? updatedAt } as const]
      : []),
    ...(pending && isStillRejected(pending)
      ? [{ kind: 'revision_rejected', targetId, since: pending.rejectedAt ?? pending.updatedAt } as const]
      : []),
  ];
}

/** Editing a rejected product makes it a draft that stays marked as rejected until it is submitted again. */
function isStillRejected({ status, rejectedAt, rejectionReason }: Pick<ProductRecord, 'status' | 'rejectedAt' | 'rejectionReason'>) {
  return status === 'rejected' || (status === 'draft' && (rejectedAt !== undefined || rejectionReason !== undefined));
}

function ofFiles(files: readonly ProductFileRecord[], now: Date): Attention[] {
  const rejectedAfter = new Date(now.getTime() - rejectedDays * 24 * 3600_000).toISOString();
  const latest = new Map(files.filter((file) => file.status !== 'disabled' || !isDead(file)).map(({ purpose, id }) => [purpose, id]));
  return files.flatMap((file): Attention[] => {
    const { id: targetId, purpose, rejectedAt = '' } = file;
    if (hasFailed(file)) return [{ kind: 'file_failed', targetId, since: failedAt(file) }];
    // A rejection is final.
    const isShown = rejectedAt > rejectedAfter && latest.get(purpose) === targetId;
    return isShown ? [{ kind: 'file_rejected', targetId, since: rejectedAt }] : [];
  });
}

/** The first of what is wrong. Bytes are hashed as soon as they are there, and when that failed is not kept. */
function failedAt(file: ProductFileRecord): string {
  const uploadedAt = file.uploadedAt ?? file.createdAt;
  const scanned = hasFailedScan(file) ? (file.scannedAt ?? uploadedAt) : undefined;
  const hashed = isUnreadable(file) ? uploadedAt : undefined;
  return [scanned, hashed].flatMap((at) => at ?? []).toSorted()[0] ?? uploadedAt;
}

/** When the stock fell is not stored: a shortage dates from the oldest waiting payment, or from the product's approval. */
function ofStock({ product, codesLeft = lowStock, ordersWaitSince }: ProductStanding): Attention[] {
  const isShort = isOnSale(product) && codesLeft < lowStock;
  if (ordersWaitSince === undefined && !isShort) return [];
  return [{ kind: 'codes_short', targetId: product.id, since: ordersWaitSince ?? product.reviewedAt ?? product.updatedAt }];
}

const ofRelease = ({ id: targetId, rejectionReason, rejectedAt, submittedAt, createdAt }: UnpublishedRelease): Attention[] =>
  rejectionReason === undefined ? [] : [{ kind: 'release_rejected', targetId, since: rejectedAt ?? submittedAt ?? createdAt }];

const ofEndpoint = ({ id: targetId, enabled, disabledReason, disabledAt, updatedAt }: WebhookEndpointRecord): Attention[] =>
  enabled || disabledReason === undefined ? [] : [{ kind: 'endpoint_disabled', targetId, since: disabledAt ?? updatedAt }];
