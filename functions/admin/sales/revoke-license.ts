import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { IssuedLicense } from '../../../shared/licenses/license.ts';
import { RevokeLicenseRequest, revokeLicense } from '../../../shared/licenses/license-service.ts';

export const revokeLicenseRoute = endpoint({
  operationId: 'revokeLicense',
  method: 'POST',
  path: '/v1/admin/licenses/{license_id}/revoke',
  tag: 'Admin',
  summary: 'Revokes a license for good',
  description:
    'The very next validate and activate refuse it; the record and its activations are kept. `processed` is false when it was revoked before.',
  audience: 'admin',
  bodyKind: 'optional-json',
  body: RevokeLicenseRequest,
  success: { status: 200, body: z.object({ processed: z.boolean(), license: IssuedLicense }) },
  errors: ['license_not_found'],
  handle: ({ params, body, identity }, c: Needs<'table' | 'now'>) => revokeLicense(c, identity.userId, params.licenseId, body),
});
