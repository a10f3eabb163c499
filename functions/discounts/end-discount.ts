import type { Needs } from '../../shared/context.ts';
import { Discount } from '../../shared/discounts/discount.ts';
import { endDiscount } from '../../shared/discounts/discount-service.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const endDiscountRoute = endpoint({
  operationId: 'endDiscount',
  method: 'POST',
  path: '/v1/products/{product_id}/discounts/{discount_id}/end',
  tag: 'Discounts',
  summary: 'Ends a discount',
  description:
    'From now on no order is made with it. Orders that were made with it keep it. It works for a suspended product too; again it changes nothing.',
  audience: 'seller',
  tokenScopes: ['discounts:write'],
  success: { status: 200, body: Discount },
  errors: ['product_not_found', 'forbidden', 'seller_not_eligible', 'discount_not_found'],
  handle: ({ identity, params }, c: Needs<'table' | 'now'>) => endDiscount(c, identity, params.productId, params.discountId),
});
