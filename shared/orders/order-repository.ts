import * as z from 'zod/mini';
import { encodeCursor } from '../db/cursor.ts';
import {
  checkoutRequestKey,
  type Key,
  listKey,
  orderKey,
  orderOfBuyerKey,
  orderOfDiscountKey,
  orderOfSellerKey,
  ordersOfBuyer,
  ordersOfSeller,
} from '../db/keys.ts';
import { checkUnchanged, deleteUnchanged, lockConflict, replaceUnchanged } from '../db/optimistic-lock.ts';
import { filteredPage, listAcrossShards, listOfPartition, listOfPartitions, type Page, type PageRequest } from '../db/sharded-list.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { idOf, isId, type OrderId, type ProductId, type SellerId } from '../ids.ts';
import { CheckoutRequest, Order } from './order.ts';

export interface OrderFilter {
  status?: Order['status'] | undefined;
  productId?: ProductId | undefined;
}

/** In the list of a seller, a discount or a buyer: which order to look at. */
const OrderPointer = z.object({
  id: idOf('order'),
  /** Until an order is paid. */
  ttl: z.optional(z.number()),
});

/** Anyone may buy under an address, free products too; a mail and its worker have to cope with all of them. */
const mostOfBuyer = 500;
/** So many places in a seller's list are looked at for the first paid order. */
const mostUnpaid = 1000;
/** A search among the orders of an address reads so many pages of 100 at most. */
const mostPagesOfBuyer = 100;

const matching = (filter: OrderFilter) => (order: Order) =>
  (filter.status === undefined || order.status === filter.status) &&
  (filter.productId === undefined || order.productId === filter.productId);

export type OrderRepository = ReturnType<typeof createOrderRepository>;

