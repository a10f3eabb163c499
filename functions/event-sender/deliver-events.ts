import type { Needs } from '../../shared/context.ts';
import { type Job, LeaseLostError, maxDelaySeconds, type TaskOf } from '../../shared/jobs/job.ts';
import { finishJob, renewLease, sleepJob } from '../../shared/jobs/job-lease-repository.ts';
import {
  DeliveryPace,
  deliveryLateSeconds,
  nextDue,
  paceAfter,
  pendingToRead,
  restingUntil,
} from '../../shared/webhook-endpoints/deliveries/delivery-pace.ts';
import { listPending } from '../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { createReplayer } from '../../shared/webhook-endpoints/deliveries/replayer.ts';
import { sendDue } from '../../shared/webhook-endpoints/delivery-service.ts';
import { findEndpoint } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';

/** How long a run may start sending, so that everything started ends within the lease. */
const budgetSeconds = 42;

/** From here on deliveries that nothing holds back are late. */
const lateAfterSeconds = 15 * 60;

/** A message this close to its time may have come already, and found the job held. */
const toleranceSeconds = 2;

type Task = TaskOf<'deliver-events'>;

/** The result of a turn: nothing pending, or when to continue. */
interface TurnResult {
  pace: DeliveryPace;
  until?: string | undefined;
}

type DeliveryNeeds = Needs<'table' | 'now' | 'random' | 'logger' | 'sendJob' | 'sendRequest' | 'ENCRYPTION_KEYS'> & {
  leaseSeconds: number;
};

/** Sends until nothing is due, the endpoint rests, or time runs out. */
async function deliverToEndpoint(
  c: DeliveryNeeds,
  { sellerId, endpointId }: Task,
  initial: DeliveryPace,
  isOver: () => boolean,
): Promise<TurnResult> {
  const replayer = createReplayer(c);
  let pace = initial;
  for (let isFirst = true; ; isFirst = false) {
    const endpoint = await findEndpoint(c.table, sellerId, endpointId);
    if (!endpoint?.enabled) return { pace };
    const restsUntil = restingUntil(pace, c.now());
    if (restsUntil) return { pace, until: restsUntil };
    const pending = await listPending(c.table, endpointId, pendingToRead(pace));
    const [earliest] = pending;
    const due = nextDue(pending, pace, c.now());
    if (isFirst && earliest && deliveryLateSeconds(earliest, pace, endpoint.updatedAt, c.now()) > lateAfterSeconds) {
      c.logger.warn('events_late', { endpointId, sellerId });
    }
    if (isOver()) return { pace: { ...pace, leftAt: c.now().toISOString() }, until: c.now().toISOString() };
    if (due.length > 0) {
      pace = paceAfter(pace, await sendDue(c, endpoint, due), c.now());
    } else if (!(await replayer.makeNextDue(endpoint))) {
      return { pace, until: earliest?.nextAttemptAt };
    }
  }
}

/** @throws LeaseLostError when the job was woken meanwhile */
async function finishRun(c: DeliveryNeeds, job: Job<'deliver-events'>, { pace, until }: TurnResult): Promise<void> {
  if (until === undefined) {
    await c.table.write(finishJob(job));
    return;
  }
  const delay = Math.max(0, Date.parse(until) - c.now().getTime()) / 1000;
  const isAnnounced = pace.messageFor === until && delay > toleranceSeconds;
  const announces = !isAnnounced && delay <= maxDelaySeconds;
  await c.table.write(sleepJob(c, job, delay, { ...pace, messageFor: announces || isAnnounced ? until : undefined }));
  if (announces) await c.sendJob(job.task, Math.ceil(delay));
}

/**
 * Sends what is due to one endpoint, then what its seller wants again, for as long as a run may last. The endpoint
 * has one such job, so that a slow one holds one run at a time and nobody else. See "Runs" in shared/webhook-endpoints/deliveries.md
 */
export async function deliverEvents(c: DeliveryNeeds, job: Job<'deliver-events'>): Promise<void> {
  const overAt = c.now().getTime() + budgetSeconds * 1000;
  let pace = DeliveryPace.parse(job.payload ?? {});
  for (let held: Job<'deliver-events'> | undefined = job; held; ) {
    const ending = await deliverToEndpoint(c, job.task, pace, () => c.now().getTime() >= overAt);
    ({ pace } = ending);
    try {
      return await finishRun(c, held, ending);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      const renewed: Job | undefined = await renewLease(c, held, c.leaseSeconds);
      held = renewed && { ...renewed, task: job.task };
    }
  }
}
