import type { Needs } from '../context.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type License, statusOf } from '../licenses/license.ts';
import type { Offers } from '../licenses/purchase-page.ts';
import type { Order } from '../orders/order.ts';
import { findOrders } from '../orders/order-repository.ts';
import { listUpgradesOf } from '../products/offers/upgrade-repository.ts';
import type { ProductRecord } from '../products/product.ts';
import { type FoundProduct, findProducts } from '../products/product-repository.ts';
import { isOutOfStock } from '../products/sale-blockers.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import { priceOfAddition } from './addition.ts';
import { blocksUpgrade, getUpgradeOffer, priceOfUpgrade } from './upgrade.ts';

async function findUpgrade(table: Table, order: Order, product: ProductRecord, seller: SellerRecord) {
  const offer = ifSold(() => getUpgradeOffer(order, product));
  if (!offer) return [];
  const isOut = await isOutOfStock(table, product);
  const price = ifSold(() => priceOfUpgrade(order, offer, { product, seller, isOut }));
  if (!price) return [];
  const { id: productId, slug, name, currency, activationLimit } = product;
  const { quantity } = order;
  return [{ productId, slug, name, amount: price.unitAmount * quantity, currency, activationLimit: activationLimit * quantity }];
}

/** Those that can be bought, of the products that name the order's. */
async function findUpgrades(table: Table, order: Order, listed: readonly ProductRecord[], seller: SellerRecord) {
  if (listed.length === 0) return [];
  const orderIds = (order.upgrades ?? []).map(({ orderId }) => orderId);
  const paid = orderIds.length > 0 ? await findOrders(table, orderIds) : [];
  const bought = new Set(paid.filter(blocksUpgrade).map(({ productId }) => productId));
  const open = listed.filter(({ id }) => !bought.has(id));
  return (await Promise.all(open.map((product) => findUpgrade(table, order, product, seller)))).flat();
}

/**
 * What can be bought for the order's license, and its product, now; undefined where nothing can.
 * One request for a license that nothing upgrades; one more for the products that do, and for each of imported codes its stock.
 */
export async function findOffers(
  c: Needs<'table' | 'now'>,
  order: Order,
  license: License,
  found: FoundProduct,
): Promise<Offers | undefined> {
  const at = c.now();
  if (statusOf(license, at) !== 'active') return undefined;
  const listed = await findProducts(c.table, await listUpgradesOf(c.table, order.productId));
  const { currency, updatesDays: days } = found.product;
  const priceOf = (kind: 'seats' | 'updates') => ifSold(() => priceOfAddition({ license, ...found }, { kind, quantity: 1 }, at));
  const [seat, updates] = [priceOf('seats'), priceOf('updates')];
  const upgradesNow = await findUpgrades(c.table, order, listed, found.seller);
  const offers: Offers = {
    ...(seat && { seat: { unitAmount: seat.unitAmount, currency } }),
    ...(updates && { updates: { amount: updates.unitAmount, currency, days } }),
    ...(upgradesNow.length > 0 && { upgrades: upgradesNow }),
  };
  return Object.keys(offers).length === 0 ? undefined : offers;
}

/** What `price` makes, unless it is refused. */
function ifSold<T>(price: () => T): T | undefined {
  try {
    return price();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
