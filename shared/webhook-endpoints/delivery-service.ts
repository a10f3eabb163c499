import type { Needs } from '../context.ts';
import { ConditionFailedError, type Write } from '../db/table.ts';
import type { TaskOf } from '../jobs/job.ts';
import { addJob } from '../jobs/job-repository.ts';
import { settleAll } from '../jobs/settle-all.ts';
import type { SellerEvent } from '../seller-events/seller-event.ts';
import { findSellerEvents } from '../seller-events/seller-event-repository.ts';
import { type AttemptOutcome, afterAttempt, type PendingDelivery } from './deliveries/delivery.ts';
import type { DeliveryResult } from './deliveries/delivery-pace.ts';
import { cancelReplay, findDeliveries, type KnownDelivery, recordDelivery, removePendingPlace } from './deliveries/delivery-repository.ts';
import type { WebhookEndpointRecord } from './endpoints/webhook-endpoint.ts';
import { disableEndpoint, recordAccepted, recordFailing } from './endpoints/webhook-endpoint-repository.ts';
import { eventMessage } from './requests/event-message.ts';

/** An endpoint is disabled after nothing but failures for so long. */
const failingDays = 5;

interface Attempt extends DeliveryResult {
  outcome: AttemptOutcome;
}

async function sendOne(
  c: Needs<'table' | 'now' | 'logger' | 'ENCRYPTION_KEYS' | 'random' | 'sendRequest'>,
  endpoint: WebhookEndpointRecord,
  delivery: KnownDelivery,
  event: SellerEvent,
): Promise<Attempt> {
  const outcome = await c.sendRequest(endpoint.url, eventMessage(event, endpoint, c.settings.ENCRYPTION_KEYS, c.now()));
  await record(c, endpoint, delivery, afterAttempt(delivery, outcome, c.now(), c.random()));
  return { type: event.type, isAccepted: outcome.error === undefined, isHung: outcome.error === 'timeout', outcome };
}

async function giveUp(c: Needs<'table' | 'logger'>, endpoint: WebhookEndpointRecord, delivery: KnownDelivery): Promise<undefined> {
  await record(c, endpoint, delivery, { ...delivery, status: 'failed', lastError: 'event_gone', nextAttemptAt: undefined });
}

async function record(
  c: Needs<'table' | 'logger'>,
  endpoint: WebhookEndpointRecord,
  before: KnownDelivery,
  after: KnownDelivery,
): Promise<void> {
  const isRecorded = await unlessChanged(c.table.transact(recordDelivery(endpoint.id, before, after)));
  if (isRecorded && after.status === 'failed') report(c, endpoint, after.lastError);
}

function report(c: Needs<'logger'>, { id: endpointId, sellerId }: WebhookEndpointRecord, reason: string | undefined): void {
  c.logger.warn('event_not_delivered', { endpointId, sellerId, reason });
}

/** What the attempts say of the endpoint as a whole. */
async function judge(
  c: Needs<'table' | 'now' | 'logger' | 'sendJob'>,
  endpoint: WebhookEndpointRecord,
  attempts: readonly Attempt[],
): Promise<void> {
  if (attempts.some(({ outcome }) => outcome.statusCode === 410)) return disable(c, endpoint, 'gone');
  if (attempts.some(({ isAccepted: isTaken }) => isTaken)) {
    if (endpoint.failingSince) await unlessChanged(c.table.write(recordAccepted(endpoint)));
  } else if (attempts.length > 0) {
    if (!endpoint.failingSince) await unlessChanged(c.table.write(recordFailing(endpoint, c.now())));
    else if (Date.parse(endpoint.failingSince) + failingDays * 24 * 3600_000 <= c.now().getTime()) await disable(c, endpoint, 'failing');
  }
}

async function disable(
  c: Needs<'table' | 'now' | 'logger' | 'sendJob'>,
  endpoint: WebhookEndpointRecord,
  reason: 'gone' | 'failing',
): Promise<void> {
  const notice: TaskOf<'send-endpoint-notice'> = { kind: 'send-endpoint-notice', sellerId: endpoint.sellerId, endpointId: endpoint.id };
  const isFailing = reason === 'failing';
  const writes: Write[] = [
    disableEndpoint(endpoint, reason, c.now()),
    cancelReplay(endpoint.id),
    ...(isFailing ? [addJob(c, notice)] : []),
  ];
  const isDisabled = await unlessChanged(c.table.transact(writes));
  if (!isDisabled || !isFailing) return;
  report(c, endpoint, 'endpoint_failing');
  await c.sendJob(notice);
}

/**
 * Sends the events of these deliveries to the endpoint, all at once, and records how that went. Each is sent at
 * least once: if this is cut short, what was not recorded is pending still.
 */
export async function sendDue(
  c: Needs<'table' | 'now' | 'logger' | 'sendJob' | 'ENCRYPTION_KEYS' | 'random' | 'sendRequest'>,
  endpoint: WebhookEndpointRecord,
  due: readonly PendingDelivery[],
): Promise<DeliveryResult[]> {
  const eventIds = [...new Set(due.map(({ eventId }) => eventId))];
  const [known, kept] = await Promise.all([
    findDeliveries(c.table, endpoint.id, eventIds),
    findSellerEvents(c, endpoint.sellerId, eventIds),
  ]);
  const settled = await settleAll(due, async (place) => {
    const delivery = known.find(({ eventId }) => eventId === place.eventId);
    const event = kept.find(({ id }) => id === place.eventId);
    if (delivery?.nextAttemptAt !== place.nextAttemptAt) {
      await c.table.write(removePendingPlace(endpoint.id, place));
      return undefined;
    }
    return event ? sendOne(c, endpoint, delivery, event) : giveUp(c, endpoint, delivery);
  });
  const attempts = settled.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
  await judge(c, endpoint, attempts);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return attempts;
}

/** Whether it was written: a condition that fails says that another was faster, and what it wrote counts. */
async function unlessChanged(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
}
