import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { IssuedLicense } from '../../../shared/licenses/license.ts';
import { ChangeLicenseRequest, changeLicenseTerms } from '../../../shared/licenses/license-service.ts';
import { findSoldLicense, soldLicenseErrors } from './find-sold-license.ts';

export const changeLicenseRoute = endpoint({
  operationId: 'changeLicense',
  method: 'PATCH',
  path: '/v1/orders/{order_id}/license',
  tag: 'Orders',
  summary: 'Changes on how many devices the license of a sale may be active, and until when its updates come',
  description:
    'A lower limit takes no device its seat: more may be active than it allows, until they leave, and no other takes a seat meanwhile. `updates_until` only moves later, to 36,500 days after `issued_at` at most; of a license whose updates are without end it cannot be given. Leases that run keep the time they were made with. Paid additions, and refunds of them, move both on from what is set here. What is asked for as it is changes nothing.',
  audience: 'seller',
  tokenScopes: ['orders:write'],
  body: ChangeLicenseRequest,
  success: { status: 200, body: IssuedLicense },
  errors: soldLicenseErrors,
  handle: async ({ params, body, identity }, c: Needs<'table' | 'now'>) => {
    const { licenseId, actor } = await findSoldLicense(c.table, identity, params.orderId);
    return changeLicenseTerms(c, actor, licenseId, body);
  },
});
