import { compose } from '../../../../functions/event-publisher/compose.ts';
import { jobKey, pendingPartitions } from '../../../../shared/db/keys.ts';
import type { Table } from '../../../../shared/db/table.ts';
import type { SellerId } from '../../../../shared/ids.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import { jobId } from '../../../../shared/jobs/new-job.ts';
import type { Logger } from '../../../../shared/logging/logger.ts';
import type { JobSender } from '../../../../shared/queue/job-sender.ts';
import { SellerEvent } from '../../../../shared/seller-events/seller-event.ts';
import { listEventsAfter } from '../../../../shared/seller-events/seller-event-repository.ts';
import { createTestQueue, silentLogger, toSqsEvent } from '../projection-harness.ts';

const byId = (a: SellerEvent, b: SellerEvent) => (a.id < b.id ? -1 : 1);

/** Jobs that are about anything else than to publish an event. */
export const otherThanEvents = <Some extends Pick<Job, 'task'>>(jobs: readonly Some[]): Some[] =>
  jobs.filter(({ task }) => task.kind !== 'publish-event');

/** What was recorded of sellers' events, and the worker that publishes them when the test says so. */
export function createEventLog({
  table,
  stream = table,
  sender = createTestQueue(),
  logger = silentLogger,
  now = () => new Date(),
}: {
  table: Table;
  /** The table as its stream reads it: not by calls of the worker. */
  stream?: Table;
  sender?: JobSender;
  logger?: Logger;
  now?: (() => Date) | undefined;
}) {
  const work = compose({ logger, table, sender, now });

  /** Recorded and not published yet, in the order in which it was recorded. */
  async function recorded(): Promise<SellerEvent[]> {
    const reads = await Promise.all(pendingPartitions().map((partition) => stream.query({ index: 'pending', partition })));
    const jobs = reads.flatMap(({ items }) => items).filter(({ id }) => String(id).startsWith('publish-event:'));
    return jobs.map(({ payload }) => SellerEvent.parse(payload)).sort(byId);
  }

  const isAbout =
    (id: string) =>
    ({ sellerId, data }: SellerEvent) =>
      sellerId === id || Object.values(data).includes(id);

  return {
    work,
    recorded,

    /** What was recorded of one seller, or of what has one of these ids in its data. */
    recordedOf: async (id: string) => (await recorded()).filter(isAbout(id)),

    /** The same of what has this id, after which nothing is left to be published. */
    async take(id: string): Promise<SellerEvent[]> {
      const events = await recorded();
      const keys = events.map((event) => jobKey(jobId({ kind: 'publish-event', eventId: event.id })));
      await Promise.all(keys.map((Key) => stream.write({ delete: { Key } })));
      return events.filter(isAbout(id));
    },

    /** As the queue would: every event that is recorded and not published yet. */
    async publish(): Promise<void> {
      const events = await recorded();
      await work(toSqsEvent(events.map((event) => jobId({ kind: 'publish-event', eventId: event.id }))));
    },

    /** Published, in the order in which it happened. */
    kept: (sellerId: SellerId) => listEventsAfter(stream, sellerId, undefined, 1000),
  };
}

/** An event as its type and its data. */
export const told = ({ type, data }: SellerEvent) => ({ type, ...data });
