import * as z from 'zod/mini';
import type { Key } from './keys.ts';
import { ConditionFailedError, type Table } from './table.ts';

/** What one request takes from a bucket, in whole microseconds so that sums are exact. */
export interface BucketRequest {
  now: number;
  /** By how much the request delays the time at which the bucket is full. */
  cost: number;
  /** It is allowed while the bucket is full at this time at the latest. */
  latest: number;
  /** How long the table keeps the bucket: well beyond its window. */
  keptSeconds: number;
}

export const microseconds = 1_000_000;

/** When the bucket is full again, as the table holds it; where there is none, it is full since long ago. */
const StoredBucket = z.object({ fullAt: z._default(z.number(), 0) });

/**
 * Takes from a token bucket by one conditional write, without a read: it is kept as the time at which it will be full
 * again (GCRA), which only ever grows. `isFull` is what the caller knows of it; when that is out of date nothing is
 * spent, and `fullAt` tells what is stored, so that the next try fits unless another call came in between.
 */
export async function takeFromBucket(
  table: Table,
  key: Key,
  { now, cost, latest, keptSeconds }: BucketRequest,
  isFull: boolean,
): Promise<{ fullAt: number; spent: boolean }> {
  const [set, condition, values] = isFull
    ? [':next', 'attribute_not_exists(fullAt) OR fullAt < :now', { ':next': now + cost, ':now': now }]
    : ['fullAt + :cost', 'fullAt BETWEEN :now AND :latest', { ':cost': cost, ':now': now, ':latest': latest }];
  try {
    const item = await table.write({
      update: {
        Key: key,
        UpdateExpression: `SET fullAt = ${set}, #ttl = :ttl`,
        ConditionExpression: condition,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ...values, ':ttl': Math.ceil(now / microseconds) + keptSeconds },
      },
    });
    return { fullAt: StoredBucket.parse(item).fullAt, spent: true };
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    return { fullAt: StoredBucket.parse(error.old ?? {}).fullAt, spent: false };
  }
}
