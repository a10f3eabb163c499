import { createHash } from 'node:crypto';
import type { SettingName, Settings } from '../config.ts';
import { rateLimitKey } from '../db/keys.ts';
import type { Table } from '../db/table.ts';
import { type BucketRequest, microseconds, takeFromBucket } from '../db/token-bucket.ts';
import { AppError } from '../errors.ts';
import { subscribersBehind } from './callers/caller-address.ts';
import type { RateLimitName } from './endpoint.ts';

/** The limits of the endpoints by caller, those of sellers' writes by user, that of unknown license keys by product, those of webhook endpoints by seller, and those of updaters by license. */
export type LimitName =
  | RateLimitName
  | 'approved-writes'
  | 'endpoint-calls'
  | 'rotations'
  | 'unknown-keys'
  | 'updates'
  | 'update-downloads'
  | 'writes';

/** `more`: how many requests this caller has besides what everybody has. @throws AppError rate_limited when none is left. */
export type CheckRateLimit = (limit: LimitName, caller: string, more?: number) => Promise<void>;

/** How many requests each limit allows in a window, by its setting; 0 turns it off. */
const settingOf = {
  'approved-writes': 'RATE_LIMIT_SELLER',
  checkout: 'RATE_LIMIT_CHECKOUT',
  complete: 'RATE_LIMIT_COMPLETE',
  download: 'RATE_LIMIT_DOWNLOAD',
  'email-requests': 'RATE_LIMIT_EMAIL_REQUESTS',
  'endpoint-calls': 'RATE_LIMIT_ENDPOINT_CALLS',
  health: 'RATE_LIMIT_HEALTH',
  offline: 'RATE_LIMIT_OFFLINE',
  quote: 'RATE_LIMIT_QUOTE',
  rotations: 'RATE_LIMIT_ROTATIONS',
  search: 'RATE_LIMIT_SEARCH',
  'unknown-keys': 'RATE_LIMIT_UNKNOWN_KEYS',
  updates: 'RATE_LIMIT_UPDATES',
  'update-downloads': 'RATE_LIMIT_UPDATE_DOWNLOAD',
  writes: 'RATE_LIMIT_SELLER',
} as const satisfies Record<LimitName, SettingName>;
type LimitSettings = Partial<Pick<Settings, (typeof settingOf)[LimitName]>>;

/** Where two limits share a setting, what each has of one that is not 0: a sixth is everybody's, the rest that of approved sellers. */
const partOf: Partial<Record<LimitName, (setting: number) => number>> = {
  writes: (setting) => Math.ceil(setting / 6),
  'approved-writes': (setting) => Math.max(1, Math.floor((setting * 5) / 6)),
};

/** A minute, unless it is said here. */
const windows: Partial<Record<LimitName, number>> = { rotations: 3600, 'update-downloads': 3600 };
const windowOf = (limit: LimitName) => windows[limit] ?? 60;
const callersRemembered = 10_000;

/**
 * A token bucket for each subscriber, kept in the table: one conditional write for each
 * check, two where the address is of IPv6, none for a refusal that this instance can foresee.
 * Who is refused by the narrower bucket spends nothing of the wider one. What an instance
 * saw last decides which write will succeed, unless another one served the same caller in between.
 * See "Rate limits" in callers.md.
 */
export function createTableRateLimit({ table, settings, now }: { table: Table; settings: LimitSettings; now: () => Date }): CheckRateLimit {
  const lastSeen = createMemory();

  return async (limit, caller, more) => {
    const shares = sharesOf(settings, limit, caller, more);
    const buckets = shares.map((share) => ({ key: keyOf(limit, share), bucketNow: () => bucketAt(now(), share, windowOf(limit)) }));
    for (const { key, bucketNow } of buckets) refuseForeseen(bucketNow(), lastSeen.get(key.pk));
    for (const { key, bucketNow } of buckets) await takeOneOf(key, bucketNow);
  };

  async function takeOneOf(key: Key, bucketNow: () => BucketRequest): Promise<void> {
    // A failed condition returns what is stored, so the next try fits unless another call came in between.
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const bucket = bucketNow();
      const fullAt = lastSeen.get(key.pk);
      refuseForeseen(bucket, fullAt);
      const { fullAt: found, spent } = await takeFromBucket(table, key, bucket, fullAt < bucket.now);
      lastSeen.set(key.pk, found, bucket.now);
      if (spent) return;
    }
    throw tooMany(0);
  }
}