export function createOrderRepository({ table }: { table: Table }) {
  const itemOf = (order: Order): Item => ({ ...orderKey(order.id), ...listKey('orders', order.createdAt, order.id), ...order });
  const pointer = (key: Key, order: Order): Write => ({ put: { Item: { ...key, id: order.id, ttl: order.ttl } } });

  /** The places of an order in the lists that it is in from its beginning: its seller's, and that of its discount. */
  const placesOf = ({ id, sellerId, discount }: Order): Key[] => [
    orderOfSellerKey(sellerId, id),
    ...(discount ? [orderOfDiscountKey(discount.id, id)] : []),
  ];
  const place = (order: Order): Write[] => placesOf(order).map((key) => pointer(key, order));

  async function findOrder(orderId: OrderId): Promise<Order | undefined> {
    if (!isId('order', orderId)) return undefined;
    const item = await table.get(orderKey(orderId));
    return item && Order.parse(item);
  }

  async function findOrders(orderIds: readonly OrderId[]): Promise<Order[]> {
    const items = await table.batchGet(orderIds.map(orderKey));
    const byId = new Map(items.map((item) => Order.parse(item)).map((order) => [order.id, order]));
    return orderIds.flatMap((id) => byId.get(id) ?? []);
  }

  /** The orders that a page of pointers leads to. */
  async function follow(page: Page<Item>): Promise<Page<Order>> {
    return { items: await findOrders(page.items.map((item) => OrderPointer.parse(item).id)), nextCursor: page.nextCursor };
  }

  return {
    findOrder,

    /** Those of the orders that exist, in the order of their ids here: 100 a request. */
    findOrders,

    /** @throws AppError order_not_found */
    async getOrder(orderId: OrderId): Promise<Order> {
      const order = await findOrder(orderId);
      if (!order) throw new AppError('order_not_found');
      return order;
    },

    /** Writes a new order with its places in the lists of its seller and its discount. */
    createOrder(order: Order): Write[] {
      return [{ put: { Item: itemOf(order), ...ifAbsent } }, ...place(order)];
    },

    /** Replaces the order as it was read. @throws OptimisticLockError */
    replaceOrder: (read: Order, next: Order): Write => replaceUnchanged(read, itemOf({ ...next, revision: read.revision + 1 })),

    /** Part of a transaction that relies on the order as it was read. @throws OptimisticLockError */
    orderUnchanged: (read: Order): Write => checkUnchanged(orderKey(read.id), read),

    /** Begins another attempt of an order's checkout: `next` has its expiry. @throws OptimisticLockError */
    beginCheckoutAttempt: (read: Order, next: Order): Write[] => [
      replaceUnchanged(read, itemOf({ ...next, revision: read.revision + 1 })),
      ...place(next),
    ],

    /** Records that an attempt failed, so that the next one need not wait for it. @throws OptimisticLockError when there is another */
    endCheckoutAttempt({ id, checkoutAttempt }: Order): Write {
      return {
        update: {
          Key: orderKey(id),
          UpdateExpression: 'REMOVE attemptUntil ADD revision :one',
          ConditionExpression: 'checkoutAttempt = :attempt',
          ExpressionAttributeValues: { ':attempt': checkoutAttempt, ':one': 1 },
        },
        onConditionFailed: lockConflict,
      };
    },

    /**
     * Gives a pending order the session of its attempt, which it keeps for good.
     *
     * @throws OptimisticLockError when it has another, another attempt began, or the order is not pending any more
     */
    bindCheckoutSession({ id, checkoutAttempt }: Order, checkoutSessionId: string): Write {
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
    },

    /** Removes the expiry of a paid order from the lists it is in, and adds it to its buyer's list, if `emailHash` is known. */
    removeExpiry(order: Order, emailHash: string | undefined): Write[] {
      const kept = { ...order, ttl: undefined };
      return [...place(kept), ...(emailHash === undefined ? [] : [pointer(orderOfBuyerKey(emailHash, order.id), kept)])];
    },

    /** Moves a paid order from the lists of one address to that of another. */
    moveToBuyer(order: Order, from: readonly string[], to: string): Write[] {
      return [
        ...from.map((emailHash): Write => ({ delete: { Key: orderOfBuyerKey(emailHash, order.id) } })),
        pointer(orderOfBuyerKey(to, order.id), order),
      ];
    },

    /** Deletes an order, with its places in the lists of its seller and its discount. @throws OptimisticLockError */
    deleteOrder(order: Order): Write[] {
      return [deleteUnchanged(orderKey(order.id), order), ...placesOf(order).map((Key): Write => ({ delete: { Key } }))];
    },

    async findCheckoutRequest(requestHash: string): Promise<CheckoutRequest | undefined> {
      const item = await table.get(checkoutRequestKey(requestHash));
      return item && CheckoutRequest.parse(item);
    },

    /** Binds an idempotency key to an order; `replaces` is the binding it may take over. @throws OptimisticLockError */
    bindCheckoutRequest(request: CheckoutRequest, replaces?: CheckoutRequest): Write {
      return {
        put: {
          Item: { ...checkoutRequestKey(request.requestHash), ...request },
          ...(replaces ? { ConditionExpression: 'orderId = :old', ExpressionAttributeValues: { ':old': replaces.orderId } } : ifAbsent),
        },
        onConditionFailed: lockConflict,
      };
    },

    /** Frees an idempotency key. @throws OptimisticLockError when it stands for another order by now */
    releaseCheckoutRequest({ requestHash, orderId }: CheckoutRequest): Write {
      return {
        delete: {
          Key: checkoutRequestKey(requestHash),
          ConditionExpression: 'orderId = :order',
          ExpressionAttributeValues: { ':order': orderId },
        },
        onConditionFailed: lockConflict,
      };
    },

    /** Newest first, of all sellers. */
    listOrders({ limit, cursor, ...filter }: PageRequest & OrderFilter): Promise<Page<Order>> {
      return filteredPage({ limit, cursor }, matching(filter), async (request) => {
        const { items, nextCursor } = await listAcrossShards(table, 'orders', { ...request, newestFirst: true });
        return { items: items.map((item) => Order.parse(item)), nextCursor };
      });
    },

    /** Newest first. */
    listOrdersOfSeller(sellerId: SellerId, { limit, cursor, ...filter }: PageRequest & OrderFilter): Promise<Page<Order>> {
      return filteredPage({ limit, cursor }, matching(filter), async (request) =>
        follow(await listOfPartition(table, `orders-of-${sellerId}`, ordersOfSeller(sellerId), { ...request, newestFirst: true })),
      );
    },

    /** The oldest order that was ever paid, among the seller's 1,000 oldest: older ones that were not are gone. */
    async findPaidOrderOfSeller(sellerId: SellerId): Promise<Order | undefined> {
      const { pk: partition, prefix } = ordersOfSeller(sellerId);
      const { items } = await table.query({ partition, prefix, limit: mostUnpaid });
      const paid = items.map((item) => OrderPointer.parse(item)).find(({ ttl }) => ttl === undefined);
      return paid && findOrder(paid.id);
    },

    /**
     * The paid orders under any hash of an address, newest first, of one seller where it is named. No cursor tells
     * of an order that is not listed. Of more than 10,000 orders the oldest are not looked at.
     */
    async listOrdersOfBuyer(
      emailHashes: readonly string[],
      { limit, cursor, sellerId }: PageRequest & { sellerId?: SellerId | undefined },
    ): Promise<Page<Order>> {
      const list = 'orders-of-buyer';
      const found: Order[] = [];
      let after = cursor;
      for (let pages = 0; pages < mostPagesOfBuyer; pages += 1) {
        const request = { limit: 100, cursor: after, newestFirst: true };
        const page = await follow(await listOfPartitions(table, list, emailHashes.map(ordersOfBuyer), request, ([first]) => first));
        found.push(...page.items.filter((order) => sellerId === undefined || order.sellerId === sellerId));
        after = page.nextCursor;
        if (after === undefined || found.length > limit) break;
      }
      const items = found.slice(0, limit);
      const last = items.at(-1);
      return { items, nextCursor: found.length > limit && last ? encodeCursor(list, last.id) : undefined };
    },

    /** The paid orders of an address, newest first, of more than 500 those. */
    async findOrdersOfBuyer(emailHash: string): Promise<Order[]> {
      const orders: Order[] = [];
      let cursor: string | undefined;
      do {
        const request = { limit: 100, cursor, newestFirst: true };
        const page = await follow(await listOfPartition(table, 'orders-of-buyer', ordersOfBuyer(emailHash), request));
        orders.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined && orders.length < mostOfBuyer);
      return orders;
    },
  };
}
