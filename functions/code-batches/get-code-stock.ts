import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { CodeStock, getStock } from '../../shared/overview/code-stock-service.ts';

export const getCodeStockRoute = endpoint({
  operationId: 'getCodeStock',
  method: 'GET',
  path: '/v1/products/{product_id}/code-stock',
  tag: 'Code batches',
  summary: 'Shows how many imported codes of a product are left',
  description:
    'And how many were sold, and how many paid orders wait for one. Codes that were set aside, because a license of the product had them already, count as neither.',
  audience: 'seller',
  tokenScopes: ['products:read'],
  success: { status: 200, body: CodeStock },
  errors: ['product_not_found', 'forbidden', 'wrong_issuance_mode'],
  handle: ({ identity, params }, c: Needs<'table'>) => getStock(c.table, identity, params.productId),
});
