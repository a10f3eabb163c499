import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { pendingPartitions } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { graceSeconds } from '../../../shared/jobs/new-job.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { runUntilStopped, type Stoppable } from '../shutdown.ts';
import { matchesPattern } from './event-pattern.ts';

const logger = createLogger({ part: 'table-stream' });

export interface StreamSource {
  batchSize: number;
  /** What the mapping lets through; anything, without one. */
  patterns: readonly unknown[];
  invoke: (event: unknown) => Promise<unknown>;
}

const intervalMs = 200;
/** How much each look covers of what the look before covered: a job may be written later than its time says. */
const overlapMs = 1000;

const StreamKeys = z.object({ pk: z.string(), sk: z.string() });

/**
 * Feeds a function with the jobs that are new in the table, as the table's stream does. They are found by their place in
 * the pending index: the engine has a stream of its own, but each write takes longer the more that stream holds.
 */
export const startTableStream = (table: Table, source: StreamSource): Stoppable =>
  runUntilStopped((signal) => follow(table, source, signal));

async function follow(table: Table, source: StreamSource, signal: AbortSignal): Promise<void> {
  let since = Date.now();
  let seen = new Set<string>();
  while (!signal.aborted) {
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    const now = Date.now();
    try {
      const found = await jobsAdded(table, since - overlapMs, now);
      const records = found
        .filter(({ pk }) => !seen.has(pk))
        .map(toRecord)
        .filter((record) => isWanted(record, source.patterns));
      for (let at = 0; at < records.length; at += source.batchSize)
        await source.invoke({ Records: records.slice(at, at + source.batchSize) });
      seen = new Set(found.map(({ pk }) => pk));
      since = now;
    } catch (error) {
      if (signal.aborted) return;
      logger.warn('stream_not_read', { error });
      await sleep(1000, undefined, { signal }).catch(() => undefined);
    }
  }
}

const dueIfAddedAt = (time: number) => new Date(time + graceSeconds * 1000).toISOString();

async function jobsAdded(table: Table, from: number, to: number) {
  const [after, upTo] = [dueIfAddedAt(from), `${dueIfAddedAt(to)}#~`];
  const reads = await Promise.all(pendingPartitions().map((partition) => table.query({ index: 'pending', partition, after, upTo })));
  return reads.flatMap(({ items }) => items.map((item) => StreamKeys.parse(item)));
}

let sequence = 0;

function toRecord({ pk, sk }: z.infer<typeof StreamKeys>) {
  sequence += 1;
  return {
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(sequence), StreamViewType: 'KEYS_ONLY' },
  };
}

function isWanted(record: unknown, patterns: readonly unknown[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesPattern(record, pattern));
}
