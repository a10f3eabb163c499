import * as z from 'zod/mini';
import { authorizePurchase, credentialErrors, TokenCredential } from '../../shared/buyer-access/authorize-purchase.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { BuyerDevices, listBuyerDevices } from '../../shared/licenses/buyers/buyer-license-service.ts';
import { nonBlankText } from '../../shared/schemas.ts';

export const BuyerDevicesRequest = z.extend(TokenCredential, { cursor: z.optional(nonBlankText(1024)) });

export const listDevicesRoute = endpoint({
  operationId: 'listBuyerDevices',
  method: 'POST',
  path: '/v1/purchases/devices',
  tag: 'Purchases',
  summary: 'Lists the devices that have a seat of the purchased license, newest first, 50 a page',
  description:
    '`moves_left` says how many of them the buyer may release now, `moves_reset_at` when the oldest release counts no more; it is absent while none counts.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: BuyerDevicesRequest,
  success: { status: 200, body: BuyerDevices },
  sensitive: true,
  errors: [...credentialErrors, 'license_not_usable'],
  handle: async ({ body: { token, cursor } }, c: Needs<'table' | 'now' | 'BUYER_MOVES' | 'ENCRYPTION_KEYS' | 'TOKEN_KEYS'>) => {
    const { order } = await authorizePurchase(c, { token });
    return listBuyerDevices(c, order, cursor);
  },
});
