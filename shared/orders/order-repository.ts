import * as z from 'zod/mini';
import { encodeCursor } from '../db/cursor.ts';
import { findItem, findItems } from '../db/find-items.ts';
import {
  additionOfOrderKey,
  additionsOfOrder,
  checkoutRequestKey,
  type Key,
  listKey,
  orderKey,
  orderOfBuyerKey,
  orderOfDiscountKey,
  orderOfSellerKey,
  ordersOfBuyer,
  ordersOfDiscount,
  ordersOfSeller,
} from '../db/keys.ts';
import { checkUnchanged, deleteUnchanged, lockConflict, replaceUnchanged } from '../db/optimistic-lock.ts';
import {
  emptyPage,
  filteredPage,
  listAcrossShards,
  listMergedPartitions,
  listPartitionPage,
  mapPage,
  type OrderedRequest,
  type Page,
  type PageRequest,
  pagesOf,
  parsePage,
} from '../db/sharded-list.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { requireFound } from '../errors.ts';
import { type DiscountId, idOf, isId, type OrderId, type ProductId, type SellerId } from '../ids.ts';
import { CheckoutRequest, isAddition, Order } from './order.ts';

export interface OrderFilter {
  status?: Order['status'] | undefined;
  productId?: ProductId | undefined;
  sellerId?: SellerId | undefined;
  kind?: Order['kind'] | undefined;
  discountId?: DiscountId | undefined;
}

/** In the list of a seller or a buyer, of a discount, or of the additions to an order: which order to look at. */
const OrderPointer = z.object({
  id: idOf('order'),
  /** Until an order is paid. */
  ttl: z.optional(z.number()),
});

/** Anyone may order under an address, free products too; one mail and its worker must handle all of these orders. */
const maxOrdersOfBuyer = 500;

/** So many places in a seller's list are looked at for the first paid order. */
const maxUnpaidLookedAt = 1000;

/** So many additions to an order are found at once. */
const maxAdditions = 1000;

/** So many orders of an address are looked at for what was bought twice. */
const maxOrdersCompared = 100;

/** A search among the orders of an address reads so many pages of 100 at most. */
const maxBuyerPages = 100;

const matching = (filter: OrderFilter) => (order: Order) =>
  (filter.status === undefined || order.status === filter.status) &&
  (filter.productId === undefined || order.productId === filter.productId) &&
  (filter.sellerId === undefined || order.sellerId === filter.sellerId) &&
  (filter.kind === undefined || order.kind === filter.kind);

/** Where an order is listed, paid or not. */
const placesOf = (order: Order): Key[] => [
  orderOfSellerKey(order.sellerId, order.id),
  ...(order.discount ? [orderOfDiscountKey(order.discount.id, order.id)] : []),
  ...(isAddition(order) ? [additionOfOrderKey(order.addedTo.orderId, order.id)] : []),
];

const itemOf = (order: Order): Item => ({ ...orderKey(order.id), ...listKey('orders', order.createdAt, order.id), ...order });
const pointer = (key: Key, order: Order): Write => ({ put: { Item: { ...key, id: order.id, ttl: order.ttl } } });
const placed = (order: Order): Write[] => placesOf(order).map((key) => pointer(key, order));

export const findOrder = async (table: Table, orderId: OrderId): Promise<Order | undefined> =>
  isId('order', orderId) ? findItem(table, orderKey(orderId), Order) : undefined;

export const findOrders = (table: Table, orderIds: readonly OrderId[]): Promise<Order[]> => findItems(table, orderIds.map(orderKey), Order);

/** The orders that a page of pointers leads to. */
async function follow(table: Table, page: Page<Item>): Promise<Page<Order>> {
  const { items: ids, nextCursor } = mapPage(page, (item) => OrderPointer.parse(item).id);
  return { items: await findOrders(table, ids), nextCursor };
}

export const listOrders = (table: Table, { limit, cursor, ...filter }: PageRequest & OrderFilter): Promise<Page<Order>> =>
  filteredPage({ limit, cursor }, matching(filter), (request) => readList(table, filter, { ...request, newestFirst: true }));

/** A page of the list of the discount, else of the seller, else of all orders. */
async function readList(table: Table, { discountId, sellerId }: OrderFilter, request: OrderedRequest): Promise<Page<Order>> {
  if (discountId !== undefined) return readDiscount(table, discountId, sellerId, request);
  if (sellerId !== undefined)
    return follow(table, await listPartitionPage(table, `orders-of-${sellerId}`, ordersOfSeller(sellerId), request));
  return parsePage(await listAcrossShards(table, 'orders', request), Order);
}

