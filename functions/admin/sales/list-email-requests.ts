import * as z from 'zod/mini';
import { EmailRequest } from '../../../shared/buyer-email/email-request.ts';
import { listEmailRequests } from '../../../shared/buyer-email/email-request-service.ts';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../../shared/lists.ts';

export const listEmailRequestsRoute = endpoint({
  operationId: 'listEmailRequests',
  method: 'GET',
  path: '/v1/admin/email-requests',
  tag: 'Admin',
  summary: 'Lists what sellers ask for buyers’ addresses, oldest first',
  description:
    'Those that wait for a decision. Of the addresses the first character and the domain are shown; orders without a known address have no present one.',
  audience: 'admin',
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(EmailRequest) },
  errors: [],
  handle: ({ query }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>) => listEmailRequests(c, query),
});
