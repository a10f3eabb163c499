import { ConditionFailedError, type Table } from '../../shared/db/table.ts';
import { DeadJobError, type TaskOf } from '../../shared/jobs/job.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { SellerEvent, sellerEventData } from '../../shared/seller-events/seller-event.ts';
import { createSellerEventRepository } from '../../shared/seller-events/seller-event-repository.ts';
import { deliveryLeaseSeconds } from '../../shared/webhook-endpoints/delivery.ts';
import { createDeliveryRepository } from '../../shared/webhook-endpoints/delivery-repository.ts';
import { type WebhookEndpointRecord, wantsEvent } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';

/**
 * Keeps an event, and adds its delivery to every endpoint that wants it. It can be repeated: an event that is
 * kept had its deliveries added with it. What happens while an endpoint is disabled is kept for its replay.
 */
export function createPublishEvent(options: { table: Table; sender: JobSender; now: () => Date }): RunJob<'publish-event'> {
  const { table, sender, now } = options;
  const jobs = createJobRepository({ table, now });
  const events = createSellerEventRepository({ table, now });
  const endpoints = createWebhookEndpointRepository({ table });
  const deliveries = createDeliveryRepository({ table });

  /** Whether it was not kept before. */
  async function keep(event: SellerEvent, wanting: readonly WebhookEndpointRecord[]): Promise<boolean> {
    try {
      const added = wanting.flatMap(({ id }) => deliveries.addDelivery(id, event, now()));
      // Most sellers have no endpoint, and a write of a transaction costs two.
      if (added.length === 0) await table.write(events.keepEvent(event));
      else await table.transact([events.keepEvent(event), ...added]);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      return false;
    }
  }

  return async (job) => {
    const event = eventOf(job.payload);
    const enabled = (await endpoints.listEndpoints(event.sellerId)).filter((endpoint) => endpoint.enabled);
    const wanting = enabled.filter((endpoint) => wantsEvent(endpoint, event));
    // Whoever kept it before may have found that others want it, and have died before it woke them.
    const served = (await keep(event, wanting)) ? wanting : enabled;
    // Not in that transaction: it would lose to every other event of the seller at the same moment.
    const tasks = served.map(({ id, sellerId }): TaskOf<'deliver-events'> => ({ kind: 'deliver-events', sellerId, endpointId: id }));
    // What an endpoint's seller asked for does not wait until the endpoint has rested.
    const fresh = event.endpointId === undefined ? undefined : {};
    await Promise.all(tasks.map((task) => table.write(jobs.wakeJob(task, deliveryLeaseSeconds, fresh))));
    await table.write(jobs.finishJob(job));
    await Promise.all(tasks.map((task) => sender.sendJob(task)));
  };
}

/** @throws DeadJobError when no repetition can read it */
function eventOf(payload: unknown): SellerEvent {
  const event = SellerEvent.safeParse(payload);
  const data = event.success ? sellerEventData[event.data.type].safeParse(event.data.data) : undefined;
  if (!event.success || !data?.success) throw new DeadJobError('seller_event_unreadable');
  return { ...event.data, data: data.data };
}
