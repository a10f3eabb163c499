import { stepOf } from '../currencies.ts';
import { newId } from '../ids.ts';
import type { Product } from '../products/product.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import { shortLine } from '../text/one-line.ts';
import { attemptFrom } from './checkout-attempt.ts';
import type { Order } from './order.ts';

/** Of the product's description, to be shown beside the price. */
const longestSummary = 300;

/** A pending order with the product's terms as they are now, in the first attempt to open its checkout. */
export function newOrder(options: {
  product: Product;
  seller: SellerRecord;
  destinationAccountId: string;
  feeBasisPoints: number;
  locale: Order['locale'];
  at: Date;
}): Order {
  const { product, seller, destinationAccountId, feeBasisPoints, locale, at } = options;
  return {
    id: newId('order', at),
    sellerId: product.sellerId,
    productId: product.id,
    terms: {
      productSlug: product.slug,
      productName: product.name,
      sellerDisplayName: seller.displayName,
      siteUrl: seller.siteUrl,
      supportEmail: product.supportEmail ?? '',
      refundPolicy: product.refundPolicy ?? '',
      softwareOperatingEnvironment: product.softwareOperatingEnvironment ?? '',
      tokushohoSellerName: product.tokushohoSellerName,
      tokushohoContact: product.tokushohoContact,
      tokushohoAddress: product.tokushohoAddress,
      licenseIssuanceMode: product.licenseIssuanceMode,
      licenseKeyPrefix: product.licenseKeyPrefix ?? 'LIC1',
      activationLimit: product.activationLimit ?? 1,
      features: product.features ?? [],
      deactivationAllowed: product.deactivationAllowed ?? true,
      offlineDays: product.offlineDays,
      offlineFileDays: product.offlineFileDays,
      productSummary: shortLine(product.description ?? '', longestSummary),
    },
    amount: product.priceAmount,
    currency: product.currency,
    applicationFeeAmount: feeOf(product, feeBasisPoints),
    destinationAccountId,
    locale,
    status: 'pending',
    paymentStatus: 'pending',
    checkout: {},
    ...attemptFrom(at, 1),
    createdAt: at.toISOString(),
    revision: 1,
  };
}

/** Rounded down to what can be charged in the currency. */
function feeOf({ priceAmount, currency }: Pick<Product, 'priceAmount' | 'currency'>, basisPoints: number): number {
  const step = stepOf(currency);
  return Math.floor((priceAmount * basisPoints) / (10_000 * step)) * step;
}
