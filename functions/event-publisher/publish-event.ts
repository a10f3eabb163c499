import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import { ConditionFailedError, type Write, writeIfHolds } from '../../shared/db/table.ts';
import type { LicenseId } from '../../shared/ids.ts';
import { DeadJobError, type Job, maxDelaySeconds, type TaskOf } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { addJob, wakeJob } from '../../shared/jobs/job-repository.ts';
import { secondsUntilSent, talliedLicense, tallyEvent } from '../../shared/seller-events/activation-tally.ts';
import { getTally, recordTally } from '../../shared/seller-events/activation-tally-repository.ts';
import { SellerEvent, sellerEventData } from '../../shared/seller-events/seller-event.ts';
import { findSellerEvent, keepSellerEvent } from '../../shared/seller-events/seller-event-repository.ts';
import { deliveryLeaseSeconds } from '../../shared/webhook-endpoints/deliveries/delivery.ts';
import { addDelivery } from '../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import {
  earlierStartOf,
  isSubscribed,
  mayReceive,
  type WebhookEndpointRecord,
} from '../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { listEndpoints, recordEarlierStart } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';

/** Others may tally the same license at once. */
const attempts = 20;

/** Whether it was not kept before. */
async function keep(
  c: Needs<'table' | 'now'>,
  event: SellerEvent,
  wanting: readonly WebhookEndpointRecord[],
  tally: readonly Write[] = [],
): Promise<boolean> {
  try {
    const added = [...wanting.flatMap(({ id }) => addDelivery(id, event, c.now())), ...tally];
    // No endpoint may want it, and transactional writes cost double.
    if (added.length === 0) await c.table.write(keepSellerEvent(event));
    else await c.table.transactOnce([keepSellerEvent(event), ...added]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    return false;
  }
}

/**
 * Keeps an event, and adds its delivery to every endpoint that wants it. It can be repeated: an event that is kept had
 * its deliveries added with it. Events while an endpoint is disabled are kept for replay; events that no endpoint could
 * receive are dropped. Activation events of one license are limited. See "Folding" in shared/seller-events/README.md
 */
export async function publishEvent(
  c: Needs<'table' | 'now' | 'sendJob'> & { inTurn: ReturnType<typeof createTurns> },
  job: Job<'publish-event'>,
) {
  const event = eventOf(job.payload);
  const receivers = await receiversOf(c, event);
  if (receivers.length === 0) {
    await c.table.write(finishJob(job));
    return;
  }
  const enabled = receivers.filter((endpoint) => endpoint.enabled);
  const wanting = enabled.filter((endpoint) => isSubscribed(endpoint, event));
  const licenseId = talliedLicense(event);
  const decide = () => (licenseId === undefined ? keep(c, event, wanting) : tally(c, job, event, licenseId, wanting));
  const outcome = await c.inTurn(licenseId ?? event.id, () => retryOptimisticLock(decide, { attempts }));
  if (outcome === 'folded') return;
  // A previous run may have added deliveries and crashed before waking their jobs.
  const served = outcome ? wanting : enabled;
  // Not in that transaction: it would lose to every other event of the seller at the same moment.
  const tasks = served.map(({ id, sellerId }): TaskOf<'deliver-events'> => ({ kind: 'deliver-events', sellerId, endpointId: id }));
  // What an endpoint's seller asked for does not wait until the endpoint has rested.
  const fresh = event.endpointId === undefined ? undefined : {};
  await Promise.all(tasks.map((task) => c.table.write(wakeJob(c, task, deliveryLeaseSeconds, fresh))));
  // Sent first: whoever loses the answer to the end of a job believes that another ended it.
  await Promise.all(tasks.map((task) => c.sendJob(task)));
  await c.table.write(finishJob(job));
}

/** The endpoints that were there when it happened, enabled or not. */
async function receiversOf(c: Needs<'table' | 'now'>, event: SellerEvent): Promise<WebhookEndpointRecord[]> {
  const endpoints: WebhookEndpointRecord[] = [];
  for (const endpoint of await listEndpoints(c.table, event.sellerId)) {
    const createdAt = earlierStartOf(endpoint, event, c.now());
    // Recorded, so that it holds for a replay too, and once that clock's time has come.
    if (createdAt !== undefined) await writeIfHolds(c.table, recordEarlierStart(endpoint, createdAt));
    endpoints.push(createdAt === undefined ? endpoint : { ...endpoint, createdAt });
  }
  return endpoints.filter((endpoint) => mayReceive(endpoint, event));
}

/** Sends it with the suppressed count, or counts it in the transaction that finishes its job, so that it counts once. */
async function tally(
  c: Needs<'table' | 'now' | 'sendJob'>,
  job: Job,
  event: SellerEvent,
  licenseId: LicenseId,
  wanting: readonly WebhookEndpointRecord[],
): Promise<boolean | 'folded'> {
  const { sellerId } = event;
  const read = await getTally(c.table, sellerId, licenseId);
  const { next, data } = tallyEvent(read, event, c.now());
  const record = recordTally(c, sellerId, read, next);
  if (data) return keep(c, { ...event, data }, wanting, [record]);
  if (await findSellerEvent(c, sellerId, event.id)) return false;
  const task: TaskOf<'tell-refusals'> = { kind: 'tell-refusals', sellerId, licenseId };
  const isFirst = read.refusals === 0 && next.refusals === 1;
  const delay = isFirst ? secondsUntilSent(next, c.now()) : 0;
  await c.table.transactOnce([finishJob(job), record, ...(isFirst ? [addJob(c, task, delay)] : [])]);
  if (isFirst && delay <= maxDelaySeconds) await c.sendJob(task, delay);
  return 'folded';
}

/** Work with the same name runs sequentially: contending for one record would make each retry. */
export function createTurns() {
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
