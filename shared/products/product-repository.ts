import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { encodeCursor } from '../db/cursor.ts';
import { findItem, findItems, itemsByKey } from '../db/find-items.ts';
import {
  fileSlotsKey,
  type Key,
  lastDecisionKey,
  listKey,
  productKey,
  productOfSellerKey,
  productsOfSeller,
  type QueueKey,
  queueKey,
  sellerKey,
  slugKey,
} from '../db/keys.ts';
import { checkUnchanged, replaceUnchanged } from '../db/optimistic-lock.ts';
import {
  limitToReplySize,
  listAcrossShards,
  listPartitionPage,
  type OrderedRequest,
  type Page,
  type PageRequest,
  parsePage,
} from '../db/sharded-list.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError, requireFound } from '../errors.ts';
import { idOf, isId, type ProductId, type SellerId } from '../ids.ts';
import { SellerRecord } from '../sellers/seller.ts';
import { replaceUpgrades } from './offers/upgrade-repository.ts';
import { LastDecision, ProductRecord } from './product.ts';
import { productWaitingSince, revisionWaitingSince } from './product-states.ts';
import { canonicalSlug, isSlug } from './slug.ts';

/** What leads from a slug to the product that it is reserved for. */
const SlugPointer = z.object({ productId: idOf('product'), sellerId: idOf('seller') });

/** The place of a product in its seller's list. */
const ListPointer = z.object({ id: idOf('product') });

/** A product with what its page shows besides. */
export interface FoundProduct {
  product: ProductRecord;
  seller: SellerRecord;
  /** The index of the product's live files, for the room of files to read. */
  fileIndex?: Item | undefined;
  /** What this repository reads with them. */
  extra?: Item | undefined;
}

/** The review queue's key of the product or its pending revision; never do both wait. */
export function productQueueKey(product: ProductRecord): QueueKey | undefined {
  const since = productWaitingSince(product);
  if (since !== undefined) return queueKey('product', since, product.id);
  const revisionSince = revisionWaitingSince(product);
  return revisionSince === undefined ? undefined : queueKey('revision', revisionSince, product.id);
}

/** What else of a product is read, in the same request as the product and its seller. */
type KeyBeside = (productId: ProductId) => Key;

const itemOf = (product: ProductRecord): Item => ({
  ...productKey(product.id),
  ...listKey('products', product.createdAt, product.id),
  ...productQueueKey(product),
  ...product,
});

/** A slug of a product that was ever approved is never given to another. */
const reserveSlug = (slug: string, { id, sellerId }: ProductRecord): Write => ({
  put: { Item: { ...slugKey(slug), productId: id, sellerId }, ...ifAbsent },
  onConditionFailed: () => new AppError('slug_reserved'),
});

const freeSlug = (slug: string, { id }: ProductRecord): Write => ({
  delete: { Key: slugKey(slug), ConditionExpression: 'productId = :id', ExpressionAttributeValues: { ':id': id } },
});

export const findProduct = async (table: Table, productId: ProductId): Promise<ProductRecord | undefined> =>
  isId('product', productId) ? findItem(table, productKey(productId), ProductRecord) : undefined;

export async function findProductAndSeller(
  table: Table,
  ids: { productId: ProductId; sellerId: SellerId },
  extraKeyOf?: KeyBeside,
): Promise<FoundProduct | undefined> {
  const filesKey = fileSlotsKey(ids.productId);
  const extraKey = extraKeyOf?.(ids.productId);
  const keys = [productKey(ids.productId), sellerKey(ids.sellerId), filesKey, ...(extraKey ? [extraKey] : [])];
  const itemAt = itemsByKey(await table.batchGet(keys));
  const [product, seller] = [itemAt(productKey(ids.productId)), itemAt(sellerKey(ids.sellerId))];
  if (!product || !seller) return undefined;
  return {
    product: ProductRecord.parse(product),
    seller: SellerRecord.parse(seller),
    fileIndex: itemAt(filesKey),
    extra: extraKey && itemAt(extraKey),
  };
}

const findSlug = async (table: Table, slug: string) => (isSlug(slug) ? findItem(table, slugKey(slug), SlugPointer) : undefined);

/** Looks the slug up in the table, and remembers the result. */
async function followSlug(c: Needs<'table' | 'slugs'>, slug: string, extraKeyOf?: KeyBeside): Promise<FoundProduct | undefined> {
  const pointer = await findSlug(c.table, slug);
  if (pointer) c.slugs.remember(slug, pointer);
  return pointer && findProductAndSeller(c.table, pointer, extraKeyOf);
}

/** Uses the remembered pointer if the product still has the slug. */
async function recallSlug(c: Needs<'table' | 'slugs'>, slug: string, extraKeyOf?: KeyBeside): Promise<FoundProduct | undefined> {
  const pointer = c.slugs.recall(slug);
  const found = pointer && (await findProductAndSeller(c.table, pointer, extraKeyOf));
  return found?.product.slugs.includes(slug) ? found : undefined;
}

export const findProducts = (table: Table, ids: readonly ProductId[]): Promise<ProductRecord[]> =>
  findItems(table, ids.map(productKey), ProductRecord);

/** The products in a seller's list, in its order. */
const followPointers = (table: Table, pointers: readonly Item[]) =>
  findProducts(
    table,
    pointers.map((item) => ListPointer.parse(item).id),
  );

