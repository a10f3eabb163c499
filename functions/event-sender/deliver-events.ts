import type { Table } from '../../shared/db/table.ts';
import { type Job, LeaseLostError, longestDelay, type TaskOf } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { DeliveryPace, lateSeconds, nextDue, paceAfter, readAhead, restOf } from '../../shared/webhook-endpoints/delivery-pace.ts';
import { createDeliveryRepository } from '../../shared/webhook-endpoints/delivery-repository.ts';
import type { DeliveryService } from '../../shared/webhook-endpoints/delivery-service.ts';
import { createReplayer } from '../../shared/webhook-endpoints/replayer.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';

/** How long a run begins to send: what it began by then ends within the lease. */
const budgetSeconds = 42;
/** From here on deliveries that nothing holds back are late. */
const lateAfterSeconds = 15 * 60;
/** A message this close to its time may have come already, and found the job held. */
const closeSeconds = 2;

type Task = TaskOf<'deliver-events'>;

/** What a turn leaves: nothing that is pending, or a time at which to go on. */
interface Ending {
  pace: DeliveryPace;
  until?: string | undefined;
}

/**
 * Sends what is due to one endpoint, then what its seller wants again, for as long as a run may last. The endpoint
 * has one such job, so that a slow one holds one run at a time and nobody else. See "Runs" in shared/webhook-endpoints/README.md
 */
export function createDeliverEvents(options: {
  table: Table;
  service: DeliveryService;
  /** Tells the queue of a committed job. */
  sendJob: JobSender['sendJob'];
  logger: Logger;
  leaseSeconds: number;
  now: () => Date;
}): RunJob<'deliver-events'> {
  const { table, service, sendJob, logger, leaseSeconds, now } = options;
  const jobs = createJobRepository({ table, now });
  const endpoints = createWebhookEndpointRepository({ table });
  const deliveries = createDeliveryRepository({ table });

  /** Sends until nothing is left to do now, the endpoint rests, or time is over. */
  async function serve({ sellerId, endpointId }: Task, begun: DeliveryPace, isOver: () => boolean): Promise<Ending> {
    const replayer = createReplayer({ table, now });
    let pace = begun;
    for (let isFirst = true; ; isFirst = false) {
      const endpoint = await endpoints.findEndpoint(sellerId, endpointId);
      if (!endpoint?.enabled) return { pace };
      const restsUntil = restOf(pace, now());
      if (restsUntil) return { pace, until: restsUntil };
      const pending = await deliveries.listPending(endpointId, readAhead(pace));
      const [earliest] = pending;
      const due = nextDue(pending, pace, now());
      if (isFirst && earliest && lateSeconds(earliest, pace, endpoint.updatedAt, now()) > lateAfterSeconds) {
        logger.warn('events_late', { endpointId, sellerId });
      }
      if (isOver()) return { pace: { ...pace, leftAt: now().toISOString() }, until: now().toISOString() };
      if (due.length > 0) {
        pace = paceAfter(pace, await service.sendDue(endpoint, due), now());
      } else if (!(await replayer.makeNextDue(endpoint))) {
        return { pace, until: earliest?.nextAttemptAt };
      }
    }
  }

  /** @throws LeaseLostError when the job was woken meanwhile */
  async function conclude(job: Job<'deliver-events'>, { pace, until }: Ending): Promise<void> {
    if (until === undefined) {
      await table.write(jobs.finishJob(job));
      return;
    }
    const delay = Math.max(0, Date.parse(until) - now().getTime()) / 1000;
    const isAnnounced = pace.messageFor === until && delay > closeSeconds;
    const announces = !isAnnounced && delay <= longestDelay;
    await table.write(jobs.sleepJob(job, delay, { ...pace, messageFor: announces || isAnnounced ? until : undefined }));
    if (announces) await sendJob(job.task, Math.ceil(delay));
  }

  return async (job) => {
    const overAt = now().getTime() + budgetSeconds * 1000;
    let pace = DeliveryPace.parse(job.payload ?? {});
    for (let held: Job<'deliver-events'> | undefined = job; held; ) {
      const ending = await serve(job.task, pace, () => now().getTime() >= overAt);
      ({ pace } = ending);
      try {
        return await conclude(held, ending);
      } catch (error) {
        if (!(error instanceof LeaseLostError)) throw error;
        const renewed: Job | undefined = await jobs.renewLease(held, leaseSeconds);
        held = renewed && { ...renewed, task: job.task };
      }
    }
  };
}
