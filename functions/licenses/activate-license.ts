import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { activateLicense } from '../../shared/licenses/activate-license.ts';
import { LicenseDeviceRequest, LicenseRuntimeResponse } from '../../shared/licenses/runtime-license.ts';

export const activateLicenseRoute = endpoint({
  operationId: 'activateLicense',
  method: 'POST',
  path: '/v1/licenses/activate',
  tag: 'Licenses',
  summary: 'Gives a device a seat of a license',
  description:
    'For the first entry of a license key. A device that has a seat keeps it and takes no other. A license that may not be used is answered with 200, `valid: false` and the reason in `code`.',
  audience: 'anyone',
  sensitive: true,
  body: LicenseDeviceRequest,
  success: { status: 200, body: LicenseRuntimeResponse },
  errors: ['activation_limit_exceeded', 'rate_limited'],
  handle: ({ body }, c: Needs<'table' | 'now' | 'issueLease' | 'issueUpdateFeed' | 'LICENSE_PEPPERS' | 'limitInMemory'>) =>
    activateLicense(c, body),
});
