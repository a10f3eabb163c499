import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { showOwnSeller } from '../../shared/overview/next-steps.ts';
import { Seller } from '../../shared/sellers/seller.ts';
import { UpdateSellerRequest } from '../../shared/sellers/seller-requests.ts';
import { updateOwnSeller } from '../../shared/sellers/seller-service.ts';

export const updateOwnSellerRoute = endpoint({
  operationId: 'updateOwnSeller',
  method: 'PATCH',
  path: '/v1/sellers/me',
  tag: 'Sellers',
  summary: 'Changes where the own seller is reached, and the number of its invoices',
  description: 'In every state but rejected and suspended, and without another review. What is left out stays.',
  audience: 'seller',
  body: UpdateSellerRequest,
  success: { status: 200, body: Seller },
  errors: ['seller_not_found', 'seller_not_eligible'],
  handle: async ({ body, identity }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) =>
    showOwnSeller(c, await updateOwnSeller(c, identity.userId, body)),
});
