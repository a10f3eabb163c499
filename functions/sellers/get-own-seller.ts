import { endpoint } from '../../shared/http/endpoint.ts';
import type { ShowOwnSeller } from '../../shared/overview/next-steps.ts';
import { Seller } from '../../shared/sellers/seller.ts';
import type { SellerService } from '../../shared/sellers/seller-service.ts';

export const getOwnSeller = endpoint({
  operationId: 'getOwnSeller',
  method: 'GET',
  path: '/v1/sellers/me',
  tag: 'Sellers',
  summary: "Shows the caller's own seller",
  description: 'With the state of its review and of its account at the payment provider.',
  audience: 'seller',
  success: { status: 200, body: Seller },
  errors: ['seller_not_found'],
  handle: async ({ identity }, { sellers, showOwnSeller }: { sellers: SellerService; showOwnSeller: ShowOwnSeller }) =>
    showOwnSeller(await sellers.getOwnSeller(identity.userId)),
});
