/**
 * Every key of the table, in one place. No other file contains a key string.
 *
 * Table:          pk, sk
 * Index `list`:   listPk, listSk        what an admin lists across owners, sharded
 * Index `pending`: pendingPk, pendingSk jobs by the time they are due, sharded, sparse
 *
 * Times in keys are ISO 8601 in milliseconds, so that they sort as text.
 */
import { createHash } from 'node:crypto';
import type { BatchId, EndpointId, EventId, FileId, LicenseId, OrderId, ProductId, SellerId } from '../ids.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export interface ListKey {
  readonly listPk: string;
  readonly listSk: string;
}

export interface PendingKey {
  readonly pendingPk: string;
  readonly pendingSk: string;
}

/**
 * How many partitions each of these spreads over. They may be raised, never lowered. See "Shards" in README.md
 */
const listShards = 8;
const pendingShards = 4;
const stockShards = 8;

const shardOf = (text: string, shards: number) => (createHash('sha256').update(text).digest()[0] ?? 0) % shards;
const allShards = (shards: number) => Array.from({ length: shards }, (_, shard) => shard);

/** Lists that run across owners. A page of one merges all its shards by listSk. */
export type ListName =
  | 'sellers'
  | 'products'
  | 'orders'
  | 'audit'
  | 'dead-jobs'
  | `files#${string}`
  | `licenses#${string}`
  | `replaced-keys#${string}`
  | 'moving-licenses';

export const listKey = (list: ListName, at: string, id: string): ListKey => ({
  listPk: `LIST#${list}#${shardOf(id, listShards)}`,
  listSk: `${at}#${id}`,
});
export const listPartitions = (list: ListName): string[] => allShards(listShards).map((shard) => `LIST#${list}#${shard}`);

export const pendingKey = (jobId: string, dueAt: string): PendingKey => ({
  pendingPk: `PENDING#${shardOf(jobId, pendingShards)}`,
  pendingSk: `${dueAt}#${jobId}`,
});
export const pendingPartitions = (): string[] => allShards(pendingShards).map((shard) => `PENDING#${shard}`);
/** The sort-key bound below which every job is due at `at`. */
export const dueBy = (at: string) => `${at}#~`;

export const jobKey = (jobId: string): Key => ({ pk: `${jobPrefix}${jobId}`, sk: 'JOB' });
const jobPrefix = 'JOB#';
/** The inverse of `jobKey`. */
export const jobIdOfKey = ({ pk }: Pick<Key, 'pk'>) => pk.slice(jobPrefix.length);
export const auditKey = (targetId: string, at: string, id: string): Key => ({ pk: `AUDIT#${targetId}`, sk: `${at}#${id}` });
export const auditPartition = (targetId: string) => `AUDIT#${targetId}`;
export const rateLimitKey = (limit: string, addressHash: string): Key => ({ pk: `RATE#${limit}#${addressHash}`, sk: 'BUCKET' });

export const sellerKey = (sellerId: SellerId): Key => ({ pk: `SELLER#${sellerId}`, sk: 'SELLER' });
export const sellerOfUserKey = (userId: string): Key => ({ pk: `USER#${userId}`, sk: 'SELLER' });
export const sellerOfAccountKey = (accountId: string): Key => ({ pk: `ACCOUNT#${accountId}`, sk: 'SELLER' });

export const productKey = (productId: ProductId): Key => ({ pk: `PRODUCT#${productId}`, sk: 'PRODUCT' });
export const slugKey = (slug: string): Key => ({ pk: `SLUG#${slug}`, sk: 'SLUG' });
/** Under the seller: a pointer to each product, so that a seller's list needs no second index. */
export const productOfSellerKey = (sellerId: SellerId, productId: ProductId): Key => ({
  pk: `SELLER#${sellerId}`,
  sk: `PRODUCT#${productId}`,
});
export const productsOfSeller = (sellerId: SellerId) => ({ pk: `SELLER#${sellerId}`, prefix: 'PRODUCT#' });

