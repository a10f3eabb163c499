import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { IssuedLicense } from '../../../shared/licenses/license.ts';
import { reinstateLicense, SuspendLicenseRequest, suspendLicense } from '../../../shared/licenses/license-service.ts';
import { findSoldLicense, soldLicenseErrors } from './find-sold-license.ts';

export const suspendLicenseRoute = endpoint({
  operationId: 'suspendLicense',
  method: 'POST',
  path: '/v1/orders/{order_id}/license/suspend',
  tag: 'Orders',
  summary: 'Suspends the license of a sale until it is reinstated',
  description:
    'The very next validate and activate refuse it as `license_suspended`; devices keep their seats, and leases given before end at their time. A license that is revoked, refunded or disputed shows that first. Again it changes nothing.',
  audience: 'seller',
  tokenScopes: ['orders:write'],
  bodyKind: 'optional-json',
  body: SuspendLicenseRequest,
  success: { status: 200, body: IssuedLicense },
  errors: soldLicenseErrors,
  handle: async ({ params, body, identity }, c: Needs<'table' | 'now'>) => {
    const { licenseId, actor } = await findSoldLicense(c.table, identity, params.orderId);
    return suspendLicense(c, actor, licenseId, body);
  },
});

export const reinstateLicenseRoute = endpoint({
  operationId: 'reinstateLicense',
  method: 'POST',
  path: '/v1/orders/{order_id}/license/reinstate',
  tag: 'Orders',
  summary: 'Ends the suspension of the license of a sale',
  description: 'It is worth again what it was worth before; its devices have their seats. Again it changes nothing.',
  audience: 'seller',
  tokenScopes: ['orders:write'],
  success: { status: 200, body: IssuedLicense },
  errors: soldLicenseErrors,
  handle: async ({ params, identity }, c: Needs<'table' | 'now'>) => {
    const { licenseId, actor } = await findSoldLicense(c.table, identity, params.orderId);
    return reinstateLicense(c, actor, licenseId);
  },
});
