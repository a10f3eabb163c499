import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import { idOf } from '../ids.ts';
import { storedUri } from '../schemas.ts';
import { isApproved, type SellerRecord } from '../sellers/seller.ts';
import { publicFields } from './fields.ts';
import type { ProductRecord } from './product.ts';
import type { FoundProduct } from './product-repository.ts';
import { findProductAndSellerBySlug } from './product-repository.ts';
import { isOnSale } from './product-states.ts';

const ProductImage = z.object({ url: storedUri, width: z.int(), height: z.int() });

export type ProductImage = z.infer<typeof ProductImage>;

/** What the interface does not promise of the terms, though every product has it. */
const unpromised = { licenseIssuanceMode: true, activationLimit: true, features: true } as const;

const { name, description, priceAmount, currency, tokushohoSellerName, tokushohoContact, tokushohoAddress, ...terms } = z.partial(
  z.object(publicFields),
  unpromised,
).shape;

/** What anyone may know of a product. */
export const PublicProduct = z.object({
  id: idOf('product'),
  slug: z.string(),
  name,
  description,
  priceAmount,
  currency,
  sellerDisplayName: z.string(),
  sellerInvoiceRegistrationNumber: z.optional(z.string()),
  ...terms,
  images: z.optional(z.array(ProductImage)),
  tokushohoSellerName,
  tokushohoContact,
  tokushohoAddress,
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
  c: Needs<'table' | 'slugs'>,
  slug: string,
  findImages: (found: FoundProduct) => Promise<readonly ProductImage[]> = async () => [],
): Promise<PublicProduct> {
  const found = await findProductAndSellerBySlug(c, slug);
  if (!found || !isPublic(found.product, found.seller)) throw new AppError('product_not_found');
  const images = await findImages(found);
  const { displayName: sellerDisplayName, invoiceRegistrationNumber: sellerInvoiceRegistrationNumber } = found.seller;
  return { ...found.product, sellerDisplayName, sellerInvoiceRegistrationNumber, ...(images.length > 0 && { images: [...images] }) };
}
