import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Product, ProductUpsertRequest, productRequests } from '../../shared/products/product.ts';
import { createProduct } from '../../shared/products/product-service.ts';

type CreateNeeds = Needs<'table' | 'now' | 'PUBLIC_BASE_URL' | 'REVIEW_DUE_HOURS' | 'CURRENCIES'>;

export const createProductRoute = endpoint({
  operationId: 'createProduct',
  method: 'POST',
  path: '/v1/products',
  tag: 'Products',
  summary: 'Makes a product draft and reserves its slug',
  description:
    'The slug comes from the name and is unique among all sellers. Two creations of one slug at once: one is made. A seller that was never approved has at most 10 products, any other 100.',
  audience: 'seller',
  tokenScopes: ['products:write'],
  body: ProductUpsertRequest,
  bodyFor: ({ settings }: CreateNeeds) => productRequests(settings.CURRENCIES).create,
  success: { status: 201, body: Product },
  errors: ['seller_required', { code: 'seller_not_eligible', status: 400 }, 'too_many_products', 'slug_reserved'],
  handle: ({ body, identity }, c: CreateNeeds) => createProduct(c, identity, body),
});
