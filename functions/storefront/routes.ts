import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { CheckoutService } from '../../shared/orders/checkout-service.ts';
import type { ProductRepository } from '../../shared/products/product-repository.ts';
import { createCheckout } from './create-checkout.ts';
import { getPublicProduct } from './get-public-product.ts';

export interface StorefrontServices {
  products: Pick<ProductRepository, 'findProductAndSellerBySlug'>;
  checkout: CheckoutService;
}

export const routes: readonly Endpoint<StorefrontServices>[] = [getPublicProduct, createCheckout];
