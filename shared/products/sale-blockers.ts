import { reviewDueAt } from '../console/review-due.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import { accountToPay, isApproved, type SellerRecord } from '../sellers/seller.ts';
import { Product, type ProductRecord, reviewStatusOf, type SaleBlocker, saleBlockers } from './product.ts';
import { isOnSale, revisionWaitingSince, waitingSince } from './product-states.ts';
import { productPath } from './slug.ts';

type SellerFacts = Pick<
  SellerRecord,
  'internalReviewStatus' | 'paymentConnectedAccountId' | 'paymentChargesEnabled' | 'paymentOnboardingStatus'
>;

/** Everything that keeps a product from sale, in the order of `saleBlockers`; empty while it sells. */
export function saleBlockersOf(
  { status }: Pick<ProductRecord, 'status'>,
  seller: SellerFacts | undefined,
  stock: { isOut: boolean },
): SaleBlocker[] {
  const holds: Record<SaleBlocker, boolean> = {
    seller_not_approved: !seller || !isApproved(seller),
    payment_not_ready: !seller || accountToPay(seller) === undefined,
    not_approved: status !== 'suspended' && !isOnSale({ status }),
    suspended: status === 'suspended',
    out_of_stock: stock.isOut,
  };
  return saleBlockers.filter((blocker) => holds[blocker]);
}

/** What who wants to buy is told of each. */
const refusals: Record<SaleBlocker, string> = {
  seller_not_approved: 'The seller is not approved.',
  payment_not_ready: 'The seller cannot take payments now.',
  not_approved: 'The product is not approved for sale.',
  suspended: 'The product is suspended.',
  out_of_stock: 'The product is sold out.',
};

export const notAvailable = (blocker: SaleBlocker) => new AppError('checkout_not_available', `${blocker}: ${refusals[blocker]}`);

/** The account that the money of a sale goes to. @throws AppError checkout_not_available: the message begins with the first sale blocker */
export function accountForSale(product: Pick<ProductRecord, 'status'>, seller: SellerFacts, stock: { isOut: boolean }): string {
  const [blocker] = saleBlockersOf(product, seller, stock);
  const account = accountToPay(seller);
  if (blocker === undefined && account !== undefined) return account;
  throw notAvailable(blocker ?? 'payment_not_ready');
}

type HasStock = (productId: ProductId) => Promise<boolean>;
export type FindSaleBlockers = (product: ProductRecord, seller: SellerFacts | undefined) => Promise<SaleBlocker[]>;

/** Whether a product of imported codes, which alone has a stock to look at, has none left. */
export const isOutOfStock = async ({ id, licenseIssuanceMode }: ProductRecord, hasStock: HasStock): Promise<boolean> =>
  licenseIssuanceMode === 'imported_csv' && !(await hasStock(id));

/** The same as of now. */
export const createFindSaleBlockers =
  ({ hasStock }: { hasStock: HasStock }): FindSaleBlockers =>
  async (product, seller) =>
    saleBlockersOf(product, seller, { isOut: await isOutOfStock(product, hasStock) });

/** A product of a seller that was read, as both and the admins see it now. */
export type ShowProduct = (product: ProductRecord, seller: SellerFacts | undefined) => Promise<Product>;

export function createShowProduct(options: { publicBaseUrl: string; reviewDueHours: number; hasStock: HasStock }): ShowProduct {
  const { publicBaseUrl, reviewDueHours, hasStock } = options;
  const findSaleBlockers = createFindSaleBlockers({ hasStock });
  return async (product, seller) => {
    const { pending, status } = product;
    const saleBlockers = await findSaleBlockers(product, seller);
    return Product.parse({
      ...product,
      pending: pending && {
        ...pending,
        submittedAt: pending.submittedAt ?? revisionWaitingSince(product),
        reviewDueAt: reviewDueAt(revisionWaitingSince(product), reviewDueHours),
      },
      submittedAt: product.submittedAt ?? waitingSince(product),
      reviewStatus: reviewStatusOf(status),
      url: `${publicBaseUrl}${productPath(product.slug)}`,
      saleBlockers,
      onSale: saleBlockers.length === 0,
      reviewDueAt: reviewDueAt(waitingSince(product), reviewDueHours),
    });
  };
}
