/**
 * Every key of the table, in one place. No other file contains a key string.
 *
 * Table:          pk, sk
 * Index `list`:   listPk, listSk        what an admin lists across owners, sharded
 * Index `pending`: pendingPk, pendingSk jobs by the time they are due, sharded, sparse
 * Index `queue`:   queuePk, queueSk     what waits for an admin by the time since when, sparse
 *
 * Times in keys are ISO 8601 in milliseconds, so that they sort as text.
 */
import { createHash } from 'node:crypto';
import type {
  BatchId,
  DiscountId,
  EndpointId,
  EventId,
  FileId,
  LicenseId,
  OrderId,
  ProductId,
  ReleaseId,
  SellerId,
  TokenId,
} from '../ids.ts';

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

export interface QueueKey {
  readonly queuePk: string;
  readonly queueSk: string;
}

/**
 * What the partition keys of the table begin with, by what is in the partition. What a function may do
 * is said of these.
 */
export const partitions = {
  account: 'ACCOUNT#',
  apiToken: 'API_TOKEN#',
  audit: 'AUDIT#',
  buyer: 'BUYER#',
  charge: 'CHARGE#',
  checkout: 'CHECKOUT#',
  code: 'CODE#',
  codeStock: 'STOCK#',
  codeUpload: 'UPLOAD#',
  discount: 'DISCOUNT#',
  endpoint: 'ENDPOINT#',
  job: 'JOB#',
  license: 'LICENSE#',
  licenseId: 'LICENSE_ID#',
  mailing: 'MAILING#',
  order: 'ORDER#',
  payment: 'PAYMENT#',
  preview: 'PREVIEW#',
  product: 'PRODUCT#',
  rateLimit: 'RATE#',
  readiness: 'READINESS',
  release: 'RELEASE#',
  seat: 'SEAT#',
  seller: 'SELLER#',
  sellerEvents: 'SELLER_EVENTS#',
  slug: 'SLUG#',
  upgrade: 'UPGRADE#',
  user: 'USER#',
  waiting: 'WAITING#',
  walk: 'WALK#',
  webhookEvent: 'EVENT#',
} as const;
export type PartitionName = keyof typeof partitions;

/** The same of the indexes. */
export const indexPartitions = { list: 'LIST#', pending: 'PENDING#', queue: 'QUEUE' } as const;
export type IndexName = keyof typeof indexPartitions;

/**
 * How many partitions each of these spreads over. They may be raised, never lowered. See "Shards" in README.md
 */
const listShards = 8;
const pendingShards = 8;
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
  | 'bounced-mails'
  | 'email-requests'
  | `files#${string}`
  | `releases#${string}`
  | `licenses#${string}`
  | `replaced-keys#${string}`
  | 'moving-licenses';

export const listKey = (list: ListName, at: string, id: string): ListKey => ({
  listPk: `${indexPartitions.list}${list}#${shardOf(id, listShards)}`,
  listSk: `${at}#${id}`,
});
export const listPartitions = (list: ListName): string[] => allShards(listShards).map((shard) => `${indexPartitions.list}${list}#${shard}`);

export const pendingKey = (jobId: string, dueAt: string): PendingKey => ({
  pendingPk: `${indexPartitions.pending}${shardOf(jobId, pendingShards)}`,
  pendingSk: `${dueAt}#${jobId}`,
});
export const pendingPartitions = (): string[] => allShards(pendingShards).map((shard) => `${indexPartitions.pending}${shard}`);
/** The sort-key bound below which every job is due at `at`. */
export const dueBy = (at: string) => `${at}#~`;

/** What may wait for an admin. */
export const queueKinds = ['seller', 'product', 'revision', 'file', 'release'] as const;
export type QueueKind = (typeof queueKinds)[number];

/** One partition, since few items wait: a page of it, in the order in which they came, is one request. */
export const queuePartition = indexPartitions.queue;
export const queueKey = (kind: QueueKind, since: string, id: string): QueueKey => ({
  queuePk: queuePartition,
  queueSk: `${since}#${kind}#${id}`,
});
/** The inverse of `queueKey`; undefined of a kind that this version does not know. */
export function placeInQueue(queueSk: string): { since: string; kind: QueueKind } | undefined {
  const [since = '', name] = queueSk.split('#');
  const kind = queueKinds.find((known) => known === name);
  return kind && { since, kind };
}
/** What the index `queue` holds of an item besides its keys. Once made, an index cannot be given more. */
export const queueAttributes = [
  'id',
  'sellerId',
  'productId',
  'name',
  'fileName',
  'version',
  'hashStatus',
  'scanStatus',
  'scanTrustedClean',
  'queueFiles',
] as const;
/** How far what waited before there was a queue was put into it. */
export const queueWalkKey = (): Key => ({ pk: `${partitions.walk}QUEUE`, sk: 'WALK' });