/** Nothing is revealed about another seller's discount, not even that there is a next page. */
async function readDiscount(
  table: Table,
  discountId: DiscountId,
  sellerId: SellerId | undefined,
  request: OrderedRequest,
): Promise<Page<Order>> {
  if (!isId('discount', discountId)) return emptyPage(request);
  const page = await follow(table, await listPartitionPage(table, `orders-of-${discountId}`, ordersOfDiscount(discountId), request));
  return page.items.every((order) => sellerId === undefined || order.sellerId === sellerId) ? page : { items: [] };
}

/** @throws AppError order_not_found */
export const getOrder = (table: Table, orderId: OrderId) => requireFound(findOrder(table, orderId), 'order_not_found');

/** Writes a new order with its places in lists. */
export function createOrder(order: Order): Write[] {
  return [{ put: { Item: itemOf(order), ...ifAbsent } }, ...placed(order)];
}

/** Replaces the order as it was read. @throws OptimisticLockError */
export const replaceOrder = (read: Order, next: Order): Write => replaceUnchanged(read, itemOf({ ...next, revision: read.revision + 1 }));

/** Part of a transaction that relies on the order as it was read. @throws OptimisticLockError */
export const checkOrderUnchanged = (read: Order): Write => checkUnchanged(orderKey(read.id), read);

/** Begins another attempt of an order's checkout: `next` has its expiry. @throws OptimisticLockError */
export const beginCheckoutAttempt = (read: Order, next: Order): Write[] => [
  replaceUnchanged(read, itemOf({ ...next, revision: read.revision + 1 })),
  ...placed(next),
];

/** Records that an attempt failed, so that the next one need not wait for it. @throws OptimisticLockError when there is another */
export function endCheckoutAttempt({ id, checkoutAttempt }: Order): Write {
  return {
    update: {
      Key: orderKey(id),
      UpdateExpression: 'REMOVE attemptUntil ADD revision :one',
      ConditionExpression: 'checkoutAttempt = :attempt',
      ExpressionAttributeValues: { ':attempt': checkoutAttempt, ':one': 1 },
    },
    onConditionFailed: lockConflict,
  };
}

/**
 * Gives a pending order the session of its attempt, which it keeps for good.
 *
 * @throws OptimisticLockError when it has another, another attempt began, or the order is not pending any more
 */
