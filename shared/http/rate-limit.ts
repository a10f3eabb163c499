import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { rateLimitKey } from '../db/keys.ts';
import { ConditionFailedError, type Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { subscriberOf } from './caller-address.ts';
import type { RateLimitName } from './endpoint.ts';

/** The limits of the endpoints by caller, and that of mailings by e-mail address. */
export type LimitName = RateLimitName | 'resend';

/** @throws AppError rate_limited when the caller has no request left. */
export type LimitRate = (limit: LimitName, caller: string) => Promise<void>;

/** How many requests each limit allows in a window; 0 turns it off. */
type PerWindow = Partial<Record<LimitName, number>>;

/** The bucket of a caller as the table holds it, in microseconds; where there is none, it is full since long ago. */
const StoredBucket = z.object({ fullAt: z._default(z.number(), 0) });

const minute = 60;
const callersRemembered = 10_000;

/**
 * A token bucket for each caller address, kept in the table: one conditional write for each
 * check, none for a refusal that this instance can foresee.
 *
 * The bucket is kept as the time at which it will be full again (GCRA), so it needs no
 * read. That time only ever grows: what an instance saw last decides which write will
 * succeed, unless another instance served the same caller in between.
 * See "Rate limits" in README.md.
 */
export function createTableRateLimit({
  table,
  perWindow,
  windowSeconds = minute,
  now = () => new Date(),
}: {
  table: Table;
  perWindow: PerWindow;
  windowSeconds?: number;
  now?: () => Date;
}): LimitRate {
  const lastSeen = createMemory();

  return async (limit, caller) => {
    const capacity = capacityOf(perWindow, limit);
    if (capacity === 0) return;
    const key = rateLimitKey(limit, createHash('sha256').update(subscriberOf(caller)).digest('base64url').slice(0, 22));
    // A failed condition returns what is stored, so the next try fits unless another call came in between.
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const bucket = bucketAt(now(), capacity, windowSeconds);
      const fullAt = lastSeen.get(key.pk) ?? 0;
      if (fullAt > bucket.latest) throw tooMany(fullAt - bucket.latest);
      const { fullAt: found, spent } = await spend(key, bucket, fullAt < bucket.now);
      lastSeen.set(key.pk, found);
      if (spent) return;
    }
    throw tooMany(0);
  };

  async function spend(key: ReturnType<typeof rateLimitKey>, bucket: Bucket, isFull: boolean): Promise<{ fullAt: number; spent: boolean }> {
    const { now: at, cost, latest } = bucket;
    const [set, condition, values] = isFull
      ? [':next', 'attribute_not_exists(fullAt) OR fullAt < :now', { ':next': at + cost, ':now': at }]
      : ['fullAt + :cost', 'fullAt BETWEEN :now AND :latest', { ':cost': cost, ':now': at, ':latest': latest }];
    try {
      const item = await table.write({
        update: {
          Key: key,
          UpdateExpression: `SET fullAt = ${set}, #ttl = :ttl`,
          ConditionExpression: condition,
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ...values, ':ttl': Math.ceil(at / microseconds) + 10 * windowSeconds },
        },
      });
      return { fullAt: StoredBucket.parse(item).fullAt, spent: true };
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      return { fullAt: StoredBucket.parse(error.old ?? {}).fullAt, spent: false };
    }
  }
}

/** The same bucket in the memory of one function instance, for paths that must not touch the table. */
export function createMemoryRateLimit({ perWindow, now = () => new Date() }: { perWindow: PerWindow; now?: () => Date }): LimitRate {
  const lastSeen = createMemory();
  return async (limit, caller) => {
    const capacity = capacityOf(perWindow, limit);
    if (capacity === 0) return;
    const bucket = bucketAt(now(), capacity, minute);
    const bucketName = `${limit} ${subscriberOf(caller)}`;
    const fullAt = lastSeen.get(bucketName) ?? 0;
    if (fullAt > bucket.latest) throw tooMany(fullAt - bucket.latest);
    lastSeen.set(bucketName, Math.max(bucket.now, fullAt) + bucket.cost);
  };
}

/** A limit that nobody set must not pass for one that is turned off. */
function capacityOf(perWindow: PerWindow, limit: LimitName): number {
  const capacity = perWindow[limit];
  if (capacity === undefined) throw new Error(`The limit ${limit} is not set.`);
  return capacity;
}

const microseconds = 1_000_000;

/** Whole microseconds, so that sums of costs are exact. */
interface Bucket {
  now: number;
  /** By how much one request delays the time at which the bucket is full. */
  cost: number;
  /** A request is allowed while the bucket is full at this time at the latest. */
  latest: number;
}

function bucketAt(at: Date, capacity: number, windowSeconds: number): Bucket {
  const now = at.getTime() * 1000;
  const cost = Math.floor((windowSeconds * microseconds) / capacity);
  return { now, cost, latest: now + windowSeconds * microseconds - cost };
}

/** When each caller's bucket is full again, for as many callers as an instance has room for. */
function createMemory() {
  const fullAtByCaller = new Map<string, number>();
  return {
    get: (caller: string) => fullAtByCaller.get(caller),
    set(caller: string, fullAt: number): void {
      if (fullAtByCaller.size >= callersRemembered) fullAtByCaller.clear();
      fullAtByCaller.set(caller, fullAt);
    },
  };
}

function tooMany(wait: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(wait / microseconds));
  return new AppError('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
