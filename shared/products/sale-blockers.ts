import type { ProductId } from '../ids.ts';
import { accountToPay, isApproved, type SellerRecord } from '../sellers/seller.ts';
import { type Product, type ProductRecord, type SaleBlocker, saleBlockers, toProduct } from './product.ts';
import { isOnSale } from './product-states.ts';
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

export function createShowProduct({ publicBaseUrl, hasStock }: { publicBaseUrl: string; hasStock: HasStock }): ShowProduct {
  const findSaleBlockers = createFindSaleBlockers({ hasStock });
  return async (product, seller) =>
    toProduct(product, { url: `${publicBaseUrl}${productPath(product.slug)}`, saleBlockers: await findSaleBlockers(product, seller) });
}
