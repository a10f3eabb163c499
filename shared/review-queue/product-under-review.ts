import * as z from 'zod/mini';
import { ProductFileAdmin } from '../product-files/product-file-reviews.ts';
import { LastDecision, Product } from '../products/product.ts';
import { Seller } from '../sellers/seller.ts';

/** A seller as the admin sees it who is to decide. */
export const SellerUnderReview = z.extend(Seller, {
  /** Whether that admin may not. */
  own: z.boolean(),
});
export type SellerUnderReview = z.infer<typeof SellerUnderReview>;

/** A product likewise, with what belongs to a decision about it. */
export const ProductUnderReview = z.extend(Product, {
  own: z.boolean(),
  seller: Seller,
  /** The newest, in every state. */
  files: z.array(ProductFileAdmin),
  lastDecision: z.optional(LastDecision),
});
export type ProductUnderReview = z.infer<typeof ProductUnderReview>;
