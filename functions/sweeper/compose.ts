import { createQueueWalk } from '../../shared/review-queue/queue-backfill.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { sweep } from './sweep.ts';

/** The sweeper: sends the messages of due jobs again. */
export function compose(start: Omit<Start<typeof declaration>, 'settings'>) {
  const c = jobContextOf(start);
  const all = { ...c, fillQueue: createQueueWalk(c) };
  return (event: unknown, context: { getRemainingTimeInMillis(): number }) => sweep(all, event, context);
}
