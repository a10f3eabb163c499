import type { ShownFiles } from '../../shared/product-files/shown-files.ts';
import type { PublicProduct } from '../../shared/products/public-product.ts';

/** What the buyer's pages show of a product. */
export interface Offer {
  product: Omit<PublicProduct, 'id' | 'sellerDisplayName' | 'sellerInvoiceRegistrationNumber' | 'images'>;
  /** Which revision of the product made what is shown: a buyer confirms this one. */
  termsRevision: number;
  sellerName: string;
  /** Whether a checkout can be started now. */
  onSale: boolean;
}

/** What the product's own page shows besides. */
export interface ProductPage extends Offer, ShownFiles {
  /** Where the seller is on the web. */
  siteUrl?: string | undefined;
}