export const jobKey = (jobId: string): Key => ({ pk: `${partitions.job}${jobId}`, sk: 'JOB' });
/** The inverse of `jobKey`. */
export const jobIdOfKey = ({ pk }: Pick<Key, 'pk'>) => pk.slice(partitions.job.length);
export const auditKey = (targetId: string, at: string, id: string): Key => ({ pk: `${partitions.audit}${targetId}`, sk: `${at}#${id}` });
export const auditPartition = (targetId: string) => `${partitions.audit}${targetId}`;
export const rateLimitKey = (limit: string, addressHash: string): Key => ({
  pk: `${partitions.rateLimit}${limit}#${addressHash}`,
  sk: 'BUCKET',
});

export const sellerKey = (sellerId: SellerId): Key => ({ pk: `${partitions.seller}${sellerId}`, sk: 'SELLER' });
export const sellerOfUserKey = (userId: string): Key => ({ pk: `${partitions.user}${userId}`, sk: 'SELLER' });
export const sellerOfAccountKey = (accountId: string): Key => ({ pk: `${partitions.account}${accountId}`, sk: 'SELLER' });

export const productKey = (productId: ProductId): Key => ({ pk: `${partitions.product}${productId}`, sk: 'PRODUCT' });
/** What an admin last decided about the product or its pending revision. */
export const lastDecisionKey = (productId: ProductId): Key => ({ pk: `${partitions.product}${productId}`, sk: 'LAST_DECISION' });
export const slugKey = (slug: string): Key => ({ pk: `${partitions.slug}${slug}`, sk: 'SLUG' });
/** What a preview's address opens, by the hash of its token. */
export const previewKey = (tokenHash: string): Key => ({ pk: `${partitions.preview}${tokenHash}`, sk: 'PREVIEW' });
/** Under the seller: a pointer to each product, so that a seller's list needs no second index. */
export const productOfSellerKey = (sellerId: SellerId, productId: ProductId): Key => ({
  pk: `${partitions.seller}${sellerId}`,
  sk: `PRODUCT#${productId}`,
});
export const productsOfSeller = (sellerId: SellerId) => ({ pk: `${partitions.seller}${sellerId}`, prefix: 'PRODUCT#' });

export const fileKey = (productId: ProductId, fileId: FileId): Key => ({ pk: `${partitions.product}${productId}`, sk: `FILE#${fileId}` });
export const filesOfProduct = (productId: ProductId) => ({ pk: `${partitions.product}${productId}`, prefix: 'FILE#' });
/** The index of a product's live files; it counts its changes, so that of two uploads at once each sees the other. */
export const fileSlotsKey = (productId: ProductId): Key => ({ pk: `${partitions.product}${productId}`, sk: 'FILE_SLOTS' });

/** A product's releases, by version: what a download asks for names it, so that it is read at once. */
export const releaseKey = (productId: ProductId, version: string): Key => ({
  pk: `${partitions.release}${productId}`,
  sk: `RELEASE#${version}`,
});
/** From a release's id to its version; in the order in which releases were made. */
export const releaseIdKey = (productId: ProductId, releaseId: ReleaseId): Key => ({
  pk: `${partitions.release}${productId}`,
  sk: `ID#${releaseId}`,
});
export const releasesOfProduct = (productId: ProductId) => ({ pk: `${partitions.release}${productId}`, prefix: 'ID#' });
/** Which releases a product ever published and at which revision they are, so that feeds read only what changed. */
export const releaseIndexKey = (productId: ProductId): Key => ({ pk: `${partitions.release}${productId}`, sk: 'INDEX' });
/** The revision of that index alone: what every check of an app reads is small. */
export const releaseRevisionKey = (productId: ProductId): Key => ({ pk: `${partitions.release}${productId}`, sk: 'REVISION' });
/** The builds that the published releases of a product have on a platform. */
export const releaseBuildsKey = (productId: ProductId, platform: string): Key => ({
  pk: `${partitions.release}${productId}`,
  sk: `BUILDS#${platform}`,
});
/** Which file of a product has this name in its velopack feeds. */
export const velopackNameKey = (productId: ProductId, name: string): Key => ({
  pk: `${partitions.release}${productId}`,
  sk: `NAME#${name}`,
});

