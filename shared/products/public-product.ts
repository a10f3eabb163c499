import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { idOf } from '../ids.ts';
import { offlineTerms } from '../leases/offline-terms.ts';
import { isApproved, type SellerRecord } from '../sellers/seller.ts';
import { FeatureLabels } from './feature-labels.ts';
import { LicenseIssuanceMode } from './issuance-mode.ts';
import type { ProductRecord } from './product.ts';
import type { FoundProduct, ProductRepository } from './product-repository.ts';
import { isOnSale } from './product-states.ts';

const ProductImage = z.object({ url: z.string().register(z.globalRegistry, { format: 'uri' }), width: z.int(), height: z.int() });
export type ProductImage = z.infer<typeof ProductImage>;

/** What anyone may know of a product. The last three fields are what Japanese law wants on the page of a shop. */
export const PublicProduct = z.object({
  id: idOf('product'),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  priceAmount: z.int(),
  currency: z.string(),
  sellerDisplayName: z.string(),
  supportEmail: z.string(),
  refundPolicy: z.string(),
  softwareOperatingEnvironment: z.string(),
  licenseIssuanceMode: z.optional(LicenseIssuanceMode),
  activationLimit: z.optional(z.int()),
  features: z.optional(z.array(z.string())),
  featureLabels: z.optional(FeatureLabels),
  ...offlineTerms,
  images: z.optional(z.array(ProductImage)),
  tokushohoSellerName: z.optional(z.string()),
  tokushohoContact: z.optional(z.string()),
  tokushohoAddress: z.optional(z.string()),
});
export type PublicProduct = z.infer<typeof PublicProduct>;

/** Whether the public may see the product: an admin approved it and its seller. */
export function isPublic(product: ProductRecord, seller: SellerRecord): boolean {
  return isOnSale(product) && isApproved(seller);
}

/**
 * The product under a slug, its present or a former one: what the slug takes, and what its images take.
 *
 * @throws AppError product_not_found, also for a product that is not public
 */
export async function readPublicProduct(
  products: Pick<ProductRepository, 'findProductAndSellerBySlug'>,
  slug: string,
  findImages: (found: FoundProduct) => Promise<readonly ProductImage[]> = async () => [],
): Promise<PublicProduct> {
  const found = await products.findProductAndSellerBySlug(slug);
  if (!found || !isPublic(found.product, found.seller)) throw new AppError('product_not_found');
  const images = await findImages(found);
  return { ...found.product, sellerDisplayName: found.seller.displayName, ...(images.length > 0 && { images: [...images] }) };
}
