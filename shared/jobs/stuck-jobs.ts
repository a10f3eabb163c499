/** Lists dead and late jobs for admins, and redrives them. */

import * as z from 'zod/mini';
import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { decodeCursor, encodeCursor, invalidCursor } from '../db/cursor.ts';
import { lockConflict, retryOptimisticLock } from '../db/optimistic-lock.ts';
import { mapPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { requireFound } from '../errors.ts';
import { dateTime } from '../schemas.ts';
import { countDeadJobs, listDeadJobs, redriveDead } from './dead-job-repository.ts';
import type { Job, JobProgress } from './job.ts';
import { findJob, findLateJobs, lateJobPlace, makeJobDue } from './late-job-repository.ts';
import { jobIdFields } from './new-job.ts';

export const jobListStates = ['dead', 'late'] as const;

export type JobListState = (typeof jobListStates)[number];

/** A job that is dead or late, as admins see it. */
export const JobSummary = z.object({
  id: z.string(),
  kind: z.string(),
  /** What it is about. */
  targetId: z.string(),
  attempts: z.int(),
  lastFailure: z.optional(z.string()),
  createdAt: dateTime,
  /** Since when it is due; of a dead one, when it last was. */
  dueAt: dateTime,
});
export type JobSummary = z.infer<typeof JobSummary>;

/** Which id of a job tells what it is about, where that is not the last. */
const targetNames: Readonly<Record<string, string>> = { 'send-mail': 'orderId', 'send-review-notice': 'sellerId' };

/** The kind of a job and what it is about, by its id: also of a kind that this version does not know. */
export function jobSubject(id: string): { kind: string; targetId: string } {
  const colon = id.indexOf(':');
  const kind = id.slice(0, colon);
  const ids = id.slice(colon + 1).split('/');
  const names: readonly string[] = Object.entries(jobIdFields).find(([known]) => known === kind)?.[1] ?? [];
  const targetId = ids[names.indexOf(targetNames[kind] ?? '')] ?? ids.at(-1) ?? id;
  return { kind, targetId };
}

const jobSummary = (job: JobProgress, dueAt: string): JobSummary => JobSummary.parse({ ...job, ...jobSubject(job.id), dueAt });

const list = 'jobs';

/** A cursor continues in one of the two lists. */
const cursorOf = (state: JobListState, position: string) => encodeCursor(list, `${state}:${position}`);
function readCursor(cursor: string): { state: JobListState; position: string } {
  const text = decodeCursor(list, cursor);
  const state = jobListStates.find((known) => text.startsWith(`${known}:`));
  if (state === undefined) throw invalidCursor();
  return { state, position: text.slice(state.length + 1) };
}

async function listDead(table: Table, limit: number, cursor: string | undefined): Promise<Page<JobSummary>> {
  const page = mapPage(await listDeadJobs(table, { limit, cursor }), (job) => jobSummary(job, job.dueAt));
  return { ...page, nextCursor: page.nextCursor && cursorOf('dead', page.nextCursor) };
}

async function listLate(c: Needs<'table' | 'now'>, limit: number, after: string | undefined): Promise<Page<JobSummary>> {
  const late = (await findLateJobs(c)).filter((one) => after === undefined || lateJobPlace(one) > after);
  const page = late.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ job, since }) => jobSummary(job, since)),
    nextCursor: late.length > limit && last ? cursorOf('late', lateJobPlace(last)) : undefined,
  };
}

/** Dead jobs, the first that died first, then late ones, that which waits longest first; of one state if given. */
export async function listJobs(
  c: Needs<'table' | 'now'>,
  { limit, cursor, state }: PageRequest & { state?: JobListState | undefined },
): Promise<Page<JobSummary>> {
  const start = cursor === undefined ? undefined : readCursor(cursor);
  if (state !== undefined && start !== undefined && start.state !== state) throw invalidCursor();
  if (state === 'late' || start?.state === 'late') return listLate(c, limit, start?.position);
  const dead = await listDead(c.table, limit, start?.position);
  if (state === 'dead' || dead.nextCursor !== undefined) return dead;
  if (dead.items.length === limit) return { ...dead, nextCursor: cursorOf('late', beforeAll) };
  const late = await listLate(c, limit - dead.items.length, undefined);
  return { items: [...dead.items, ...late.items], nextCursor: late.nextCursor };
}

/** The numbers of dead and of late jobs, each up to `max`. */
export async function countJobs(c: Needs<'table' | 'now'>, max: number): Promise<{ dead: number; late: number }> {
  const [dead, late] = await Promise.all([countDeadJobs(c.table, max), findLateJobs(c)]);
  return { dead, late: Math.min(max, late.length) };
}

/**
 * Redrives a job: it becomes due at once and its message is sent; audited. A job that is leased, or scheduled for
 * later, is left alone. See "Redrive" in dead-jobs.md
 *
 * @throws AppError job_not_found when it is done, or never was
 */
export const redriveJob = (c: Needs<'table' | 'now' | 'sendJob'>, admin: { userId: string }, jobId: string) =>
  retryOptimisticLock(async (): Promise<Record<string, never>> => {
    const job = await requireFound(findJob(c.table, jobId), 'job_not_found');
    if (job.state === 'waiting' && isHeldBack(c, job)) return {};
    await c.table.transactOnce([
      job.state === 'dead' ? redriveDead(c, jobId, lockConflict) : makeJobDue(c, job),
      recordAudit(c, {
        actor: admin.userId,
        action: 'job.redrive',
        targetId: jobSubject(jobId).targetId,
        before: { state: job.state, attempts: job.attempts },
        after: { jobId, state: 'waiting' },
      }),
    ]);
    await c.sendJob(job.task);
    return {};
  });

function isHeldBack(c: Needs<'now'>, { leasedUntil = '', createdAt }: Job): boolean {
  const at = c.now().toISOString();
  return leasedUntil > at || createdAt > at;
}

/** Sorts before every place. */
const beforeAll = '!';
