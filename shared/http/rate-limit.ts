import { createHash } from 'node:crypto';
import { rateLimitKey } from '../db/keys.ts';
import { ConditionFailedError, type Table } from '../db/table.ts';
import { AppError } from '../errors.ts';

/** @throws AppError rate_limited when the caller has no request left. */
export type LimitRate = (limit: string, address: string) => Promise<void>;

const minute = 60;

/**
 * A token bucket a caller address, kept in the table: one conditional write a check.
 *
 * The bucket is kept as the time at which it will be full again (the GCRA form),
 * so a check needs neither a read nor a clock of the bucket's own. Only the first
 * request after a whole window of rest, which finds a stale bucket, takes a second write.
 */
export function createTableRateLimit({
  table,
  perWindow,
  windowSeconds = minute,
  now = Date.now,
}: {
  table: Table;
  /** How many requests each limit allows in a window; 0 turns it off. */
  perWindow: Partial<Record<string, number>>;
  windowSeconds?: number;
  now?: () => number;
}): LimitRate {
  const windowMs = windowSeconds * 1000;
  return async (limit, address) => {
    const capacity = perWindow[limit] ?? 0;
    if (capacity === 0) return;
    const cost = windowMs / capacity;
    const key = rateLimitKey(limit, createHash('sha256').update(subscriberOf(address)).digest('base64url').slice(0, 22));

    const spend = (set: string, condition: string, values: Record<string, number>) =>
      table.write({
        update: {
          Key: key,
          UpdateExpression: `SET fullAt = ${set}, #ttl = :ttl`,
          ConditionExpression: condition,
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ...values, ':cost': cost, ':now': now(), ':ttl': Math.ceil((now() + 10 * windowMs) / 1000) },
        },
      });

    // Allowed while the bucket, after this request, is full again within a window.
    const latest = () => now() + windowMs - cost;
    try {
      await spend('if_not_exists(fullAt, :now) + :cost', 'attribute_not_exists(fullAt) OR fullAt BETWEEN :now AND :latest', {
        ':latest': latest(),
      });
      return;
    } catch (error) {
      const fullAt = fullAtOf(error);
      if (fullAt >= now()) throw tooMany(fullAt - latest());
    }
    try {
      await spend(':now + :cost', 'fullAt < :now', {});
    } catch (error) {
      // Another request of the same caller refilled the bucket in between; this one spends like any other.
      if (!(error instanceof ConditionFailedError)) throw error;
      await spend('fullAt + :cost', 'fullAt <= :latest', { ':latest': latest() }).catch((second) => {
        throw tooMany(fullAtOf(second) - latest());
      });
    }
  };
}

/** The same bucket in the memory of one function instance, for paths that must not touch the table. */
export function createMemoryRateLimit({
  perWindow,
  now = Date.now,
}: {
  /** How many requests each limit allows in a minute; 0 turns it off. */
  perWindow: Partial<Record<string, number>>;
  now?: () => number;
}): LimitRate {
  const windowMs = minute * 1000;
  const fullAtOfCaller = new Map<string, number>();
  return async (limit, address) => {
    const capacity = perWindow[limit] ?? 0;
    if (capacity === 0) return;
    const cost = windowMs / capacity;
    const caller = `${limit} ${subscriberOf(address)}`;
    const fullAt = Math.max(now(), fullAtOfCaller.get(caller) ?? 0) + cost;
    if (fullAt > now() + windowMs) throw tooMany(fullAt - now() - windowMs);
    if (fullAtOfCaller.size >= 10_000) fullAtOfCaller.clear();
    fullAtOfCaller.set(caller, fullAt);
  };
}

/** One subscriber has one IPv4 address, or one /64 of IPv6. */
function subscriberOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const full = [...groups(head), ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...groups(tail ?? '')];
  return full
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function fullAtOf(error: unknown): number {
  if (error instanceof ConditionFailedError) return Number(error.old?.['fullAt'] ?? 0);
  throw error;
}

function tooMany(waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
