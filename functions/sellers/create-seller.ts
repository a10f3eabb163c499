import { endpoint } from '../../shared/http/endpoint.ts';
import type { ShowOwnSeller } from '../../shared/overview/next-steps.ts';
import { Seller } from '../../shared/sellers/seller.ts';
import { CreateSellerRequest } from '../../shared/sellers/seller-requests.ts';
import type { SellerService } from '../../shared/sellers/seller-service.ts';

export const createSeller = endpoint({
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
  handle: async ({ body, identity }, { sellers, showOwnSeller }: { sellers: SellerService; showOwnSeller: ShowOwnSeller }) =>
    showOwnSeller(await sellers.apply(identity, body)),
});