/** The same buckets in the memory of one function instance, for paths that must not touch the table. */
export function createMemoryRateLimit({ settings, now }: { settings: LimitSettings; now: () => Date }): CheckRateLimit {
  const lastSeen = createMemory();
  return async (limit, caller, more) => {
    const shares = sharesOf(settings, limit, caller, more).map((share) => {
      return { name: `${limit} ${share.name}`, bucket: bucketAt(now(), share, windowOf(limit)) };
    });
    for (const { name, bucket } of shares) refuseForeseen(bucket, lastSeen.get(name));
    for (const { name, bucket } of shares) lastSeen.set(name, Math.max(bucket.now, lastSeen.get(name)) + bucket.cost, bucket.now);
  };
}

/** A bucket that a caller takes from, and how many requests it holds. */
interface Share {
  name: string;
  capacity: number;
}

/** The buckets of a caller; none where the limit is turned off. */
function sharesOf(settings: LimitSettings, limit: LimitName, caller: string, more = 0): Share[] {
  const capacity = capacityOf(settings, limit);
  return capacity === 0 ? [] : subscribersBehind(caller).map(({ name, width }) => ({ name, capacity: (capacity + more) * width }));
}

type Key = ReturnType<typeof rateLimitKey>;
const keyOf = (limit: LimitName, { name }: Share): Key =>
  rateLimitKey(limit, createHash('sha256').update(name).digest('base64url').slice(0, 22));

/** A limit that was never configured must not be taken for one that is turned off. */
function capacityOf(settings: LimitSettings, limit: LimitName): number {
  const capacity = settings[settingOf[limit]];
  if (capacity === undefined) throw new Error(`The limit ${limit} is not set.`);
  return capacity === 0 ? 0 : (partOf[limit]?.(capacity) ?? capacity);
}

function bucketAt(at: Date, { capacity }: Share, windowSeconds: number): BucketRequest {
  const now = at.getTime() * 1000;
  const window = windowSeconds * microseconds;
  const cost = Math.floor(window / capacity);
  return { now, cost, latest: now + window - cost, keptSeconds: 10 * windowSeconds };
}

/** @throws AppError rate_limited when the bucket has no request left. */
function refuseForeseen({ latest }: BucketRequest, fullAt: number): void {
  if (fullAt > latest) throw tooMany(fullAt - latest);
}

/**
 * When each caller's bucket is full again, for as many callers as an instance has room for:
 * of more, those are forgotten whose buckets are full by now, which changes nothing.
 */
function createMemory() {
  const fullAtByCaller = new Map<string, number>();
  function makeRoom(now: number): void {
    for (const [caller, fullAt] of fullAtByCaller) if (fullAt < now) fullAtByCaller.delete(caller);
    if (fullAtByCaller.size >= callersRemembered) fullAtByCaller.clear();
  }
  return {
    get: (caller: string) => fullAtByCaller.get(caller) ?? 0,
    set(caller: string, fullAt: number, now: number): void {
      if (fullAtByCaller.size >= callersRemembered && !fullAtByCaller.has(caller)) makeRoom(now);
      fullAtByCaller.set(caller, fullAt);
    },
  };
}

function tooMany(wait: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(wait / microseconds));
  return new AppError('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}

/** A context with the limits that its settings say, counted in the table. */
export const withLimits = <Given extends { table: Table; now: () => Date; settings: LimitSettings }>(c: Given) => ({
  ...c,
  limitRate: createTableRateLimit(c),
});
