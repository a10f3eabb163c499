import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { countJobs } from '../../shared/jobs/stuck-jobs.ts';
import { countBouncedMails } from '../../shared/mail/outbox/mail-repository.ts';
import { QueueCounts } from '../../shared/review-queue/queue-item.ts';
import { countQueue, maxCounted } from '../../shared/review-queue/review-queue.ts';

/** For how long a bounced mail is counted. */
const bouncedMs = 7 * 24 * 3600_000;

/** What waits for admins, and what needs repair. */
export const AdminOverview = z.object({
  queue: QueueCounts,
  jobs: z.object({ dead: z.int(), late: z.int() }),
  bouncedMails: z.int(),
});

export const getOverviewRoute = endpoint({
  operationId: 'getAdminOverview',
  method: 'GET',
  path: '/v1/admin/overview',
  tag: 'Admin',
  summary: 'Counts what waits for admins, and what is amiss',
  description: 'No count goes beyond 999. Bounced mails are those to buyers of the last seven days.',
  audience: 'admin',
  success: { status: 200, body: AdminOverview },
  errors: [],
  async handle(_, c: Needs<'table' | 'now'>) {
    const weekAgo = new Date(c.now().getTime() - bouncedMs).toISOString();
    const [queue, jobCounts, bouncedMails] = await Promise.all([
      countQueue(c.table),
      countJobs(c, maxCounted),
      countBouncedMails(c.table, weekAgo, maxCounted),
    ]);
    return { queue, jobs: jobCounts, bouncedMails };
  },
});
