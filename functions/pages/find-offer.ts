import { liveDiscountsKey } from '../../shared/db/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import { isAnyLive } from '../../shared/discounts/discount.ts';
import type { CheckoutService } from '../../shared/orders/checkout-service.ts';
import type { FindShownFiles } from '../../shared/product-files/shown-files.ts';
import { previewed, previewPath } from '../../shared/products/previews/preview.ts';
import type { PreviewRepository } from '../../shared/products/previews/preview-repository.ts';
import { createProductRepository, type FoundProduct } from '../../shared/products/product-repository.ts';
import { termsRevisionOf } from '../../shared/products/product-states.ts';
import { isPublic } from '../../shared/products/public-product.ts';
import type { Offer, PricedOffer, ProductPage } from './offer.ts';
import { type Choice, createChoose, oneOf } from './ordering/choice.ts';

/** The product at this slug, its present or a former one, with its seller, when the public may see it. */
export type FindPublicProduct = (slug: string) => Promise<FoundProduct | undefined>;
/** The same as it is offered to who asks for so many with a code. */
export type FindOffer = (slug: string, choice: Choice) => Promise<PricedOffer | undefined>;
/** The same with what its own page shows besides. A limited caller's code is not looked at. */
export type FindProductPage = (slug: string, choice: Choice, options?: { isLimited: boolean }) => Promise<ProductPage | undefined>;

/** What the token of a preview opens, as it would be offered. */
export type FindPreviewPage = (token: string) => Promise<ProductPage | undefined>;

/** Reads what the pages show of a product. */
export function createOffers(options: {
  table: Table;
  checkout: Pick<CheckoutService, 'isSellable' | 'findPriceOf'>;
  findShownFiles: FindShownFiles;
  now: () => Date;
}): {
  findPublicProduct: FindPublicProduct;
  findOffer: FindOffer;
  findProductPage: FindProductPage;
} {
  const { table, checkout, findShownFiles, now } = options;
  const products = createProductRepository({ table, beside: liveDiscountsKey });
  const choose = createChoose(checkout);

  async function findPublicProduct(slug: string): Promise<FoundProduct | undefined> {
    const found = await products.findProductAndSellerBySlug(slug);
    return found && isPublic(found.product, found.seller) ? found : undefined;
  }

  async function offerOf({ product, seller }: FoundProduct): Promise<Offer> {
    return {
      product,
      termsRevision: termsRevisionOf(product),
      sellerName: seller.displayName,
      registrationNumber: seller.invoiceRegistrationNumber,
      onSale: await checkout.isSellable(product, seller),
    };
  }

  return {
    findPublicProduct,

    async findOffer(slug, choice) {
      const found = await findPublicProduct(slug);
      if (!found) return undefined;
      const [offer, chosen] = await Promise.all([offerOf(found), choose(found.product, choice)]);
      return { ...offer, chosen };
    },

    async findProductPage(slug, choice, limits) {
      const found = await findPublicProduct(slug);
      if (!found) return undefined;
      const [offer, chosen, files] = await Promise.all([offerOf(found), choose(found.product, choice, limits), findShownFiles(found)]);
      const takesCodes = isAnyLive(found.beside, now().toISOString());
      return { ...offer, ...files, chosen, takesCodes, siteUrl: found.seller.siteUrl };
    },
  };
}

/** Reads what previews show. See "Previews" in README.md */
export function createFindPreviewPage(options: {
  table: Table;
  findShownFiles: FindShownFiles;
  previews: Pick<PreviewRepository, 'findPreview'>;
}): FindPreviewPage {
  const { table, findShownFiles, previews } = options;
  const products = createProductRepository({ table });
  return async (token) => {
    const preview = await previews.findPreview(token);
    const found = preview && (await products.findProductAndSeller(preview));
    if (!found) return undefined;
    const { displayName: sellerName, siteUrl, invoiceRegistrationNumber: registrationNumber } = found.seller;
    const product = previewed(found.product, preview);
    const files = await findShownFiles(found, previewPath(token));
    const offer = { product, termsRevision: product.revision, sellerName, registrationNumber, onSale: false };
    return { ...offer, ...files, siteUrl, chosen: oneOf(product), takesCodes: false };
  };
}
