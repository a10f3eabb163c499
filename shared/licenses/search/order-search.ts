import { createAuditRepository } from '../../audit/audit-repository.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { badCursor } from '../../db/cursor.ts';
import type { Page } from '../../db/sharded-list.ts';
import type { Table } from '../../db/table.ts';
import type { ProductId, SellerId } from '../../ids.ts';
import { buyerEmailHashes } from '../../orders/buyer-email.ts';
import type { Order } from '../../orders/order.ts';
import { createOrderRepository } from '../../orders/order-repository.ts';
import { createProductIdRepository, type ProductIdRepository } from '../../products/product-id-repository.ts';
import { isPossibleKey, typedLicenseKeyForms } from '../license-key.ts';
import { licenseLookups } from '../license-lookup.ts';
import { createLicenseRepository } from '../license-repository.ts';
import type { OrderSearchRequest } from './order-search-request.ts';
import { type OrderSummary, summarizeOrders } from './order-summary.ts';

const ordersAtATime = 100;
/** So many additions are shown with the order of a license. */
const additionsAtATime = 100;
/** How many times the search for a key among all products reads ids of products before it leaves the rest to the next page. */
const mostReadsOfIds = 50;

export type OrderSearch = ReturnType<typeof createOrderSearch>;

/** Finds the orders that a buyer asks about. See "Search" in README.md */
export function createOrderSearch(options: {
  table: Table;
  /** Other lists of products than the table's. */
  productIds?: ProductIdRepository;
  peppers: Keyring;
  encryptionKeys: Keyring;
  now?: (() => Date) | undefined;
}) {
  const { table, productIds = createProductIdRepository({ table }), peppers, encryptionKeys, now = () => new Date() } = options;
  const orders = createOrderRepository({ table });
  const licenses = createLicenseRepository({ table });
  const audit = createAuditRepository({ table, now });

  async function find(request: OrderSearchRequest, sellerId: SellerId | undefined): Promise<Page<Order>> {
    const { licenseKey, buyerEmail, orderId, cursor } = request;
    if (licenseKey !== undefined) return findByKey(typedLicenseKeyForms(licenseKey).filter(isPossibleKey), sellerId, cursor);
    if (buyerEmail !== undefined) {
      return orders.listOrdersOfBuyer(buyerEmailHashes(buyerEmail, encryptionKeys), { limit: ordersAtATime, cursor, sellerId });
    }
    const order = orderId === undefined ? undefined : await orders.findOrder(orderId);
    return onlyPage(order ? [order] : [], cursor);
  }

  async function findByKey(forms: readonly string[], sellerId: SellerId | undefined, cursor: string | undefined): Promise<Page<Order>> {
    if (forms.length === 0) return onlyPage([], cursor);
    if (sellerId === undefined) return findAmongAll(forms, cursor);
    return onlyPage(await findUnder(await productIds.listIdsOfSeller(sellerId), forms), cursor);
  }

  async function findAmongAll(forms: readonly string[], cursor: string | undefined): Promise<Page<Order>> {
    const items: Order[] = [];
    let nextCursor = cursor;
    for (let reads = 0; reads < mostReadsOfIds; reads += 1) {
      const page = await productIds.listIds(nextCursor);
      items.push(...(await findUnder(page.items, forms)));
      nextCursor = page.nextCursor;
      if (nextCursor === undefined || items.length >= ordersAtATime) break;
    }
    return { items, nextCursor };
  }

  /** The orders of those licenses of the products that have the key, or had it, in the first of the forms that any has; each with its additions. */
  async function findUnder(ids: readonly ProductId[], [form, ...others]: readonly string[]): Promise<Order[]> {
    if (form === undefined) return [];
    const licenseIds = await licenses.findLicenseIds(ids.flatMap((productId) => licenseLookups(productId, form, peppers)));
    if (licenseIds.length === 0) return findUnder(ids, others);
    const found = await licenses.findLicenses(licenseIds);
    const sold = await orders.findOrders([...found.values()].flatMap(({ orderId }) => orderId ?? []));
    return (await Promise.all(sold.map(async (order) => [order, ...(await orders.findAdditions(order.id, additionsAtATime))]))).flat();
  }

  return {
    /**
     * A page of the orders that were asked for, of the seller's own sales, or of all where none is named. What cannot
     * exist is not found. Audited, without what was asked for.
     *
     * @throws AppError invalid_request of the cursor
     */
    async searchOrders(userId: string, sellerId: SellerId | undefined, request: OrderSearchRequest): Promise<Page<OrderSummary>> {
      const { items, nextCursor } = await find(request, sellerId);
      const shown = items.filter((order) => sellerId === undefined || order.sellerId === sellerId);
      await table.transact([
        audit.recordAudit({
          actor: userId,
          action: 'order.search',
          targetId: sellerId ?? 'orders',
          after: { by: termOf(request), found: shown.length },
        }),
      ]);
      return { items: await summarizeOrders(shown, licenses.findLicenses, now()), nextCursor };
    },
  };
}

/** All there is to list, so that no cursor was ever given for it. @throws AppError invalid_request */
function onlyPage(items: Order[], cursor: string | undefined): Page<Order> {
  if (cursor !== undefined) throw badCursor();
  return { items };
}

function termOf({ licenseKey, buyerEmail }: OrderSearchRequest): string {
  if (licenseKey !== undefined) return 'license_key';
  return buyerEmail === undefined ? 'order_id' : 'buyer_email';
}
