import { isSellable } from '../../shared/checkout/checkout-service.ts';
import type { Needs } from '../../shared/context.ts';
import { liveDiscountsKey } from '../../shared/db/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import { hasLiveDiscount } from '../../shared/discounts/discount.ts';
import { findShownFiles, type VisibleFiles } from '../../shared/product-files/visible-files.ts';
import { previewed, previewPath } from '../../shared/products/previews/preview.ts';
import { findPreview } from '../../shared/products/previews/preview-repository.ts';
import { type FoundProduct, findProductAndSeller, findProductAndSellerBySlug } from '../../shared/products/product-repository.ts';
import { termsRevisionOf } from '../../shared/products/product-states.ts';
import { isPublic, type PublicProduct } from '../../shared/products/public-product.ts';
import { canonicalSlug } from '../../shared/products/slug.ts';
import { type Choice, choose, type PricedChoice, singleUnit } from './checkout/choice.ts';

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
  /** Its slug in the address, which is the one asked for but for how that is written. */
  slug: string;
  /** Where the seller is on the web. */
  siteUrl?: string | undefined;
  /** Whether there is a discount code that may hold. */
  hasDiscounts: boolean;
}

/** The product at this slug, its present or a former one, with its seller, when the public may see it. */
export async function findPublicProduct(c: Needs<'table' | 'slugs'>, slug: string): Promise<FoundProduct | undefined> {
  const found = await findProductAndSellerBySlug(c, slug, liveDiscountsKey);
  return found && isPublic(found.product, found.seller) ? found : undefined;
}

/** The slug under which a product was found: as it was asked for, or as that was meant. */
export const slugUsed = ({ product }: FoundProduct, slug: string): string => (product.slugs.includes(slug) ? slug : canonicalSlug(slug));

async function offerOf(table: Table, { product, seller }: FoundProduct): Promise<ProductOffer> {
  return {
    product,
    termsRevision: termsRevisionOf(product),
    sellerName: seller.displayName,
    registrationNumber: seller.invoiceRegistrationNumber,
    onSale: await isSellable(table, product, seller),
  };
}

/** The same with the price for a quantity and a code. */
export async function findOffer(c: Needs<'table' | 'now' | 'slugs'>, slug: string, choice: Choice): Promise<PricedOffer | undefined> {
  const found = await findPublicProduct(c, slug);
  if (!found) return undefined;
  const [offer, chosen] = await Promise.all([offerOf(c.table, found), choose(c, found.product, choice)]);
  return { ...offer, chosen };
}

/** The same with everything its page shows. A rate-limited caller's code is ignored. */
export async function findProductPage(
  c: Needs<'table' | 'now' | 'slugs'>,
  slug: string,
  choice: Choice,
  limits?: { isLimited: boolean },
): Promise<ProductPage | undefined> {
  const found = await findPublicProduct(c, slug);
  if (!found) return undefined;
  const [offer, chosen, files] = await Promise.all([
    offerOf(c.table, found),
    choose(c, found.product, choice, limits),
    findShownFiles(c.table, found),
  ]);
  const takesCodes = hasLiveDiscount(found.extra, c.now().toISOString());
  return { ...offer, ...files, slug: slugUsed(found, slug), chosen, hasDiscounts: takesCodes, siteUrl: found.seller.siteUrl };
}

/** What the token of a preview opens, as it would be offered. See "Previews" in offers.md */
export async function findPreviewPage(c: Needs<'table' | 'now'>, token: string): Promise<ProductPage | undefined> {
  const preview = await findPreview(c, token);
  const found = preview && (await findProductAndSeller(c.table, preview));
  if (!found) return undefined;
  const { displayName: sellerName, siteUrl, invoiceRegistrationNumber: registrationNumber } = found.seller;
  const product = previewed(found.product, preview);
  const files = await findShownFiles(c.table, found, previewPath(token));
  const offer = { product, termsRevision: product.revision, sellerName, registrationNumber, onSale: false };
  return { ...offer, ...files, slug: product.slug, siteUrl, chosen: singleUnit(product), hasDiscounts: false };
}