export const fileKey = (productId: ProductId, fileId: FileId): Key => ({ pk: `PRODUCT#${productId}`, sk: `FILE#${fileId}` });
export const filesOfProduct = (productId: ProductId) => ({ pk: `PRODUCT#${productId}`, prefix: 'FILE#' });
/** The index of a product's live files; it counts its changes, so that of two uploads at once each sees the other. */
export const fileSlotsKey = (productId: ProductId): Key => ({ pk: `PRODUCT#${productId}`, sk: 'FILE_SLOTS' });

/** How many bytes the seller's files take. */
export const sellerStorageKey = (sellerId: SellerId): Key => ({ pk: `SELLER#${sellerId}`, sk: 'STORAGE' });

export const orderKey = (orderId: OrderId): Key => ({ pk: `ORDER#${orderId}`, sk: 'ORDER' });
export const orderOfSellerKey = (sellerId: SellerId, orderId: OrderId): Key => ({ pk: `SELLER#${sellerId}`, sk: `ORDER#${orderId}` });
export const ordersOfSeller = (sellerId: SellerId) => ({ pk: `SELLER#${sellerId}`, prefix: 'ORDER#' });
export const checkoutRequestKey = (requestHash: string): Key => ({ pk: `CHECKOUT#${requestHash}`, sk: 'CHECKOUT' });
/** What is known of a payment, whether or not its order is known yet. */
export const paymentKey = (paymentIntentId: string): Key => ({ pk: `PAYMENT#${paymentIntentId}`, sk: 'PAYMENT' });
/** From a charge to its payment. */
export const chargeKey = (chargeId: string): Key => ({ pk: `CHARGE#${chargeId}`, sk: 'CHARGE' });
export const webhookEventKey = (eventId: string): Key => ({ pk: `EVENT#${eventId}`, sk: 'EVENT' });

/** A mail about an order. The issuance mail has the fixed id `issuance`: an order has at most one. */
export const mailKey = (orderId: OrderId, mailId: string): Key => ({ pk: `ORDER#${orderId}`, sk: `MAIL#${mailId}` });
export const orderOfBuyerKey = (emailHash: string, orderId: OrderId): Key => ({ pk: `BUYER#${emailHash}`, sk: `ORDER#${orderId}` });
/** Which address asked for fresh links, by the id of the mail that it is to get. */
export const mailingRequestKey = (mailId: string): Key => ({ pk: `MAILING#${mailId}`, sk: 'REQUEST' });
/** The latest mailings of fresh links to an address. */
export const mailingsKey = (emailHash: string): Key => ({ pk: `BUYER#${emailHash}`, sk: 'MAILINGS' });
export const ordersOfBuyer = (emailHash: string) => ({ pk: `BUYER#${emailHash}`, prefix: 'ORDER#' });

/** A license and its devices share the partition of the license key's lookup hash: one request validates. A replaced key stands there too, and is in the list `replaced-keys#<pepper version>`. */
export const licenseKey = (lookup: string): Key => ({ pk: `LICENSE#${lookup}`, sk: 'LICENSE' });
export const deviceKey = (lookup: string, deviceHash: string): Key => ({ pk: `LICENSE#${lookup}`, sk: `DEVICE#${deviceHash}` });
export const devicesOfLicense = (lookup: string) => ({ pk: `LICENSE#${lookup}`, prefix: 'DEVICE#' });
/**
 * From the license id to its lookup hash. It is in the list `licenses#<pepper version>`, or
 * `moving-licenses` while it is re-keyed: here and not on the license, whose every seat would
 * then be an index write too.
 */
export const licensePointerKey = (licenseId: LicenseId): Key => ({ pk: `LICENSE_ID#${licenseId}`, sk: 'POINTER' });

/** What its buyer did with a license in the last 30 days; it outlives the key. */
export const buyerMovesKey = (licenseId: LicenseId): Key => ({ pk: `LICENSE_ID#${licenseId}`, sk: 'BUYER_MOVES' });

