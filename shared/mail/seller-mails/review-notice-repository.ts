import type { Needs } from '../../context.ts';
import type { Write } from '../../db/table.ts';
import { newId, type SellerId } from '../../ids.ts';
import type { JobTask } from '../../jobs/job.ts';
import { newJob } from '../../jobs/new-job.ts';
import type { ReviewNotice } from './review-notice.ts';

/** What reviews send the jobs of their mails with, once they are committed. */
export type SendReviewNotice = (task: Extract<JobTask, { kind: 'send-review-notice' }>) => Promise<void>;

/**
 * The mail of one review: its job for the review's transaction, and what sends the job after that. A review that moved
 * nothing has none.
 */
export function reviewNotice(
  c: Needs<'now' | 'sendJob'>,
  sellerId: SellerId,
  notice: ReviewNotice | undefined,
): { writes: Write[]; send: () => Promise<void> } {
  if (!notice) return { writes: [], send: async () => {} };
  const task = { kind: 'send-review-notice', sellerId, noticeId: newId('audit', c.now()) } as const;
  return { writes: [{ put: { Item: { ...newJob(task, c.now()), payload: notice } } }], send: () => c.sendJob(task) };
}
