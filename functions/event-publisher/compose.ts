import type { DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { messagesOf } from '../../shared/queue/stream-records.ts';
import { createSellerEventRepository } from '../../shared/seller-events/seller-event-repository.ts';
import { createDeliveryRepository } from '../../shared/webhook-endpoints/delivery-repository.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';
import { createPublishEvent } from './publish-event.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

/** The worker that brings events to the endpoints that want them. It hears of them from the table's stream, and from the sweeper by its queue. */
export function compose({
  logger,
  table,
  sender,
  now = () => new Date(),
}: {
  logger: Logger;
  table: Table;
  sender: JobSender;
  now?: () => Date;
}): (event: SQSEvent | DynamoDBStreamEvent) => Promise<SQSBatchResponse> {
  const jobs = createJobRepository({ table, now });
  const publishEvent = createPublishEvent({
    table,
    jobs,
    events: createSellerEventRepository({ table, now }),
    endpoints: createWebhookEndpointRepository({ table }),
    deliveries: createDeliveryRepository({ table }),
    sender,
    now,
  });
  const work = createWorker({ run: { 'publish-event': publishEvent }, jobs, sender, logger, leaseSeconds, now });
  return (event) => work(messagesOf(event));
}
