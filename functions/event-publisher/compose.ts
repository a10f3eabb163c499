import type { DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Parts } from '../../shared/function-parts.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { messagesOf } from '../../shared/queue/stream-records.ts';
import { createPublishEvent } from './publish-event.ts';
import { createTellRefusals } from './tell-refusals.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

/** The worker that brings events to the endpoints that want them. It hears of them from the table's stream, and from the sweeper by its queue. */
export function compose({
  logger,
  table,
  sender,
  now = () => new Date(),
}: Parts<'table' | 'sender'>): (event: SQSEvent | DynamoDBStreamEvent) => Promise<SQSBatchResponse> {
  const publishEvent = createPublishEvent({ table, sender, now });
  const tellRefusals = createTellRefusals({ table, sender, now });
  const run = { 'publish-event': publishEvent, 'tell-refusals': tellRefusals };
  const work = createWorker({ run, table, sender, logger, leaseSeconds, now });
  return (event) => work(messagesOf(event));
}
