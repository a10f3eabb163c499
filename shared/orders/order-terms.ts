import * as z from 'zod/mini';
import { disclosedFields, licenseTerms } from '../products/fields.ts';
import type { ProductRecord } from '../products/product.ts';
import { storedUri } from '../schemas.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import { truncatedLine } from '../text/one-line.ts';

/** Of the product's description, to be shown beside the price. */
const maxSummaryLength = 300;

/** What the buyer was told of the seller and the product. */
export const disclosureFields = {
  sellerDisplayName: z.string(),
  siteUrl: z.optional(storedUri),
  ...disclosedFields,
};

/** The product's terms as they were when the checkout began. See "Snapshot of terms" in README.md */
export const OrderTerms = z.object({
  productSlug: z.string(),
  productName: z.string(),
  ...disclosureFields,
  ...licenseTerms,
  /** The beginning of the product's description. */
  productSummary: z.optional(z.string()),
});
export type OrderTerms = z.infer<typeof OrderTerms>;

export function termsOf(product: ProductRecord, seller: SellerRecord): OrderTerms {
  return OrderTerms.parse({
    ...product,
    productSlug: product.slug,
    productName: product.name,
    sellerDisplayName: seller.displayName,
    siteUrl: seller.siteUrl,
    productSummary: truncatedLine(product.description, maxSummaryLength),
  });
}
