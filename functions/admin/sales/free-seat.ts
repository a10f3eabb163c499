import { adminActor } from '../../../shared/audit/actor.ts';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { IssuedLicense } from '../../../shared/licenses/license.ts';
import { freeActivationSeat } from '../../../shared/licenses/license-service.ts';

export const releaseActivationRoute = endpoint({
  operationId: 'releaseActivation',
  method: 'POST',
  path: '/v1/admin/licenses/{license_id}/activations/{activation_id}/release',
  tag: 'Admin',
  summary: 'Frees the seat of a device that the buyer cannot deactivate any more',
  description: 'Also where the terms of the license forbid deactivation. Releasing a seat that is free changes nothing.',
  audience: 'admin',
  success: { status: 200, body: IssuedLicense },
  errors: ['license_not_found', 'activation_not_found'],
  handle: ({ params, identity }, c: Needs<'table' | 'now'>) =>
    freeActivationSeat(c, adminActor(identity.userId), params.licenseId, params.activationId),
});
