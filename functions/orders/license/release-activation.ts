import { endpoint } from '../../../shared/http/endpoint.ts';
import { IssuedLicense } from '../../../shared/licenses/license.ts';
import { type SoldLicenses, soldLicenseErrors } from './find-sold-license.ts';

export const releaseActivation = endpoint({
  operationId: 'releaseSoldActivation',
  method: 'POST',
  path: '/v1/orders/{order_id}/activations/{activation_id}/release',
  tag: 'Orders',
  summary: 'Frees the seat of a device that the buyer cannot deactivate any more',
  description:
    'Also where the terms of the license forbid deactivation, and without using up a release of the buyer’s. Releasing a seat that is free changes nothing.',
  audience: 'seller',
  success: { status: 200, body: IssuedLicense },
  errors: [...soldLicenseErrors, 'activation_not_found'],
  handle: async ({ params, identity }, { findSoldLicense, licenses }: SoldLicenses) => {
    const { licenseId, actor } = await findSoldLicense(identity.userId, params.orderId);
    return licenses.releaseActivation(actor, licenseId, params.activationId);
  },
});
