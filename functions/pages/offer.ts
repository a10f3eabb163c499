import type { Product } from '../../shared/products/product.ts';

/** What the buyer's pages show of a product. */
export interface Offer {
  product: Pick<
    Product,
    | 'slug'
    | 'name'
    | 'description'
    | 'priceAmount'
    | 'currency'
    | 'supportEmail'
    | 'refundPolicy'
    | 'softwareOperatingEnvironment'
    | 'tokushohoSellerName'
    | 'tokushohoContact'
    | 'tokushohoAddress'
    | 'activationLimit'
    | 'offlineDays'
    | 'offlineFileDays'
    | 'features'
    | 'revision'
  >;
  sellerName: string;
  /** Whether a checkout can be started now. */
  onSale: boolean;
}
