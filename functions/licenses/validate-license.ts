import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LicenseRuntimeRequest, LicenseRuntimeResponse } from '../../shared/licenses/runtime-license.ts';
import { validateLicense } from '../../shared/licenses/validate-license.ts';

export const validateLicenseRoute = endpoint({
  operationId: 'validateLicense',
  method: 'POST',
  path: '/v1/licenses/validate',
  tag: 'Licenses',
  summary: 'Checks whether a license may be used now',
  description:
    'For the start of an app and for periodic checks. Changes nothing. A license that may not be used is answered with 200, `valid: false` and the reason in `code`.',
  audience: 'anyone',
  sensitive: true,
  body: LicenseRuntimeRequest,
  success: { status: 200, body: LicenseRuntimeResponse },
  errors: ['rate_limited'],
  handle: ({ body }, c: Needs<'table' | 'now' | 'issueLease' | 'issueUpdateFeed' | 'LICENSE_PEPPERS' | 'limitInMemory'>) =>
    validateLicense(c, body),
});
