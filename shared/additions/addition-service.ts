import { type CheckoutResponse, openNewCheckout, resumeCheckout, resumeSession, type SessionNeeds } from '../checkout/checkout-session.ts';
import { newOrder } from '../checkout/new-order.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { isId, type LicenseId, type ProductId } from '../ids.ts';
import type { InvoicingSetting } from '../invoices/invoice-terms.ts';
import { findLicenseById } from '../licenses/license-repository.ts';
import type { CheckoutRequest, Order } from '../orders/order.ts';
import { bindCheckoutRequest, createOrder, findCheckoutRequest, findOrder, findOrders } from '../orders/order-repository.ts';
import { type FoundProduct, findProductAndSeller } from '../products/product-repository.ts';
import { getSaleAccount, isOutOfStock } from '../products/sale-blockers.ts';
import { priceOfAddition, type RequestedAddition, requireUsableLicense } from './addition.ts';
import { checkoutBindingOf, subjectHash } from './checkout-binding.ts';
import { blocksUpgrade, getUpgradeOffer, priceOfUpgrade } from './upgrade.ts';

/** What selling more for a license works with. */
export type AdditionNeeds = SessionNeeds & Needs<'logger' | InvoicingSetting | 'PLATFORM_FEE_BPS'>;

const findLicenseAndProduct = (table: Table, { licenseId, sellerId }: Order, productId: ProductId) =>
  Promise.all([
    licenseId === undefined ? undefined : findLicenseById(table, licenseId),
    isId('product', productId) ? findProductAndSeller(table, { productId, sellerId }) : undefined,
  ]);

/** Of several concurrent requests, the losers find what the winner created. */
async function once(c: Needs<'logger' | 'pace'>, decide: () => Promise<CheckoutResponse>): Promise<CheckoutResponse> {
  await c.pace.waitForTurn();
  const checkout = await retryOptimisticLock(decide);
  c.logger.info('checkout_started', { orderId: checkout.orderId });
  return checkout;
}

/** Creates the order, replacing the one bound before, and opens its checkout session. */
async function open(
  c: SessionNeeds,
  fresh: Order,
  request: CheckoutRequest,
  latest: CheckoutRequest | undefined,
): Promise<CheckoutResponse> {
  await c.table.transact([bindCheckoutRequest(request, latest), ...createOrder(fresh)]);
  return openNewCheckout(c, fresh, { request });
}

/** @throws AppError already_upgraded where a paid order of these bars another */
function refuseUpgraded(upgrades: readonly (Order | undefined)[]) {
  if (upgrades.some((upgrade) => upgrade !== undefined && blocksUpgrade(upgrade))) throw new AppError('already_upgraded');
}

/** The bound order, with its checkout if the session is still open. @throws AppError already_upgraded once that was paid */
async function findPending(c: SessionNeeds, bound: Order | undefined, request: CheckoutRequest | undefined): Promise<Pending> {
  if (!bound || !canBePaid(bound)) return {};
  if (bound.checkoutSessionId === undefined) return { unopened: bound };
  const resumed = await resumeSession(c, bound, { request });
  if (resumed.state === 'complete') throw new AppError('already_upgraded');
  return resumed.state === 'open' ? { checkout: resumed.checkout } : {};
}

/**
 * The checkout of an addition to the order's license: an open one of the same at the same price, or else a new one.
 *
 * @throws AppError as `priceOfAddition`; invalid_request, checkout_not_available, price_not_chargeable of the provider's;
 * dependency_unavailable
 */
export async function startAddition(c: AdditionNeeds, sold: Order, requested: RequestedAddition): Promise<CheckoutResponse> {
  const [found, target] = await findLicenseAndProduct(c.table, sold, sold.productId);
  const license = requireUsableLicense(found, c.now());
  if (!target) throw new AppError('addition_not_offered');
  const { unitAmount, destinationAccountId } = priceOfAddition({ license, ...target }, requested, c.now());
  const bought = { ...requested, unitAmount, addedTo: { orderId: sold.id, licenseId: license.id } };
  const fresh = newOrder(c, target, bought, { destinationAccountId, locale: sold.locale });
  const request = checkoutBindingOf({ ...fresh, licenseId: license.id }, fresh);
  return once(c, async () => {
    const latest = await findCheckoutRequest(c.table, request.requestHash);
    const bound = latest && (await findOrder(c.table, latest.orderId));
    const resumed = bound?.status === 'pending' ? await resumeCheckout(c, bound, { request: latest }) : undefined;
    return resumed ?? open(c, fresh, request, latest);
  });
}

/**
 * The checkout of an upgrade from the order's license: one per target product, unless the payment was refunded in full.
 * While a checkout is open it is reused, even if the price has changed.
 *
 * @throws AppError license_not_usable, upgrade_not_offered, already_upgraded, then as `priceOfUpgrade` and as `startAddition`
 */
export async function startUpgrade(c: AdditionNeeds, sold: Order, productId: ProductId): Promise<CheckoutResponse> {
  const [license, target] = await findLicenseAndProduct(c.table, sold, productId);
  const { id: licenseId } = requireUsableLicense(license, c.now());
  const offer = getUpgradeOffer(sold, target?.product);
  if (!target) throw new AppError('upgrade_not_offered');
  const known = (sold.upgrades ?? []).filter((upgrade) => upgrade.productId === productId).map(({ orderId }) => orderId);
  if (known.length > 0) refuseUpgraded(await findOrders(c.table, known));
  const isOut = await isOutOfStock(c.table, target.product);
  return once(c, () => upgradeOnce(c, sold, licenseId, { offer, target: { ...target, isOut } }));
}

async function upgradeOnce(
  c: AdditionNeeds,
  sold: Order,
  licenseId: LicenseId,
  { offer, target }: { offer: ReturnType<typeof getUpgradeOffer>; target: FoundProduct & { isOut: boolean } },
): Promise<CheckoutResponse> {
  const to = { licenseId, productId: target.product.id };
  const latest = await findCheckoutRequest(c.table, subjectHash(to));
  const bound = latest && (await findOrder(c.table, latest.orderId));
  refuseUpgraded([bound]);
  const pending = await findPending(c, bound, latest);
  getSaleAccount(target.product, target.seller, target);
  if (pending.checkout) return pending.checkout;
  const resumed = pending.unopened && (await resumeCheckout(c, pending.unopened, { request: latest }));
  if (resumed) return resumed;
  const { unitAmount, destinationAccountId } = priceOfUpgrade(sold, offer, target);
  const { id: orderId, quantity, locale } = sold;
  const bought = { kind: 'upgrade', quantity, unitAmount, upgradedFrom: { orderId, licenseId } } as const;
  const fresh = newOrder(c, target, bought, { destinationAccountId, locale });
  return open(c, fresh, checkoutBindingOf(to, fresh), latest);
}

/** What is bound and may still be paid: an open checkout, or an order whose session was not opened. */
interface Pending {
  checkout?: CheckoutResponse;
  unopened?: Order;
}

/** A payment that was declined may be tried again in the same session; a delayed one that failed ended it. */
const canBePaid = ({ status, checkout, checkoutSessionId }: Order) =>
  checkout.asyncFailedAt === undefined && (status === 'pending' || (status === 'payment_failed' && checkoutSessionId !== undefined));