export const batchKey = (productId: ProductId, batchId: BatchId): Key => ({ pk: `PRODUCT#${productId}`, sk: `BATCH#${batchId}` });
export const batchesOfProduct = (productId: ProductId) => ({ pk: `PRODUCT#${productId}`, prefix: 'BATCH#' });
export const batchRequestKey = (productId: ProductId, keyHash: string): Key => ({
  pk: `PRODUCT#${productId}`,
  sk: `BATCH_REQUEST#${keyHash}`,
});
/** The codes of an upload, encrypted, in pieces: each in a partition of its own, because one could not take them all at once. */
export const codeUploadKey = (batchId: BatchId, piece: number): Key => ({ pk: `UPLOAD#${batchId}#${piece}`, sk: 'PIECE' });
/** The secret under which a seller's codes are hashed. */
export const codeHashSecretKey = (sellerId: SellerId): Key => ({ pk: `SELLER#${sellerId}`, sk: 'CODE_HASH_SECRET' });
/** One per code and seller: what makes a code unique among all products of the seller. */
export const codeKey = (sellerId: SellerId, codeHash: string): Key => ({ pk: `CODE#${sellerId}#${codeHash}`, sk: 'CODE' });
/** Unsold codes of a product, spread over shards by hash so that neither imports nor sales crowd one partition. */
export const codeStockKey = (productId: ProductId, codeHash: string): Key => ({
  pk: `STOCK#${productId}#${shardOf(codeHash, stockShards)}`,
  sk: `CODE#${codeHash}`,
});
export const codeStockPartitions = (productId: ProductId): string[] => allShards(stockShards).map((shard) => `STOCK#${productId}#${shard}`);
/** A place among the codes of a stock partition: the codes after it are those whose hash sorts after `text`. */
export const codeStockPlace = (text: string) => `CODE#${text}`;
/** Paid orders of a product that wait for an imported code, oldest payment first. */
export const waitingOrderKey = (productId: ProductId, paidAt: string, orderId: OrderId): Key => ({
  pk: `WAITING#${productId}`,
  sk: `${paidAt}#${orderId}`,
});
export const waitingOrders = (productId: ProductId) => ({ pk: `WAITING#${productId}`, prefix: '' });

/** Where a seller's events go. */
export const endpointKey = (sellerId: SellerId, endpointId: EndpointId): Key => ({
  pk: `SELLER#${sellerId}`,
  sk: `ENDPOINT#${endpointId}`,
});
export const endpointsOfSeller = (sellerId: SellerId) => ({ pk: `SELLER#${sellerId}`, prefix: 'ENDPOINT#' });
/** How many endpoints the seller has. */
export const endpointCountKey = (sellerId: SellerId): Key => ({ pk: `SELLER#${sellerId}`, sk: 'ENDPOINT_COUNT' });
/** What happened to what the seller sells, in the order in which it happened. */
export const sellerEventKey = (sellerId: SellerId, eventId: EventId): Key => ({ pk: `SELLER_EVENTS#${sellerId}`, sk: `EVENT#${eventId}` });
export const eventsOfSeller = (sellerId: SellerId) => ({ pk: `SELLER_EVENTS#${sellerId}`, prefix: 'EVENT#' });
/** An event on its way to one endpoint, or how it got there; in the order of the events. */
export const deliveryKey = (endpointId: EndpointId, eventId: EventId): Key => ({ pk: `ENDPOINT#${endpointId}`, sk: `DELIVERY#${eventId}` });
export const deliveriesOfEndpoint = (endpointId: EndpointId) => ({ pk: `ENDPOINT#${endpointId}`, prefix: 'DELIVERY#' });
/** The place of a pending delivery among those of its endpoint, by the time it is due. */
export const dueDeliveryKey = (endpointId: EndpointId, dueAt: string, eventId: EventId): Key => ({
  pk: `ENDPOINT#${endpointId}`,
  sk: `DUE#${dueAt}#${eventId}`,
});
export const dueDeliveries = (endpointId: EndpointId) => ({ pk: `ENDPOINT#${endpointId}`, prefix: 'DUE#' });
/** What the seller asked to have sent to the endpoint again. */
export const replayKey = (endpointId: EndpointId): Key => ({ pk: `ENDPOINT#${endpointId}`, sk: 'REPLAY' });

/** No item ever has this key: reading it checks whether the table answers. */
export const readinessKey: Key = { pk: 'READINESS', sk: 'READINESS' };
