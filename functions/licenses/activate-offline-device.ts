import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { activateOfflineDevice } from '../../shared/licenses/activate-license.ts';
import { LicenseRuntimeResponse, OfflineActivationRequest } from '../../shared/licenses/runtime-license.ts';

export const activateOfflineDeviceRoute = endpoint({
  operationId: 'activateOfflineDevice',
  method: 'POST',
  path: '/v1/licenses/offline-activations',
  tag: 'Licenses',
  summary: 'Gives a seat, and a lease to carry back, to a device without network',
  description:
    'As activate, for the device whose app made the request code. The lease lasts as long as the terms of the license say for such devices.',
  audience: 'anyone',
  sensitive: true,
  rateLimit: 'offline',
  body: OfflineActivationRequest,
  success: { status: 200, body: LicenseRuntimeResponse },
  errors: ['activation_limit_exceeded', 'offline_not_offered'],
  handle: ({ body }, c: Needs<'table' | 'now' | 'issueLease' | 'issueUpdateFeed' | 'LICENSE_PEPPERS' | 'limitInMemory'>) =>
    activateOfflineDevice(c, body),
});
