import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { showOwnSeller } from '../../shared/overview/next-steps.ts';
import { Seller } from '../../shared/sellers/seller.ts';
import { CreateSellerRequest } from '../../shared/sellers/seller-requests.ts';
import { applyAsSeller } from '../../shared/sellers/seller-service.ts';

export const createSellerRoute = endpoint({
  operationId: 'createSeller',
  method: 'POST',
  path: '/v1/sellers',
  tag: 'Sellers',
  summary: 'Applies to sell, or hands the application in again',
  description:
    'A user has one seller. While it is neither approved nor suspended, another request changes the application and reviews start anew.',
  audience: 'seller',
  body: CreateSellerRequest,
  success: { status: 201, body: Seller },
  errors: ['seller_application_closed'],
  handle: async ({ body, identity }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) =>
    showOwnSeller(c, await applyAsSeller(c, identity, body)),
});
