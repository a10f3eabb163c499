import { endpoint } from '../../shared/http/endpoint.ts';
import type { FoundProduct, ProductRepository } from '../../shared/products/product-repository.ts';
import { type ProductImage, PublicProduct, readPublicProduct } from '../../shared/products/public-product.ts';

interface Services {
  products: ProductRepository;
  findImages: (found: FoundProduct) => Promise<ProductImage[]>;
}

export const getPublicProduct = endpoint({
  operationId: 'getPublicProduct',
  method: 'GET',
  path: '/v1/public/products/{slug}',
  tag: 'Storefront',
  summary: 'Shows a product that is on sale',
  description: 'Under its present slug or a former one; the reply names the present one.',
  audience: 'anyone',
  success: { status: 200, body: PublicProduct },
  cacheSeconds: 60,
  errors: ['product_not_found'],
  handle: ({ params }, { products, findImages }: Services) => readPublicProduct(products, params.slug, findImages),
});
