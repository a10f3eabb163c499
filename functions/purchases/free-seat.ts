import { authorizePurchase, credentialErrors, TokenCredential } from '../../shared/buyer-access/authorize-purchase.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { DeviceRelease, freeDeviceSeat } from '../../shared/licenses/buyers/buyer-license-service.ts';

export const releaseDeviceRoute = endpoint({
  operationId: 'releaseBuyerDevice',
  method: 'POST',
  path: '/v1/purchases/devices/{activation_id}/release',
  tag: 'Purchases',
  summary: 'Frees the seat of a device, for a buyer who has it no more',
  description:
    'Works in every state of the license, unless its terms forbid deactivation. A device that has no seat any more stays without, and counts no move.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: TokenCredential,
  success: { status: 200, body: DeviceRelease },
  sensitive: true,
  errors: [...credentialErrors, 'license_not_usable', 'deactivation_not_allowed', 'activation_not_found', 'moves_exhausted'],
  handle: async ({ body: { token }, params }, c: Needs<'table' | 'now' | 'sendJob' | 'BUYER_MOVES' | 'ENCRYPTION_KEYS' | 'TOKEN_KEYS'>) => {
    return freeDeviceSeat(c, await authorizePurchase(c, { token }), params.activationId);
  },
});