/** Under the product: a pointer to the license of each test key, and one item of those that are alive. */
export const testKeyKey = (productId: ProductId, licenseId: LicenseId): Key => ({
  pk: `${partitions.product}${productId}`,
  sk: `TEST_KEY#${licenseId}`,
});
export const testKeysOfProduct = (productId: ProductId) => ({ pk: `${partitions.product}${productId}`, prefix: 'TEST_KEY#' });
export const aliveTestKeysKey = (productId: ProductId): Key => ({ pk: `${partitions.product}${productId}`, sk: 'ALIVE_TEST_KEYS' });

/** How many bytes the seller's files take. */
export const sellerStorageKey = (sellerId: SellerId): Key => ({ pk: `${partitions.seller}${sellerId}`, sk: 'STORAGE' });

export const orderKey = (orderId: OrderId): Key => ({ pk: `${partitions.order}${orderId}`, sk: 'ORDER' });
export const orderOfSellerKey = (sellerId: SellerId, orderId: OrderId): Key => ({
  pk: `${partitions.seller}${sellerId}`,
  sk: `ORDER#${orderId}`,
});
/** The additions to the license of an order, in the order in which they were ordered. */
export const additionOfOrderKey = (orderId: OrderId, additionOrderId: OrderId): Key => ({
  pk: `${partitions.order}${orderId}`,
  sk: `ADDITION#${additionOrderId}`,
});
export const additionsOfOrder = (orderId: OrderId) => ({ pk: `${partitions.order}${orderId}`, prefix: 'ADDITION#' });
export const ordersOfSeller = (sellerId: SellerId) => ({ pk: `${partitions.seller}${sellerId}`, prefix: 'ORDER#' });
export const checkoutRequestKey = (requestHash: string): Key => ({ pk: `${partitions.checkout}${requestHash}`, sk: 'CHECKOUT' });
/** What is known of a payment, whether or not its order is known yet. */
export const paymentKey = (paymentIntentId: string): Key => ({ pk: `${partitions.payment}${paymentIntentId}`, sk: 'PAYMENT' });
/** From a charge to its payment. */
export const chargeKey = (chargeId: string): Key => ({ pk: `${partitions.charge}${chargeId}`, sk: 'CHARGE' });
export const webhookEventKey = (eventId: string): Key => ({ pk: `${partitions.webhookEvent}${eventId}`, sk: 'EVENT' });

/** A discount, found by its code; in a partition of its own, since every cart with the code writes it. */
export const discountKey = (productId: ProductId, code: string): Key => ({ pk: `${partitions.discount}${productId}`, sk: `CODE#${code}` });
/** From a discount's id to its code; in the order in which discounts were made. */
export const discountIdKey = (productId: ProductId, discountId: DiscountId): Key => ({
  pk: `${partitions.discount}${productId}`,
  sk: `ID#${discountId}`,
});
export const discountsOfProduct = (productId: ProductId) => ({ pk: `${partitions.discount}${productId}`, prefix: 'ID#' });
/** One item of those discounts of a product that are not ended. */
export const liveDiscountsKey = (productId: ProductId): Key => ({ pk: `${partitions.discount}${productId}`, sk: 'LIVE' });
/** The orders that were made with a discount, in the order in which they were made. */
export const orderOfDiscountKey = (discountId: DiscountId, orderId: OrderId): Key => ({
  pk: `${partitions.discount}${discountId}`,
  sk: `ORDER#${orderId}`,
});
export const ordersOfDiscount = (discountId: DiscountId) => ({ pk: `${partitions.discount}${discountId}`, prefix: 'ORDER#' });
/** What became of the redemption that an order holds or held. */
export const redemptionKey = (orderId: OrderId): Key => ({ pk: `${partitions.order}${orderId}`, sk: 'REDEMPTION' });

/** That licenses of the one product can be upgraded to the other. */
export const upgradeKey = (fromProductId: ProductId, productId: ProductId): Key => ({
  pk: `${partitions.upgrade}${fromProductId}`,
  sk: `PRODUCT#${productId}`,
});
export const upgradesOfProduct = (productId: ProductId) => ({ pk: `${partitions.upgrade}${productId}`, prefix: 'PRODUCT#' });

