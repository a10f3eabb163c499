import { createHasStock } from '../code-batches/code-stock-repository.ts';
import type { SettingsOf } from '../config.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { isId, type LicenseId, type ProductId } from '../ids.ts';
import { invoicingOperatorOf } from '../invoices/invoice-terms.ts';
import type { License } from '../licenses/license.ts';
import { createLicenseRepository } from '../licenses/license-repository.ts';
import type { Logger } from '../logger.ts';
import type { checkoutSettings } from '../orders/checkout-service.ts';
import { type CheckoutResponse, createOrderSessions } from '../orders/checkout-session.ts';
import { type Bought, newOrder } from '../orders/new-order.ts';
import type { CheckoutRequest, Order } from '../orders/order.ts';
import { createOrderRepository } from '../orders/order-repository.ts';
import type { StripeClient } from '../payments/stripe-client.ts';
import { createProductRepository, type FoundProduct } from '../products/product-repository.ts';
import { accountForSale, isOutOfStock } from '../products/sale-blockers.ts';
import { type Price, priceOfAddition, requireUsable, type WantedAddition } from './addition.ts';
import { bindingOf, requestHashOf } from './binding.ts';
import { barsUpgrade, offerOf, priceOfUpgrade } from './upgrade.ts';

export type AdditionService = ReturnType<typeof createAdditionService>;

