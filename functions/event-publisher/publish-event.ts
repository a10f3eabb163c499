import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import { ConditionFailedError, type Table, type Write } from '../../shared/db/table.ts';
import type { LicenseId } from '../../shared/ids.ts';
import { DeadJobError, type Job, longestDelay, type TaskOf } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { afterEvent, licenseToTally, secondsUntilTold } from '../../shared/seller-events/activation-tally.ts';
import { createActivationTallyRepository } from '../../shared/seller-events/activation-tally-repository.ts';
import { SellerEvent, sellerEventData } from '../../shared/seller-events/seller-event.ts';
import { createSellerEventRepository } from '../../shared/seller-events/seller-event-repository.ts';
import { deliveryLeaseSeconds } from '../../shared/webhook-endpoints/delivery.ts';
import { createDeliveryRepository } from '../../shared/webhook-endpoints/delivery-repository.ts';
import { mayHear, type WebhookEndpointRecord, wantsEvent } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';

/** Others may tally the same license at once. */
const attempts = 20;

/**
 * Keeps an event, and adds its delivery to every endpoint that wants it. It can be repeated: an event that is
 * kept had its deliveries added with it. What happens while an endpoint is disabled is kept for its replay; what no
 * endpoint could ever hear is dropped. Of one license so much is told. See "Folding" in shared/seller-events/README.md
 */
export function createPublishEvent(options: { table: Table; sender: JobSender; now: () => Date }): RunJob<'publish-event'> {
  const { table, sender, now } = options;
  const jobs = createJobRepository({ table, now });
  const events = createSellerEventRepository({ table, now });
  const tallies = createActivationTallyRepository({ table, now });
  const endpoints = createWebhookEndpointRepository({ table });
  const deliveries = createDeliveryRepository({ table });
  const inTurn = createTurns();

  /** Whether it was not kept before. */
  async function keep(event: SellerEvent, wanting: readonly WebhookEndpointRecord[], tally: readonly Write[] = []): Promise<boolean> {
    try {
      const added = [...wanting.flatMap(({ id }) => deliveries.addDelivery(id, event, now())), ...tally];
      // Nobody may want it, and a write of a transaction costs two.
      if (added.length === 0) await table.write(events.keepEvent(event));
      else await table.transactOnce([events.keepEvent(event), ...added]);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      return false;
    }
  }

  return async (job) => {
    const event = eventOf(job.payload);
    const hearing = (await endpoints.listEndpoints(event.sellerId)).filter((endpoint) => mayHear(endpoint, event));
    if (hearing.length === 0) {
      await table.write(jobs.finishJob(job));
      return;
    }
    const enabled = hearing.filter((endpoint) => endpoint.enabled);
    const wanting = enabled.filter((endpoint) => wantsEvent(endpoint, event));
    const licenseId = licenseToTally(event);
    const decide = () => (licenseId === undefined ? keep(event, wanting) : tally(job, event, licenseId, wanting));
    const outcome = await inTurn(licenseId ?? event.id, () => retryOptimisticLock(decide, { attempts }));
    if (outcome === 'folded') return;
    // Whoever kept it before may have found that others want it, and have died before it woke them.
    const served = outcome ? wanting : enabled;
    // Not in that transaction: it would lose to every other event of the seller at the same moment.
    const tasks = served.map(({ id, sellerId }): TaskOf<'deliver-events'> => ({ kind: 'deliver-events', sellerId, endpointId: id }));
    // What an endpoint's seller asked for does not wait until the endpoint has rested.
    const fresh = event.endpointId === undefined ? undefined : {};
    await Promise.all(tasks.map((task) => table.write(jobs.wakeJob(task, deliveryLeaseSeconds, fresh))));
    await table.write(jobs.finishJob(job));
    await Promise.all(tasks.map((task) => sender.sendJob(task)));
  };

  /** Tells of it, with what was not told before; or counts it, in the transaction that ends its job, so that it counts once. */
  async function tally(
    job: Job,
    event: SellerEvent,
    licenseId: LicenseId,
    wanting: readonly WebhookEndpointRecord[],
  ): Promise<boolean | 'folded'> {
    const { sellerId } = event;
    const read = await tallies.getTally(sellerId, licenseId);
    const { next, data } = afterEvent(read, event, now());
    const record = tallies.recordTally(sellerId, read, next);
    if (data) return keep({ ...event, data }, wanting, [record]);
    if (await events.findEvent(sellerId, event.id)) return false;
    const task: TaskOf<'tell-refusals'> = { kind: 'tell-refusals', sellerId, licenseId };
    const isFirst = read.refusals === 0 && next.refusals === 1;
    const delay = isFirst ? secondsUntilTold(next, now()) : 0;
    await table.transactOnce([jobs.finishJob(job), record, ...(isFirst ? [jobs.addJob(task, delay)] : [])]);
    if (isFirst && delay <= longestDelay) await sender.sendJob(task, delay);
    return 'folded';
  }
}

/** Work of one name is done one after another: where each waits for the same record, none has to do it twice. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}

/** @throws DeadJobError when no repetition can read it */
function eventOf(payload: unknown): SellerEvent {
  const event = SellerEvent.safeParse(payload);
  const data = event.success ? sellerEventData[event.data.type].safeParse(event.data.data) : undefined;
  if (!event.success || !data?.success) throw new DeadJobError('seller_event_unreadable');
  return { ...event.data, data: data.data };
}
