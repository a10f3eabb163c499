import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { getIssuedLicense, LicenseWithActivations } from '../../../shared/licenses/license-service.ts';
import { pageQuery } from '../../../shared/lists.ts';

export const getLicenseRoute = endpoint({
  operationId: 'getLicense',
  method: 'GET',
  path: '/v1/admin/licenses/{license_id}',
  tag: 'Admin',
  summary: 'Shows a license and its activations',
  description: '`limit` and `cursor` page through the activations.',
  audience: 'admin',
  query: z.object(pageQuery),
  success: { status: 200, body: LicenseWithActivations },
  errors: ['license_not_found'],
  handle: ({ params, query }, c: Needs<'table' | 'now'>) => getIssuedLicense(c, params.licenseId, query),
});
