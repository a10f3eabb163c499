import type { CheckoutService } from '../../shared/orders/checkout-service.ts';
import type { ProductRepository } from '../../shared/products/product-repository.ts';
import { isPublic } from '../../shared/products/public-product.ts';
import type { Offer } from './offer.ts';

/** The product at this slug, when the public may see it. */
export type FindOffer = (slug: string) => Promise<Offer | undefined>;

/** Reads what a product's page shows: under its present slug or a former one, if the public may see it. */
export function createFindOffer(dependencies: {
  products: Pick<ProductRepository, 'findProductAndSellerBySlug'>;
  checkout: Pick<CheckoutService, 'isSellable'>;
}): FindOffer {
  const { products, checkout } = dependencies;
  return async (slug) => {
    const found = await products.findProductAndSellerBySlug(slug);
    if (!found || !isPublic(found.product, found.seller)) return undefined;
    const { product, seller } = found;
    return { product, sellerName: seller.displayName, onSale: await checkout.isSellable(product, seller) };
  };
}
