import type { Needs } from '../context.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { reviewDueAt } from '../review-due.ts';
import { isApproved, payableAccount, type SellerRecord } from '../sellers/seller.ts';
import { hasStock } from './code-stock.ts';
import { Product, type ProductRecord, reviewStatusOf, type SaleBlocker, saleBlockers } from './product.ts';
import { isOnSale, productWaitingSince, revisionWaitingSince } from './product-states.ts';
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
    payment_not_ready: !seller || payableAccount(seller) === undefined,
    not_approved: status !== 'suspended' && !isOnSale({ status }),
    suspended: status === 'suspended',
    out_of_stock: stock.isOut,
  };
  return saleBlockers.filter((blocker) => holds[blocker]);
}

/** The message to buyers for each blocker. */
const refusals: Record<SaleBlocker, string> = {
  seller_not_approved: 'The seller is not approved.',
  payment_not_ready: 'The seller cannot take payments now.',
  not_approved: 'The product is not approved for sale.',
  suspended: 'The product is suspended.',
  out_of_stock: 'The product is sold out.',
};

export const saleBlockedError = (blocker: SaleBlocker) => new AppError('checkout_not_available', `${blocker}: ${refusals[blocker]}`);

/**
 * The account that receives the payments of a sale. @throws AppError checkout_not_available: the message begins with
 * the first sale blocker
 */
export function getSaleAccount(product: Pick<ProductRecord, 'status'>, seller: SellerFacts, stock: { isOut: boolean }): string {
  const [blocker] = saleBlockersOf(product, seller, stock);
  const account = payableAccount(seller);
  if (blocker === undefined && account !== undefined) return account;
  throw saleBlockedError(blocker ?? 'payment_not_ready');
}

/** Whether a product of imported codes, which alone has a stock to look at, has none left. */
export const isOutOfStock = async (table: Table, { id, licenseIssuanceMode }: ProductRecord): Promise<boolean> =>
  licenseIssuanceMode === 'imported_csv' && !(await hasStock(table, id));

/** The same as of now. */
export const findSaleBlockers = async (table: Table, product: ProductRecord, seller: SellerFacts | undefined): Promise<SaleBlocker[]> =>
  saleBlockersOf(product, seller, { isOut: await isOutOfStock(table, product) });

/** What showing a product takes. */
export type ShowNeeds = Needs<'table' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS'>;

/** A product of a seller that was read, as both and the admins see it now. */
export async function showProduct(c: ShowNeeds, product: ProductRecord, seller: SellerFacts | undefined): Promise<Product> {
  const { pending, status } = product;
  const saleBlockers = await findSaleBlockers(c.table, product, seller);
  return Product.parse({
    ...product,
    pending: pending && {
      ...pending,
      submittedAt: pending.submittedAt ?? revisionWaitingSince(product),
      reviewDueAt: reviewDueAt(revisionWaitingSince(product), c.settings.REVIEW_DUE_HOURS),
    },
    submittedAt: product.submittedAt ?? productWaitingSince(product),
    reviewStatus: reviewStatusOf(status),
    url: `${c.settings.PUBLIC_BASE_URL}${productPath(product.slug)}`,
    saleBlockers,
    onSale: saleBlockers.length === 0,
    reviewDueAt: reviewDueAt(productWaitingSince(product), c.settings.REVIEW_DUE_HOURS),
  });
}
