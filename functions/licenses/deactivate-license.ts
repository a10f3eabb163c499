import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deactivateLicense } from '../../shared/licenses/deactivate-license.ts';
import { LicenseDeviceRequest, LicenseRuntimeResponse } from '../../shared/licenses/runtime-license.ts';

export const deactivateLicenseRoute = endpoint({
  operationId: 'deactivateLicense',
  method: 'POST',
  path: '/v1/licenses/deactivate',
  tag: 'Licenses',
  summary: "Frees a device's seat of a license",
  description:
    'Works in every state of the license; `valid` still reflects that state. A device without a seat is answered `not_activated`.',
  audience: 'anyone',
  body: LicenseDeviceRequest,
  success: { status: 200, body: LicenseRuntimeResponse },
  errors: ['deactivation_not_allowed', 'rate_limited'],
  handle: ({ body }, c: Needs<'table' | 'now' | 'LICENSE_PEPPERS' | 'limitInMemory'>) => deactivateLicense(c, body),
});
