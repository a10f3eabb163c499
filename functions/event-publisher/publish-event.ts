import { ConditionFailedError, type Table } from '../../shared/db/table.ts';
import type { TaskOf } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { SellerEvent } from '../../shared/seller-events/seller-event.ts';
import type { SellerEventRepository } from '../../shared/seller-events/seller-event-repository.ts';
import { deliveryLeaseSeconds } from '../../shared/webhook-endpoints/delivery.ts';
import type { DeliveryRepository } from '../../shared/webhook-endpoints/delivery-repository.ts';
import { type WebhookEndpointRecord, wantsEvent } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import type { WebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';

/**
 * Keeps an event, and adds its delivery to every endpoint that wants it. It can be repeated: an event that is
 * kept had its deliveries added with it.
 */
export function createPublishEvent(dependencies: {
  table: Table;
  jobs: JobRepository;
  events: SellerEventRepository;
  endpoints: WebhookEndpointRepository;
  deliveries: DeliveryRepository;
  sender: JobSender;
  now: () => Date;
}): RunJob<'publish-event'> {
  const { table, jobs, events, endpoints, deliveries, sender, now } = dependencies;

  async function keep(event: SellerEvent, wanting: readonly WebhookEndpointRecord[]): Promise<void> {
    try {
      await table.transact([events.keepEvent(event), ...wanting.flatMap(({ id }) => deliveries.addDelivery(id, event, now()))]);
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
    }
  }

  return async (job) => {
    const event = SellerEvent.parse(job.payload);
    // What happens while an endpoint is disabled is kept for its replay.
    const wanting = (await endpoints.listEndpoints(event.sellerId)).filter((endpoint) => endpoint.enabled && wantsEvent(endpoint, event));
    await keep(event, wanting);
    // Not in that transaction: it would lose to every other event of the seller at the same moment.
    const tasks = wanting.map(({ id, sellerId }): TaskOf<'deliver-events'> => ({ kind: 'deliver-events', sellerId, endpointId: id }));
    await Promise.all(tasks.map((task) => table.write(jobs.wakeJob(task, deliveryLeaseSeconds))));
    await table.write(jobs.finishJob(job));
    await Promise.all(tasks.map((task) => sender.sendJob(task)));
  };
}
