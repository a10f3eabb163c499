import { reviewDueAt } from '../console/review-due.ts';
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

type HasStock = (productId: ProductId) => Promise<boolean>;
export type FindSaleBlockers = (product: ProductRecord, seller: SellerFacts | undefined) => Promise<SaleBlocker[]>;

/** The same as of now. Only a product of imported codes has a stock to look at. */
export const createFindSaleBlockers =
  ({ hasStock }: { hasStock: HasStock }): FindSaleBlockers =>
  async (product, seller) =>
    saleBlockersOf(product, seller, { isOut: product.licenseIssuanceMode === 'imported_csv' && !(await hasStock(product.id)) });

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
