import { endpoint } from '../../shared/http/endpoint.ts';
import { Product, ProductUpsertRequest } from '../../shared/products/product.ts';
import type { ProductServices } from './routes.ts';

export const createProduct = endpoint({
  operationId: 'createProduct',
  method: 'POST',
  path: '/v1/products',
  tag: 'Products',
  summary: 'Makes a product draft and reserves its slug',
  description: 'The slug comes from the name and is unique among all sellers. Two creations of one slug at once: one is made.',
  audience: 'seller',
  body: ProductUpsertRequest,
  bodyFor: ({ upsertRequest }: ProductServices) => upsertRequest,
  success: { status: 201, body: Product },
  errors: ['seller_required', { code: 'seller_not_eligible', status: 400 }, 'too_many_products', 'slug_reserved'],
  handle: ({ body, identity }, { products }: ProductServices) => products.createProduct(identity.userId, body),
});
