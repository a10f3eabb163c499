import * as z from 'zod/mini';
import { AuditRecord } from '../../shared/audit/audit.ts';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';
import { nonBlankText } from '../../shared/schemas.ts';

export const listAuditRoute = endpoint({
  operationId: 'listAudit',
  method: 'GET',
  path: '/v1/admin/audit',
  tag: 'Admin',
  summary: 'Lists who did what, newest first',
  description: 'Of one target with `target_id`, else of all.',
  audience: 'admin',
  query: z.object({ targetId: z.optional(nonBlankText(64)), ...pageQuery }),
  success: { status: 200, body: pageOf(AuditRecord) },
  errors: [],
  handle: ({ query }, c: Needs<'table'>) => listAudit(c.table, query),
});
