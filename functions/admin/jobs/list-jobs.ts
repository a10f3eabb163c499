import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { JobSummary, jobListStates, listJobs } from '../../../shared/jobs/stuck-jobs.ts';
import { pageOf, pageQuery } from '../../../shared/lists.ts';

export const listJobsRoute = endpoint({
  operationId: 'listJobs',
  method: 'GET',
  path: '/v1/admin/jobs',
  tag: 'Admin',
  summary: 'Lists work of the service that was given up or is late',
  description:
    'First what is `dead`: given up after a day of attempts, or at once where no attempt could help. Then what is `late`: due for ten minutes and not begun. `state` asks for one of them.',
  audience: 'admin',
  query: z.object({ ...pageQuery, state: z.optional(z.enum(jobListStates)) }),
  success: { status: 200, body: pageOf(JobSummary) },
  errors: [],
  handle: ({ query }, c: Needs<'table' | 'now'>) => listJobs(c, query),
});
