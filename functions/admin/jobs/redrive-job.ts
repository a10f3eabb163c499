import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { redriveJob } from '../../../shared/jobs/stuck-jobs.ts';
import { nonBlankText } from '../../../shared/schemas.ts';

/** Which job is to be done now. */
export const RedriveJobRequest = z.object({ jobId: nonBlankText(500) });

export const redriveJobRoute = endpoint({
  operationId: 'redriveJob',
  method: 'POST',
  path: '/v1/admin/jobs/redrive',
  tag: 'Admin',
  summary: 'Has a job done now',
  description:
    'A dead job has all its attempts before it again. One that is being done, or that is not to begin yet, is left as it is. A job that is done is not found.',
  audience: 'admin',
  body: RedriveJobRequest,
  success: { status: 202, body: z.object({}) },
  errors: ['job_not_found'],
  handle: ({ body, identity }, c: Needs<'table' | 'now' | 'sendJob'>) => redriveJob(c, identity, body.jobId),
});