export function bindCheckoutSession({ id, checkoutAttempt }: Order, checkoutSessionId: string): Write {
  const isFree = '(attribute_not_exists(checkoutSessionId) OR checkoutSessionId = :session)';
  return {
    update: {
      Key: orderKey(id),
      UpdateExpression: 'SET checkoutSessionId = :session ADD revision :one',
      ConditionExpression: `checkoutAttempt = :attempt AND #status = :pending AND ${isFree}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':session': checkoutSessionId, ':attempt': checkoutAttempt, ':pending': 'pending', ':one': 1 },
    },
    onConditionFailed: lockConflict,
  };
}

/** Removes the expiry of a paid order from the lists that it is in, and adds it to its buyer's list, if `emailHash` is known. */
export function removeOrderExpiry(order: Order, emailHash: string | undefined): Write[] {
  const kept = { ...order, ttl: undefined };
  return [...placed(kept), ...(emailHash === undefined ? [] : [pointer(orderOfBuyerKey(emailHash, order.id), kept)])];
}

/** Moves a paid order from the lists of one address to that of another. */
export function moveOrderToBuyer(order: Order, from: readonly string[], to: string): Write[] {
  return [
    ...from.map((emailHash): Write => ({ delete: { Key: orderOfBuyerKey(emailHash, order.id) } })),
    pointer(orderOfBuyerKey(to, order.id), order),
  ];
}

/** Deletes an order, with its places in lists. @throws OptimisticLockError */
export function deleteOrder(order: Order): Write[] {
  return [deleteUnchanged(orderKey(order.id), order), ...placesOf(order).map((Key): Write => ({ delete: { Key } }))];
}

export const findCheckoutRequest = (table: Table, requestHash: string) => findItem(table, checkoutRequestKey(requestHash), CheckoutRequest);

/** Binds an idempotency key to an order; `replaces` is the binding it may take over. @throws OptimisticLockError */
export function bindCheckoutRequest(request: CheckoutRequest, replaces?: CheckoutRequest): Write {
  return {
    put: {
      Item: { ...checkoutRequestKey(request.requestHash), ...request },
      ...(replaces ? { ConditionExpression: 'orderId = :old', ExpressionAttributeValues: { ':old': replaces.orderId } } : ifAbsent),
    },
    onConditionFailed: lockConflict,
  };
}

/** Frees an idempotency key. @throws OptimisticLockError when it stands for another order by now */
export function freeCheckoutRequest({ requestHash, orderId }: CheckoutRequest): Write {
  return {
    delete: {
      Key: checkoutRequestKey(requestHash),
      ConditionExpression: 'orderId = :order',
      ExpressionAttributeValues: { ':order': orderId },
    },
    onConditionFailed: lockConflict,
  };
}

/** Newest first. */
export const listOrdersOfSeller = (table: Table, sellerId: SellerId, request: PageRequest & OrderFilter) =>
  listOrders(table, { ...request, sellerId });

/** Those to the license of an order, newest first, paid ones before others: of more than 1,000 the newest, and at most `limit`. */
export async function findAdditions(table: Table, orderId: OrderId, limit: number): Promise<Order[]> {
  const { pk: partition, prefix } = additionsOfOrder(orderId);
  const { items } = await table.query({ partition, prefix, limit: maxAdditions, newestFirst: true });
  const pointers = items.map((item) => OrderPointer.parse(item));
  const isKept = ({ ttl }: z.infer<typeof OrderPointer>) => ttl === undefined;
  const inOrder = [...pointers.filter(isKept), ...pointers.filter((place) => !isKept(place))];
  return findOrders(
    table,
    inOrder.slice(0, limit).map(({ id }) => id),
  );
}

/** The oldest order that was ever paid, among the seller's 1,000 oldest: older ones that were not are gone. */
export async function findPaidOrderOfSeller(table: Table, sellerId: SellerId): Promise<Order | undefined> {
  const { pk: partition, prefix } = ordersOfSeller(sellerId);
  const { items } = await table.query({ partition, prefix, limit: maxUnpaidLookedAt });
  const paid = items.map((item) => OrderPointer.parse(item)).find(({ ttl }) => ttl === undefined);
  return paid && findOrder(table, paid.id);
}

/**
 * The paid orders under any hash of an address, newest first, of one seller where it is named. No cursor tells
 * of an order that is not listed. Of more than 10,000 orders the oldest are not looked at.
 */
export async function listOrdersOfBuyer(
  table: Table,
  emailHashes: readonly string[],
  { limit, cursor, sellerId }: PageRequest & { sellerId?: SellerId | undefined },
): Promise<Page<Order>> {
  const list = 'orders-of-buyer';
  const found: Order[] = [];
  let after = cursor;
  for (let pages = 0; pages < maxBuyerPages; pages += 1) {
    const request = { limit: 100, cursor: after, newestFirst: true };
    const page = await follow(table, await listMergedPartitions(table, list, emailHashes.map(ordersOfBuyer), request, ([first]) => first));
    found.push(...page.items.filter((order) => sellerId === undefined || order.sellerId === sellerId));
    after = page.nextCursor;
    if (after === undefined || found.length > limit) break;
  }
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last ? encodeCursor(list, last.id) : undefined };
}

/** Under each hash of an address the 100 newest of the paid orders up to one. */
export async function findOrderIdsOfBuyer(table: Table, emailHashes: readonly string[], last: OrderId): Promise<OrderId[]> {
  const pages = await Promise.all(
    emailHashes.map((hash) => {
      const { pk: partition, prefix } = ordersOfBuyer(hash);
      return table.query({ partition, prefix, upTo: orderOfBuyerKey(hash, last).sk, limit: maxOrdersCompared, newestFirst: true });
    }),
  );
  return pages.flatMap(({ items }) => items.map((item) => OrderPointer.parse(item).id));
}

/** The paid orders of an address, newest first, of more than 500 those. */
export async function findOrdersOfBuyer(table: Table, emailHash: string): Promise<Order[]> {
  const orders: Order[] = [];
  const list = async (request: PageRequest) =>
    follow(table, await listPartitionPage(table, 'orders-of-buyer', ordersOfBuyer(emailHash), { ...request, newestFirst: true }));
  for await (const some of pagesOf(list)) {
    orders.push(...some);
    if (orders.length >= maxOrdersOfBuyer) break;
  }
  return orders;
}
