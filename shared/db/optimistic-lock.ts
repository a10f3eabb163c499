import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Key } from './keys.ts';
import { ContentionError, contentionAttempts, contentionPauseMs, type Item, ifAbsent, type Write } from './table.ts';

/** The data that a write was based on has changed. Nothing was written: read again and decide again. */
export class OptimisticLockError extends Error {
  constructor() {
    super('What was read has changed since.');
    this.name = 'OptimisticLockError';
  }
}

/** What a write's failed condition means when the write relied on an item as it was read. */
export const lockConflict = () => new OptimisticLockError();

/** An item that counts its changes: a write that changes what others decide on raises `revision` by one. */
interface Versioned {
  revision: number;
}

const ifUnchanged = ({ revision }: Versioned) => ({
  ConditionExpression: 'revision = :read',
  ExpressionAttributeValues: { ':read': revision },
});

/** `next` in the place of exactly the item that was read. Changed since → OptimisticLockError. */
export const replaceUnchanged = (read: Versioned, next: Item): Write => ({
  put: { Item: next, ...ifUnchanged(read) },
  onConditionFailed: lockConflict,
});

/** The same of what may not be there yet, which is revision 0; `next` is counted as one more. */
export function putRevision(read: Versioned, next: Item): Write {
  const item = { ...next, revision: read.revision + 1 };
  return read.revision === 0 ? { put: { Item: item, ...ifAbsent }, onConditionFailed: lockConflict } : replaceUnchanged(read, item);
}

/** Holds while the item is the one that was read. Changed since → OptimisticLockError. */
export const checkUnchanged = (key: Key, read: Versioned): Write => ({
  check: { Key: key, ...ifUnchanged(read) },
  onConditionFailed: lockConflict,
});

/** Changes attributes of exactly the item that was read, and no other attribute. Changed since → OptimisticLockError. */
export function updateUnchanged(
  key: Key,
  read: Versioned,
  change: { UpdateExpression: string; ExpressionAttributeValues: Record<string, unknown> },
): Write {
  const { ConditionExpression, ExpressionAttributeValues } = ifUnchanged(read);
  const values = { ...change.ExpressionAttributeValues, ...ExpressionAttributeValues };
  return { update: { Key: key, ...change, ConditionExpression, ExpressionAttributeValues: values }, onConditionFailed: lockConflict };
}

/** Deletes exactly the item that was read. Changed since → OptimisticLockError. */
export const deleteUnchanged = (key: Key, read: Versioned): Write => ({
  delete: { Key: key, ...ifUnchanged(read) },
  onConditionFailed: lockConflict,
});

/** A condition that holds while these attributes of an item are as they were read, present or absent. */
export function ifAttributesUnchanged<T extends object>(
  read: T,
  names: readonly (keyof T & string)[],
): { condition: string; values: Record<string, unknown> } {
  const isPresent = (name: keyof T & string) => read[name] !== undefined;
  return {
    condition: names.map((name) => (isPresent(name) ? `${name} = :${name}` : `attribute_not_exists(${name})`)).join(' AND '),
    values: Object.fromEntries(names.filter(isPresent).map((name) => [`:${name}`, read[name]])),
  };
}

/** No attempt except the last starts later than this after the first. */
const patienceMs = 10_000;
/** Of rivals that make each other slow, none waits for longer before it decides again, nor until later than this after `patienceMs`. */
const maxSpreadMs = 6000;

interface RetryOptions {
  attempts?: number;
  /** A number in [0, 1), for the jitter between attempts. */
  random?: () => number;
  wait?: (milliseconds: number) => Promise<unknown>;
  /** A clock in milliseconds. */
  now?: () => number;
}

/**
 * Runs `decide` again as long as what it read was out of date when it wrote, or `transactOnce` was crowded out. Where
 * many change one item at once, more `attempts` let each have its turn. Whoever lost decides once more from a fresh
 * read, also when time is up: it may be that there is nothing left to win.
 *
 * @throws AppError dependency_unavailable when others were faster every time, or for 10 s. See "The optimistic lock" in writes.md
 */
export async function retryOptimisticLock<T>(
  decide: () => Promise<T>,
  { attempts = 6, random = Math.random, wait = sleep, now = () => performance.now() }: RetryOptions = {},
): Promise<T> {
  const start = now();
  for (let lost = 0, crowded = 0, isLast = false; ; ) {
    const startedAt = now();
    try {
      return await decide();
    } catch (error) {
      if (error instanceof ContentionError) crowded += 1;
      else if (error instanceof OptimisticLockError) lost += 1;
      else throw error;
      if (isLast) throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1, cause: error });
      // Competing writers back off, further each time they lose. With a spread below twice the time a decision takes,
      // all of them would keep reading what one of them is changing.
      const usualPauseMs = error instanceof ContentionError ? contentionPauseMs(crowded) : lost > 1 ? Math.min(400, 5 * 2 ** lost) : 0;
      const maxPauseMs = Math.max(usualPauseMs, Math.min(maxSpreadMs, 2 * (now() - startedAt)));
      const elapsed = now() - start;
      const pause = Math.min(random() * maxPauseMs, patienceMs + maxSpreadMs - elapsed);
      isLast = lost === attempts || crowded === contentionAttempts || elapsed + pause > patienceMs;
      if (pause > 0) await wait(pause);
    }
  }
}