/** @throws AppError product_not_found */
export const getProduct = (table: Table, productId: ProductId): Promise<ProductRecord> =>
  requireFound(findProduct(table, productId), 'product_not_found');

/** The product for which the slug, its present, a former or a pending one, is reserved. */
export async function findProductBySlug(table: Table, slug: string): Promise<ProductRecord | undefined> {
  const found = await findSlug(table, slug);
  return found && findProduct(table, found.productId);
}

/**
 * The product to which the slug leads, with its seller and the index of its files: two requests, and one where
 * this instance has found it before. What leads nowhere is read as it was meant, as `canonicalSlug`. One that is reserved for a name that never went live leads nowhere.
 * See "Access patterns" in README.md
 */
export async function findProductAndSellerBySlug(
  c: Needs<'table' | 'slugs'>,
  slug: string,
  extraKeyOf?: KeyBeside,
): Promise<FoundProduct | undefined> {
  const found = (await recallSlug(c, slug, extraKeyOf)) ?? (await followSlug(c, slug, extraKeyOf));
  if (found) return found.product.unseenSlugs?.includes(slug) ? undefined : found;
  const canonical = canonicalSlug(slug);
  return canonical === slug ? undefined : findProductAndSellerBySlug(c, canonical, extraKeyOf);
}

/** The product and what was last decided about it, in one request. @throws AppError product_not_found */
export async function getProductWithDecision(table: Table, productId: ProductId) {
  const keys = isId('product', productId) ? [productKey(productId), lastDecisionKey(productId)] : [];
  const itemAt = itemsByKey(await table.batchGet(keys));
  const [product, decision] = [itemAt(productKey(productId)), itemAt(lastDecisionKey(productId))];
  if (!product) throw new AppError('product_not_found');
  return { product: ProductRecord.parse(product), lastDecision: decision && LastDecision.parse(decision) };
}

/** In the place of what was decided before; part of the transaction that decides. */
export const recordDecision = (productId: ProductId, decision: LastDecision): Write => ({
  put: { Item: { ...lastDecisionKey(productId), ...decision } },
});

/** A new product with its slug, its place in its seller's list, and what leads to it as an upgrade. Slug taken → slug_reserved. */
export function addProduct(product: ProductRecord): Write[] {
  return [
    reserveSlug(product.slug, product),
    { put: { Item: itemOf(product), ...ifAbsent } },
    { put: { Item: { ...productOfSellerKey(product.sellerId, product.id), id: product.id }, ...ifAbsent } },
    ...replaceUpgrades({ upgradesFrom: [] }, product),
  ];
}

/**
 * `next` in the place of exactly the product that was read, with the slugs it reserves besides, and without those it gives up;
 * what leads to it as an upgrade follows.
 * Changed since → OptimisticLockError; slug taken by another → slug_reserved.
 */
export function replaceProduct(read: ProductRecord, next: ProductRecord): Write[] {
  const added = next.slugs.filter((slug) => !read.slugs.includes(slug));
  const freed = read.slugs.filter((slug) => !next.slugs.includes(slug));
  return [
    replaceUnchanged(read, itemOf(next)),
    ...added.map((slug) => reserveSlug(slug, next)),
    ...freed.map((slug) => freeSlug(slug, next)),
    ...replaceUpgrades(read, next),
  ];
}

/** Holds while the product is the one that was read. Changed since → OptimisticLockError. */
export const checkProductUnchanged = (read: ProductRecord): Write => checkUnchanged(productKey(read.id), read);

/** Holds while codes may be imported for the product; else product_suspended or wrong_issuance_mode. */
export function checkProductTakesCodes(productId: ProductId): Write {
  return {
    check: {
      Key: productKey(productId),
      ConditionExpression: '#status <> :suspended AND licenseIssuanceMode = :imported',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':suspended': 'suspended', ':imported': 'imported_csv' },
    },
    onConditionFailed: (old) => new AppError(old?.['status'] === 'suspended' ? 'product_suspended' : 'wrong_issuance_mode'),
  };
}

/** Every product of the seller in the order they were made, however large they are together: a seller has at most 100. */
export async function findProductsOfSeller(table: Table, sellerId: SellerId): Promise<ProductRecord[]> {
  const { pk: partition, prefix } = productsOfSeller(sellerId);
  return followPointers(table, (await table.query({ partition, prefix })).items);
}

/** The seller's products in the order they were made, oldest or newest first. */
export async function listProductsOfSeller(table: Table, sellerId: SellerId, request: OrderedRequest): Promise<Page<ProductRecord>> {
  const list = `products-of-${sellerId}`;
  const pointers = await listPartitionPage(table, list, productsOfSeller(sellerId), request);
  const all = await followPointers(table, pointers.items);
  const items = limitToReplySize(all);
  const last = items.at(-1);
  return { items, nextCursor: items.length < all.length && last ? encodeCursor(list, last.id) : pointers.nextCursor };
}

/** All products, oldest first unless asked otherwise. */
export const listProducts = async (table: Table, request: PageRequest & { newestFirst?: boolean }): Promise<Page<ProductRecord>> =>
  parsePage(await listAcrossShards(table, 'products', { newestFirst: false, ...request }), ProductRecord);
