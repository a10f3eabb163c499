import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { SellerOnboarding } from '../../shared/sellers/seller-onboarding.ts';

const AccountLink = z.object({ url: z.url().register(z.globalRegistry, { format: 'uri' }) });

export const createAccountLink = endpoint({
  operationId: 'createAccountLink',
  method: 'POST',
  path: '/v1/sellers/payment/account-link',
  tag: 'Sellers',
  summary: 'Makes a fresh link to the hosted payment onboarding',
  description: 'Opens the connected payment account the first time. A link is good for one visit, within minutes.',
  audience: 'seller',
  success: { status: 200, body: AccountLink },
  sensitive: true,
  errors: ['invalid_request', 'seller_not_found', 'onboarding_link_conflict'],
  handle: async ({ identity }, { onboarding }: { onboarding: SellerOnboarding }) => ({
    url: await onboarding.createAccountLink(identity.userId),
  }),
});