/** That the seller asks for another address of the buyer. */
export const emailRequestKey = (orderId: OrderId): Key => ({ pk: `${partitions.order}${orderId}`, sk: 'EMAIL_REQUEST' });
/** A mail about an order. The issuance mail has the fixed id `issuance`: an order has at most one. */
export const mailKey = (orderId: OrderId, mailId: string): Key => ({ pk: `${partitions.order}${orderId}`, sk: `MAIL#${mailId}` });
export const mailsOfOrder = (orderId: OrderId) => ({ pk: `${partitions.order}${orderId}`, prefix: 'MAIL#' });
export const orderOfBuyerKey = (emailHash: string, orderId: OrderId): Key => ({
  pk: `${partitions.buyer}${emailHash}`,
  sk: `ORDER#${orderId}`,
});
/** Which address asked for fresh links, by the id of the mail that it is to get. */
export const mailingRequestKey = (mailId: string): Key => ({ pk: `${partitions.mailing}${mailId}`, sk: 'REQUEST' });
/** The latest mails to an address of those that count. */
export const mailingsKey = (mailboxHash: string): Key => ({ pk: `${partitions.buyer}${mailboxHash}`, sk: 'MAILINGS' });
/** Which of the mails to an address that are about one thing, and wait for their turn, is the latest. */
export const waitingMailKey = (mailboxHash: string, about: string): Key => ({
  pk: `${partitions.buyer}${mailboxHash}`,
  sk: `WAITING_MAIL#${about}`,
});
export const ordersOfBuyer = (emailHash: string) => ({ pk: `${partitions.buyer}${emailHash}`, prefix: 'ORDER#' });

/** A license and its devices share the partition of the license key's lookup hash: one request validates. A replaced key stands there too, and is in the list `replaced-keys#<pepper version>`. */
export const licenseKey = (lookup: string): Key => ({ pk: `${partitions.license}${lookup}`, sk: 'LICENSE' });
export const deviceKey = (lookup: string, deviceHash: string): Key => ({
  pk: `${partitions.license}${lookup}`,
  sk: `DEVICE#${deviceHash}`,
});
export const devicesOfLicense = (lookup: string) => ({ pk: `${partitions.license}${lookup}`, prefix: 'DEVICE#' });
/**
 * That a device has a seat: so seats are read without the records of devices, which stay for good. In a partition of
 * its own, which spares that of the license, and whose items may be deleted by who may not delete a license.
 */
export const seatKey = (lookup: string, deviceHash: string): Key => ({ pk: `${partitions.seat}${lookup}`, sk: `DEVICE#${deviceHash}` });
export const seatsOfLicense = (lookup: string) => ({ pk: `${partitions.seat}${lookup}`, prefix: 'DEVICE#' });
/**
 * From the license id to its lookup hash. It is in the list `licenses#<pepper version>`, or
 * `moving-licenses` while it is re-keyed: here and not on the license, whose every seat would
 * then be an index write too.
 */
export const licensePointerKey = (licenseId: LicenseId): Key => ({ pk: `${partitions.licenseId}${licenseId}`, sk: 'POINTER' });

/** From what a license's limit and its end of updates follow; it outlives the key. */
export const licenseFactsKey = (licenseId: LicenseId): Key => ({ pk: `${partitions.licenseId}${licenseId}`, sk: 'FACTS' });
/** What its buyer did with a license in the last 30 days; it outlives the key. */
export const buyerMovesKey = (licenseId: LicenseId): Key => ({ pk: `${partitions.licenseId}${licenseId}`, sk: 'BUYER_MOVES' });

export const batchKey = (productId: ProductId, batchId: BatchId): Key => ({
  pk: `${partitions.product}${productId}`,
  sk: `BATCH#${batchId}`,
});
export const batchesOfProduct = (productId: ProductId) => ({ pk: `${partitions.product}${productId}`, prefix: 'BATCH#' });
export const batchRequestKey = (productId: ProductId, keyHash: string): Key => ({
  pk: `${partitions.product}${productId}`,
  sk: `BATCH_REQUEST#${keyHash}`,
});
/** The codes of an upload, encrypted, in pieces: each in a partition of its own, because one could not take them all at once. */
export const codeUploadKey = (batchId: BatchId, piece: number): Key => ({ pk: `${partitions.codeUpload}${batchId}#${piece}`, sk: 'PIECE' });
/** The secret under which a seller's codes are hashed. */
export const codeHashSecretKey = (sellerId: SellerId): Key => ({ pk: `${partitions.seller}${sellerId}`, sk: 'CODE_HASH_SECRET' });
/** One per code and seller: what makes a code unique among all products of the seller. */
export const codeKey = (sellerId: SellerId, codeHash: string): Key => ({ pk: `${partitions.code}${sellerId}#${codeHash}`, sk: 'CODE' });
/** Unsold codes of a product, spread over shards by hash so that neither imports nor sales crowd one partition. */
export const codeStockKey = (productId: ProductId, codeHash: string): Key => ({
  pk: `${partitions.codeStock}${productId}#${shardOf(codeHash, stockShards)}`,
  sk: `CODE#${codeHash}`,
});
export const codeStockPartitions = (productId: ProductId): string[] =>
  allShards(stockShards).map((shard) => `${partitions.codeStock}${productId}#${shard}`);
