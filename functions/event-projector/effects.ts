import type { Needs } from '../../shared/context.ts';
import type { Write } from '../../shared/db/table.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import type { Order } from '../../shared/orders/order.ts';

/** What follows from a change of an order: changes of the order, the writes to commit with them, in their order, and the jobs that these add. */
export interface Effects {
  order: Partial<Order>;
  writes: readonly Write[];
  /** To be sent once the writes are committed. */
  jobs: readonly JobTask[];
  /** Takes the drawn code off sale for good, when the writes fail because a license has it as its key. */
  rejectDrawnCode?: (() => Promise<void>) | undefined;
}

export const noEffects: Effects = { order: {}, writes: [], jobs: [] };

/** Leaves the task to a job. */
export const doLater = (c: Needs<'now'>, task: JobTask): Effects => ({ order: {}, writes: [addJob(c, task)], jobs: [task] });

/** All of these, in this order; of a field that several change the last holds. */
export const combine = (...effects: readonly Effects[]): Effects => ({
  order: Object.assign({}, ...effects.map(({ order }) => order)),
  writes: effects.flatMap(({ writes }) => writes),
  jobs: effects.flatMap(({ jobs }) => jobs),
  rejectDrawnCode: effects.find(({ rejectDrawnCode }) => rejectDrawnCode)?.rejectDrawnCode,
});
