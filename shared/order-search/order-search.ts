/** Finds the orders that a buyer asks about. See "Search" in README.md */

import * as z from 'zod/mini';
import { email } from '../addresses.ts';
import { recordAudit } from '../audit/audit-repository.ts';
import { auditActorOf, type Caller, coversProduct } from '../audit/caller.ts';
import { buyerEmailHashes } from '../buyer-email/buyer-email.ts';
import type { Needs } from '../context.ts';
import { invalidCursor } from '../db/cursor.ts';
import type { Page } from '../db/sharded-list.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { looseIdOf, type ProductId, type SellerId } from '../ids.ts';
import { licenseLookups } from '../licenses/license-lookup.ts';
import { findLicenseIds, findLicenses } from '../licenses/license-repository.ts';
import type { Order } from '../orders/order.ts';
import { findAdditions, findOrder, findOrders, listOrdersOfBuyer } from '../orders/order-repository.ts';
import { listIds, listIdsOfSeller } from '../products/product-id-repository.ts';
import { nonBlankText } from '../schemas.ts';
import { isPossibleKey, lookupFormsOf } from '../text/license-key.ts';
import type { OrderSummary } from './order-summary.ts';
import { summarizeOrders } from './summarize-orders.ts';

const ordersAtATime = 100;

/** So many additions are shown with the order of a license. */
const additionsAtATime = 100;

/** How many times the search for a key among all products reads ids of products before it leaves the rest to the next page. */
const maxIdReads = 50;

type SearchNeeds = Needs<'table' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>;

/** What to look for: by one of three, whole. */
export const OrderSearchRequest = z
  .object({
    licenseKey: z.optional(nonBlankText(512)),
    buyerEmail: z.optional(email),
    orderId: z.optional(looseIdOf('order')),
    cursor: z.optional(nonBlankText(1024)),
  })
  .check(
    z.refine(
      ({ licenseKey, buyerEmail, orderId }) => [licenseKey, buyerEmail, orderId].filter((term) => term !== undefined).length === 1,
      fault(rules.notOneTerm),
    ),
  )
  .register(z.globalRegistry, { oneOf: [{ required: ['licenseKey'] }, { required: ['buyerEmail'] }, { required: ['orderId'] }] });
export type OrderSearchRequest = z.infer<typeof OrderSearchRequest>;

async function find(c: SearchNeeds, request: OrderSearchRequest, sellerId: SellerId | undefined): Promise<Page<Order>> {
  const { licenseKey, buyerEmail, orderId, cursor } = request;
  if (licenseKey !== undefined) return findByKey(c, lookupFormsOf(licenseKey).filter(isPossibleKey), sellerId, cursor);
  if (buyerEmail !== undefined) {
    return listOrdersOfBuyer(c.table, buyerEmailHashes(buyerEmail, c.settings.ENCRYPTION_KEYS), { limit: ordersAtATime, cursor, sellerId });
  }
  const order = orderId === undefined ? undefined : await findOrder(c.table, orderId);
  return onlyPage(order ? [order] : [], cursor);
}

async function findByKey(
  c: SearchNeeds,
  forms: readonly string[],
  sellerId: SellerId | undefined,
  cursor: string | undefined,
): Promise<Page<Order>> {
  if (forms.length === 0) return onlyPage([], cursor);
  if (sellerId === undefined) return findAmongAll(c, forms, cursor);
  return onlyPage(await findUnder(c, await listIdsOfSeller(c.table, sellerId), forms), cursor);
}

async function findAmongAll(c: SearchNeeds, forms: readonly string[], cursor: string | undefined): Promise<Page<Order>> {
  const items: Order[] = [];
  let nextCursor = cursor;
  for (let reads = 0; reads < maxIdReads; reads += 1) {
    const page = await listIds(c.table, nextCursor);
    items.push(...(await findUnder(c, page.items, forms)));
    nextCursor = page.nextCursor;
    if (nextCursor === undefined || items.length >= ordersAtATime) break;
  }
  return { items, nextCursor };
}

/** The orders of those licenses of the products that have the key, or had it, in the first of the forms that any has; each with its additions. */
async function findUnder(c: SearchNeeds, ids: readonly ProductId[], [form, ...others]: readonly string[]): Promise<Order[]> {
  if (form === undefined) return [];
  const licenseIds = await findLicenseIds(
    c.table,
    ids.flatMap((productId) => licenseLookups(productId, form, c.settings.LICENSE_PEPPERS)),
  );
  if (licenseIds.length === 0) return findUnder(c, ids, others);
  const found = await findLicenses(c.table, licenseIds);
  const sold = await findOrders(
    c.table,
    [...found.values()].flatMap(({ orderId }) => orderId ?? []),
  );
  return (await Promise.all(sold.map(async (order) => [order, ...(await findAdditions(c.table, order.id, additionsAtATime))]))).flat();
}

/**
 * A page of the orders that were asked for, of the seller's own sales that the caller's token covers, or of all where no
 * seller is named. What cannot exist is not found. Audited, without what was asked for.
 *
 * @throws AppError invalid_request of the cursor
 */
export async function searchOrders(
  c: SearchNeeds & Needs<'now'>,
  caller: Caller,
  sellerId: SellerId | undefined,
  request: OrderSearchRequest,
): Promise<Page<OrderSummary>> {
  const { items, nextCursor } = await find(c, request, sellerId);
  const isShown = (order: Order) => (sellerId === undefined || order.sellerId === sellerId) && coversProduct(caller, order.productId);
  const shown = items.filter(isShown);
  await c.table.transact([
    recordAudit(c, {
      actor: auditActorOf(caller),
      action: 'order.search',
      targetId: sellerId ?? 'orders',
      after: { by: termOf(request), found: shown.length },
    }),
  ]);
  return { items: await summarizeOrders(c, shown), nextCursor };
}

/** All there is to list, so that no cursor was ever given for it. @throws AppError invalid_request */
function onlyPage(items: Order[], cursor: string | undefined): Page<Order> {
  if (cursor !== undefined) throw invalidCursor();
  return { items };
}

function termOf({ licenseKey, buyerEmail }: OrderSearchRequest): string {
  if (licenseKey !== undefined) return 'license_key';
  return buyerEmail === undefined ? 'order_id' : 'buyer_email';
}
