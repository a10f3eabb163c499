import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createAccountLink } from '../../shared/sellers/seller-onboarding.ts';

const AccountLink = z.object({ url: z.url().register(z.globalRegistry, { format: 'uri' }) });

export const createAccountLinkRoute = endpoint({
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
  handle: async (
    { identity },
    c: Needs<'table' | 'now' | 'provider' | 'CONSOLE_CLIENT_ID' | 'PAYMENT_ACCOUNT_COUNTRY' | 'PUBLIC_BASE_URL' | 'STAGE'>,
  ) => ({
    url: await createAccountLink(c, identity.userId),
  }),
});
