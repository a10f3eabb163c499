import type { DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { messagesOf } from '../../shared/queue/stream-records.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { createTurns, publishEvent } from './publish-event.ts';
import { tellRefusals } from './tell-refusals.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

/**
 * The worker that brings events to the endpoints that want them. It receives them from the table's stream and, through
 * its queue, from the sweeper.
 */
export function compose(
  start: Omit<Start<typeof declaration>, 'settings'>,
): (event: SQSEvent | DynamoDBStreamEvent) => Promise<SQSBatchResponse> {
  const c = { ...jobContextOf(start), inTurn: createTurns() };
  const work = createWorker(c, { run: { 'publish-event': publishEvent, 'tell-refusals': tellRefusals }, leaseSeconds });
  return (event) => work(messagesOf(event));
}
