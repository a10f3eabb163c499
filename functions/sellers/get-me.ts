import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { isAdmin } from '../../shared/http/callers/authenticate.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idOf } from '../../shared/ids.ts';
import { findSellerOfUser } from '../../shared/sellers/seller-repository.ts';

/** Who calls, and what they may be here. */
export const Me = z.object({
  userId: z.string(),
  email: z.optional(z.string()),
  roles: z.array(z.enum(['seller', 'admin'])),
  sellerId: z.optional(idOf('seller')),
});

export const getMeRoute = endpoint({
  operationId: 'getMe',
  method: 'GET',
  path: '/v1/me',
  tag: 'Sellers',
  summary: 'Shows who the caller is',
  description:
    'With `seller` among the roles of a user who applied to sell, however far the review is, and `admin` of one on the allowlist. The address is there only if the identity provider vouches for it.',
  audience: 'seller',
  success: { status: 200, body: Me },
  errors: [],
  handle: async ({ identity }, c: Needs<'table' | 'ADMIN_ALLOWLIST'>) => {
    const seller = await findSellerOfUser(c.table, identity.userId);
    const roles = [...(seller ? ['seller'] : []), ...(isAdmin(identity, c.settings.ADMIN_ALLOWLIST) ? ['admin'] : [])];
    return { ...identity, roles, sellerId: seller?.id };
  },
});
