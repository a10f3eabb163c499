import * as z from 'zod/mini';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { IssuedLicense } from '../../../shared/licenses/license.ts';
import { type LicenseService, RevokeLicenseRequest } from '../../../shared/licenses/license-service.ts';

export const revokeLicense = endpoint({
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
  handle: ({ params, body, identity }, { licenses }: { licenses: LicenseService }) =>
    licenses.revokeLicense(identity.userId, params.licenseId, body),
});
