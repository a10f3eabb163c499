import type { Keyring } from '../crypto/keyring.ts';
import { ConditionFailedError, type Table, type Write } from '../db/table.ts';
import type { TaskOf } from '../jobs/job.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import { settleAll } from '../jobs/settle-all.ts';
import type { Logger } from '../logger.ts';
import type { SellerEvent } from '../seller-events/seller-event.ts';
import { createSellerEventRepository } from '../seller-events/seller-event-repository.ts';
import { type AttemptOutcome, afterAttempt, type PendingDelivery } from './delivery.ts';
import type { DeliveryResult } from './delivery-pace.ts';
import { createDeliveryRepository, type KnownDelivery } from './delivery-repository.ts';
import { eventMessage } from './event-message.ts';
import type { SendRequest } from './send-request.ts';
import type { WebhookEndpointRecord } from './webhook-endpoint.ts';
import { createWebhookEndpointRepository } from './webhook-endpoint-repository.ts';

export type DeliveryService = ReturnType<typeof createDeliveryService>;

/** An endpoint is disabled after nothing but failures for so long. */
const failingDays = 5;

interface Attempt extends DeliveryResult {
  outcome: AttemptOutcome;
}

export function createDeliveryService(options: {
  table: Table;
  /** Tells the queue of a job that is in the table. */
  sendJob: (task: TaskOf<'send-endpoint-notice'>) => Promise<void>;
  send: SendRequest;
  encryptionKeys: Keyring;
  logger: Logger;
  now: () => Date;
  /** A number in [0, 1). */
  random: () => number;
}) {
  const { table, sendJob, send, encryptionKeys, logger, now, random } = options;
  const endpoints = createWebhookEndpointRepository({ table });
  const deliveries = createDeliveryRepository({ table });
  const events = createSellerEventRepository({ table, now });
  const jobs = createJobRepository({ table, now });

  async function sendOne(endpoint: WebhookEndpointRecord, delivery: KnownDelivery, event: SellerEvent): Promise<Attempt> {
    const outcome = await send(endpoint.url, eventMessage(event, endpoint, encryptionKeys, now()));
    await record(endpoint, delivery, afterAttempt(delivery, outcome, now(), random()));
    return { type: event.type, isTaken: outcome.error === undefined, isHung: outcome.error === 'timeout', outcome };
  }

  async function giveUp(endpoint: WebhookEndpointRecord, delivery: KnownDelivery): Promise<undefined> {
    await record(endpoint, delivery, { ...delivery, status: 'failed', lastError: 'event_gone', nextAttemptAt: undefined });
  }

  async function record(endpoint: WebhookEndpointRecord, before: KnownDelivery, after: KnownDelivery): Promise<void> {
    const isRecorded = await unlessChanged(table.transact(deliveries.recordDelivery(endpoint.id, before, after)));
    if (isRecorded && after.status === 'failed') report(endpoint, after.lastError);
  }

  function report({ id: endpointId, sellerId }: WebhookEndpointRecord, reason: string | undefined): void {
    logger.warn('event_not_delivered', { endpointId, sellerId, reason });
  }

  /** What the attempts say of the endpoint as a whole. */
  async function judge(endpoint: WebhookEndpointRecord, attempts: readonly Attempt[]): Promise<void> {
    if (attempts.some(({ outcome }) => outcome.statusCode === 410)) return disable(endpoint, 'gone');
    if (attempts.some(({ isTaken }) => isTaken)) {
      if (endpoint.failingSince) await unlessChanged(table.write(endpoints.recordTaking(endpoint)));
    } else if (attempts.length > 0) {
      if (!endpoint.failingSince) await unlessChanged(table.write(endpoints.recordFailing(endpoint, now())));
      else if (Date.parse(endpoint.failingSince) + failingDays * 24 * 3600_000 <= now().getTime()) await disable(endpoint, 'failing');
    }
  }

  async function disable(endpoint: WebhookEndpointRecord, reason: 'gone' | 'failing'): Promise<void> {
    const notice: TaskOf<'send-endpoint-notice'> = { kind: 'send-endpoint-notice', sellerId: endpoint.sellerId, endpointId: endpoint.id };
    const isFailing = reason === 'failing';
    const writes: Write[] = [
      endpoints.disableEndpoint(endpoint, reason, now()),
      deliveries.cancelReplay(endpoint.id),
      ...(isFailing ? [jobs.addJob(notice)] : []),
    ];
    const isDisabled = await unlessChanged(table.transact(writes));
    if (!isDisabled || !isFailing) return;
    report(endpoint, 'endpoint_failing');
    await sendJob(notice);
  }

  return {
    /**
     * Sends the events of these deliveries to the endpoint, all at once, and records how that went. Each is sent at
     * least once: if this is cut short, what was not recorded is pending still.
     */
    async sendDue(endpoint: WebhookEndpointRecord, due: readonly PendingDelivery[]): Promise<DeliveryResult[]> {
      const eventIds = [...new Set(due.map(({ eventId }) => eventId))];
      const [known, kept] = await Promise.all([
        deliveries.findDeliveries(endpoint.id, eventIds),
        events.findEvents(endpoint.sellerId, eventIds),
      ]);
      const settled = await settleAll(due, async (place) => {
        const delivery = known.find(({ eventId }) => eventId === place.eventId);
        const event = kept.find(({ id }) => id === place.eventId);
        if (delivery?.nextAttemptAt !== place.nextAttemptAt) {
          await table.write(deliveries.forgetPending(endpoint.id, place));
          return undefined;
        }
        return event ? sendOne(endpoint, delivery, event) : giveUp(endpoint, delivery);
      });
      const attempts = settled.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
      await judge(endpoint, attempts);
      for (const one of settled) if (one.status === 'rejected') throw one.reason;
      return attempts;
    },
  };
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