/** A place among the codes of a stock partition: the codes after it are those whose hash sorts after `text`. */
export const codeStockPlace = (text: string) => `CODE#${text}`;
/** Paid orders of a product that wait for an imported code, oldest payment first. */
export const waitingOrderKey = (productId: ProductId, paidAt: string, orderId: OrderId): Key => ({
  pk: `${partitions.waiting}${productId}`,
  sk: `${paidAt}#${orderId}`,
});
/** Paid orders of a seller whose license is held through an order before, by the time of that refund or dispute. */
export const heldOrderKey = (sellerId: SellerId, since: string, orderId: OrderId): Key => ({
  pk: `${partitions.seller}${sellerId}`,
  sk: `HELD_ORDER#${since}#${orderId}`,
});
export const heldOrders = (sellerId: SellerId) => ({ pk: `${partitions.seller}${sellerId}`, prefix: 'HELD_ORDER#' });
/** When the order at such a place was paid. */
export const paidAtOf = (sk: string) => sk.slice(0, sk.indexOf('#'));
export const waitingOrders = (productId: ProductId) => ({ pk: `${partitions.waiting}${productId}`, prefix: '' });

/** Where a seller's events go. */
export const endpointKey = (sellerId: SellerId, endpointId: EndpointId): Key => ({
  pk: `${partitions.seller}${sellerId}`,
  sk: `ENDPOINT#${endpointId}`,
});
export const endpointsOfSeller = (sellerId: SellerId) => ({ pk: `${partitions.seller}${sellerId}`, prefix: 'ENDPOINT#' });
/** How many endpoints the seller has. */
export const endpointCountKey = (sellerId: SellerId): Key => ({ pk: `${partitions.seller}${sellerId}`, sk: 'ENDPOINT_COUNT' });
/** A seller's token, found by its id alone, which its text tells. */
export const apiTokenKey = (tokenId: TokenId): Key => ({ pk: `${partitions.apiToken}${tokenId}`, sk: 'TOKEN' });
/** Under the seller: a pointer to each token, and one item of those that live. */
export const apiTokenOfSellerKey = (sellerId: SellerId, tokenId: TokenId): Key => ({
  pk: `${partitions.seller}${sellerId}`,
  sk: `API_TOKEN#${tokenId}`,
});
export const apiTokensOfSeller = (sellerId: SellerId) => ({ pk: `${partitions.seller}${sellerId}`, prefix: 'API_TOKEN#' });
export const liveApiTokensKey = (sellerId: SellerId): Key => ({ pk: `${partitions.seller}${sellerId}`, sk: 'LIVE_API_TOKENS' });
/** What happened to what the seller sells, in the order in which it happened. */
export const sellerEventKey = (sellerId: SellerId, eventId: EventId): Key => ({
  pk: `${partitions.sellerEvents}${sellerId}`,
  sk: `EVENT#${eventId}`,
});
/** What the seller was told lately of the devices of a license. */
export const activationTallyKey = (sellerId: SellerId, licenseId: LicenseId): Key => ({
  pk: `${partitions.sellerEvents}${sellerId}`,
  sk: `ACTIVATIONS#${licenseId}`,
});
export const eventsOfSeller = (sellerId: SellerId) => ({ pk: `${partitions.sellerEvents}${sellerId}`, prefix: 'EVENT#' });
/** An event on its way to one endpoint, or how it got there; in the order of the events. */
export const deliveryKey = (endpointId: EndpointId, eventId: EventId): Key => ({
  pk: `${partitions.endpoint}${endpointId}`,
  sk: `DELIVERY#${eventId}`,
});
export const deliveriesOfEndpoint = (endpointId: EndpointId) => ({ pk: `${partitions.endpoint}${endpointId}`, prefix: 'DELIVERY#' });
/** The place of a pending delivery among those of its endpoint, by the time it is due. */
export const dueDeliveryKey = (endpointId: EndpointId, dueAt: string, eventId: EventId): Key => ({
  pk: `${partitions.endpoint}${endpointId}`,
  sk: `DUE#${dueAt}#${eventId}`,
});
export const dueDeliveries = (endpointId: EndpointId) => ({ pk: `${partitions.endpoint}${endpointId}`, prefix: 'DUE#' });
/** What the seller asked to have sent to the endpoint again. */
export const replayKey = (endpointId: EndpointId): Key => ({ pk: `${partitions.endpoint}${endpointId}`, sk: 'REPLAY' });

/** No item ever has this key: reading it checks whether the table answers. */
export const readinessKey: Key = { pk: partitions.readiness, sk: 'READINESS' };
