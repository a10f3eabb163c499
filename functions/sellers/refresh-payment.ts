import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { showOwnSeller } from '../../shared/overview/next-steps.ts';
import { Seller } from '../../shared/sellers/seller.ts';
import { refreshOwnSeller } from '../../shared/sellers/seller-onboarding.ts';

export const refreshPaymentRoute = endpoint({
  operationId: 'refreshPayment',
  method: 'POST',
  path: '/v1/sellers/payment/refresh',
  tag: 'Sellers',
  summary: 'Retrieves the connected payment account and updates the payment fields',
  description: 'Only the payment fields change. Nothing else that the provider knows is shown.',
  audience: 'seller',
  success: { status: 200, body: Seller },
  errors: ['payment_account_missing', 'seller_not_found'],
  handle: async ({ identity }, c: Needs<'table' | 'now' | 'provider' | 'REVIEW_DUE_HOURS'>) =>
    showOwnSeller(c, await refreshOwnSeller(c, identity.userId)),
});
