import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { showOwnSeller } from '../../shared/overview/next-steps.ts';
import { Seller } from '../../shared/sellers/seller.ts';
import { getSellerOfUser } from '../../shared/sellers/seller-repository.ts';

export const getOwnSellerRoute = endpoint({
  operationId: 'getOwnSeller',
  method: 'GET',
  path: '/v1/sellers/me',
  tag: 'Sellers',
  summary: "Shows the caller's own seller",
  description: 'With the state of its review and of its account at the payment provider.',
  audience: 'seller',
  success: { status: 200, body: Seller },
  errors: ['seller_not_found'],
  handle: async ({ identity }, c: Needs<'table' | 'REVIEW_DUE_HOURS'>) => showOwnSeller(c, await getSellerOfUser(c.table, identity.userId)),
});
