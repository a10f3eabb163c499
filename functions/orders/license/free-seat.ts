import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { IssuedLicense } from '../../../shared/licenses/license.ts';
import { freeActivationSeat } from '../../../shared/licenses/license-service.ts';
import { findSoldLicense, soldLicenseErrors } from './find-sold-license.ts';

export const releaseActivationRoute = endpoint({
  operationId: 'releaseSoldActivation',
  method: 'POST',
  path: '/v1/orders/{order_id}/activations/{activation_id}/release',
  tag: 'Orders',
  summary: 'Frees the seat of a device that the buyer cannot deactivate any more',
  description:
    'Also where the terms of the license forbid deactivation, and without using up a release of the buyer’s. Releasing a seat that is free changes nothing.',
  audience: 'seller',
  tokenScopes: ['orders:write'],
  success: { status: 200, body: IssuedLicense },
  errors: [...soldLicenseErrors, 'activation_not_found'],
  handle: async ({ params, identity }, c: Needs<'table' | 'now'>) => {
    const { licenseId, actor } = await findSoldLicense(c.table, identity, params.orderId);
    return freeActivationSeat(c, actor, licenseId, params.activationId);
  },
});
