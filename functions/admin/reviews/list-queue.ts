import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { queueKinds } from '../../../shared/db/keys.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../../shared/lists.ts';
import { QueueItem } from '../../../shared/review-queue/queue-item.ts';
import { listQueue } from '../../../shared/review-queue/review-queue.ts';

export const listQueueRoute = endpoint({
  operationId: 'listReviewQueue',
  method: 'GET',
  path: '/v1/admin/queue',
  tag: 'Admin',
  summary: 'Lists what waits for a decision, longest first',
  description:
    'Applications, products, revisions of products on sale, files and releases. The files of a release wait with it. What is not `ready` tells in `blocked_by` what is waited for, or that it is infected.',
  audience: 'admin',
  query: z.object({ ...pageQuery, kind: z.optional(z.enum(queueKinds)) }),
  success: { status: 200, body: pageOf(QueueItem) },
  errors: [],
  handle: ({ query, identity }, c: Needs<'table' | 'REVIEW_DUE_HOURS'>) => listQueue(c, identity, query),
});
