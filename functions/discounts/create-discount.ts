import type { Needs } from '../../shared/context.ts';
import { Discount } from '../../shared/discounts/discount.ts';
import { CreateDiscountRequest } from '../../shared/discounts/discount-request.ts';
import { createDiscount } from '../../shared/discounts/discount-service.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const createDiscountRoute = endpoint({
  operationId: 'createDiscount',
  method: 'POST',
  path: '/v1/products/{product_id}/discounts',
  tag: 'Discounts',
  summary: 'Makes a discount that buyers ask for by its code',
  description:
    'It holds from `starts_at` until `ends_at`, until it is ended or used up, and as long as the product is sold in its currency. Nobody reviews it, and nothing of it can be changed later. A code belongs to its discount for good, and no other discount of the product gets it again. A product, in any state but suspended, has at most 200 that are not ended. Carts that nobody pays hold a redemption of a limited code until their session ends, and a script can use up a code of 100 percent: give such codes to few.',
  audience: 'seller',
  tokenScopes: ['discounts:write'],
  body: CreateDiscountRequest,
  success: { status: 201, body: Discount },
  errors: ['product_not_found', 'forbidden', 'seller_not_eligible', 'product_suspended', 'discount_code_taken', 'too_many_discounts'],
  handle: ({ body, identity, params }, c: Needs<'table' | 'now'>) => createDiscount(c, identity, params.productId, body),
});
