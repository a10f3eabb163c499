import type { VisibleFiles } from '../../shared/product-files/visible-files.ts';
import type { PublicProduct } from '../../shared/products/public-product.ts';
import type { PricedChoice } from './checkout/choice.ts';

/** What the buyer's pages show of a product. */
export interface ProductOffer {
  product: Omit<PublicProduct, 'id' | 'sellerDisplayName' | 'sellerInvoiceRegistrationNumber' | 'images'>;
  /** Which revision of the product made what is shown: a buyer confirms this one. */
  termsRevision: number;
  sellerName: string;
  /** With which the seller issues invoices in Japan. */
  registrationNumber?: string | undefined;
  /** Whether a checkout can be started now. */
  onSale: boolean;
}

/** An offer at the price of what a buyer asks for. */
export interface PricedOffer extends ProductOffer {
  chosen: PricedChoice;
}

/** What the product's own page, and its order form, show besides. */
export interface ProductPage extends PricedOffer, VisibleFiles {
  /** Where the seller is on the web. */
  siteUrl?: string | undefined;
  /** Whether there is a discount code that may hold. */
  hasDiscounts: boolean;
}