/** Sells more for the license of an order that was paid: additions to it, and upgrades from it. See README.md */
export function createAdditionService(options: {
  settings: SettingsOf<typeof checkoutSettings>;
  table: Table;
  provider: StripeClient;
  logger: Logger;
  now: () => Date;
}) {
  const { settings, table, provider, logger, now } = options;
  const { STAGE: stage, PUBLIC_BASE_URL: publicBaseUrl, TOKEN_KEYS: tokenKeys, PLATFORM_FEE_BPS: feeBasisPoints } = settings;
  const operator = invoicingOperatorOf(settings);
  const products = createProductRepository({ table });
  const licenses = createLicenseRepository({ table });
  const orders = createOrderRepository({ table });
  const hasStock = createHasStock({ table });
  const sessions = createOrderSessions({ table, provider, stage, publicBaseUrl, tokenKeys, now });

  const findLicense = async ({ licenseId }: Order) => (licenseId === undefined ? undefined : licenses.findLicenseById(licenseId));
  const findProduct = async (productId: ProductId, { sellerId }: Order) =>
    isId('product', productId) ? products.findProductAndSeller({ productId, sellerId }) : undefined;

  const toOrder = (sold: Order, { product, seller }: FoundProduct, bought: Omit<Bought, 'unitAmount'>, price: Price): Order => {
    const { unitAmount, destinationAccountId } = price;
    return newOrder({
      product,
      seller,
      bought: { ...bought, unitAmount },
      destinationAccountId,
      feeBasisPoints,
      operator,
      locale: sold.locale,
      at: now(),
    });
  };

  /** Of several requests at once, those that lose a race find what the winner made. */
  async function once(decide: () => Promise<CheckoutResponse>): Promise<CheckoutResponse> {
    await sessions.takeTurn();
    const checkout = await retryOptimisticLock(decide);
    logger.info('checkout_started', { orderId: checkout.orderId });
    return checkout;
  }

  /** Makes the order in the place of what was bound before, and opens its session. */
  async function open(fresh: Order, request: CheckoutRequest, latest: CheckoutRequest | undefined): Promise<CheckoutResponse> {
    await table.transact([orders.bindCheckoutRequest(request, latest), ...orders.createOrder(fresh)]);
    return sessions.openFirst(fresh, { request });
  }

  /** @throws AppError already_upgraded where a paid order of these bars another */
  const refuseUpgraded = (upgrades: readonly (Order | undefined)[]) => {
    if (upgrades.some((upgrade) => upgrade !== undefined && barsUpgrade(upgrade))) throw new AppError('already_upgraded');
  };

  /** The order that is bound, with its checkout if its session is open. @throws AppError already_upgraded once that was paid */
  async function findPending(bound: Order | undefined, request: CheckoutRequest | undefined): Promise<Pending> {
    if (!bound || !canBePaid(bound)) return {};
    if (bound.checkoutSessionId === undefined) return { unopened: bound };
    const resumed = await sessions.findResumed(bound, { request });
    if (resumed.state === 'complete') throw new AppError('already_upgraded');
    return resumed.state === 'open' ? { checkout: resumed.checkout } : {};
  }

  return {
    /**
     * The checkout of an addition to the order's license: an open one of the same at the same price, or else a new one.
     *
     * @throws AppError as `priceOfAddition`; invalid_request, checkout_not_available, price_not_chargeable of the provider's;
     * dependency_unavailable
     */
    async startAddition(sold: Order, wanted: WantedAddition): Promise<CheckoutResponse> {
      const found = await licenseAndProduct(sold, sold.productId);
      const license = requireUsable(found.license, now());
      if (!found.product) throw new AppError('addition_not_offered');
      const price = priceOfAddition({ license, ...found.product }, wanted, now());
      const fresh = toOrder(sold, found.product, { ...wanted, addedTo: { orderId: sold.id, licenseId: license.id } }, price);
      const request = bindingOf({ ...fresh, licenseId: license.id }, fresh);
      return once(async () => {
        const latest = await orders.findCheckoutRequest(request.requestHash);
        const bound = latest && (await orders.findOrder(latest.orderId));
        const resumed = bound?.status === 'pending' ? await sessions.resume(bound, { request: latest }) : undefined;
        return resumed ?? open(fresh, request, latest);
      });
    },

    /**
     * The checkout of an upgrade from the order's license: once for each product, unless what was paid went back in full. While
     * one is open it stays that one, whatever the price is by now.
     *
     * @throws AppError license_not_usable, upgrade_not_offered, already_upgraded, then as `priceOfUpgrade` and as `startAddition`
     */
    async startUpgrade(sold: Order, productId: ProductId): Promise<CheckoutResponse> {
      const { license, product: target } = await licenseAndProduct(sold, productId);
      const { id: licenseId } = requireUsable(license, now());
      const offer = offerOf(sold, target?.product);
      if (!target) throw new AppError('upgrade_not_offered');
      const known = (sold.upgrades ?? []).filter((upgrade) => upgrade.productId === productId).map(({ orderId }) => orderId);
      if (known.length > 0) refuseUpgraded(await orders.findOrders(known));
      const isOut = await isOutOfStock(target.product, hasStock);
      return once(() => upgradeOnce(sold, licenseId, { offer, target: { ...target, isOut } }));
    },
  };

  async function upgradeOnce(
    sold: Order,
    licenseId: LicenseId,
    { offer, target }: { offer: ReturnType<typeof offerOf>; target: FoundProduct & { isOut: boolean } },
  ): Promise<CheckoutResponse> {
    const to = { licenseId, productId: target.product.id };
    const latest = await orders.findCheckoutRequest(requestHashOf(to));
    const bound = latest && (await orders.findOrder(latest.orderId));
    refuseUpgraded([bound]);
    const pending = await findPending(bound, latest);
    accountForSale(target.product, target.seller, target);
    if (pending.checkout) return pending.checkout;
    const resumed = pending.unopened && (await sessions.resume(pending.unopened, { request: latest }));
    if (resumed) return resumed;
    const price = priceOfUpgrade(sold, offer, target);
    const { quantity } = sold;
    const fresh = toOrder(sold, target, { kind: 'upgrade', quantity, upgradedFrom: { orderId: sold.id, licenseId } }, price);
    return open(fresh, bindingOf(to, fresh), latest);
  }

  async function licenseAndProduct(
    sold: Order,
    productId: ProductId,
  ): Promise<{ license: License | undefined; product: FoundProduct | undefined }> {
    const [license, product] = await Promise.all([findLicense(sold), findProduct(productId, sold)]);
    return { license, product };
  }
}

/** What is bound and may still be paid: an open checkout, or an order whose session was not opened. */
interface Pending {
  checkout?: CheckoutResponse;
  unopened?: Order;
}

/** A payment that was declined may be tried again in the same session; a delayed one that failed ended it. */
const canBePaid = ({ status, checkout, checkoutSessionId }: Order) =>
  checkout.asyncFailedAt === undefined && (status === 'pending' || (status === 'payment_failed' && checkoutSessionId !== undefined));
