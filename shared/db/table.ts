import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../errors.ts';
import { ConditionFailedError, type Dynamo, type Item, TransactionCancelled } from './dynamo/dynamo.ts';
import type { IndexName, Key } from './keys.ts';

export { ConditionFailedError, type Item } from './dynamo/dynamo.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Guard = {
  /** The error to throw when the condition of this write fails; `old` is the item that was there. */
  onConditionFailed?: ((old: Item | undefined) => Error) | undefined;
};
type WithoutTableName<Action> = Omit<NonNullable<Action>, 'TableName' | 'ReturnValuesOnConditionCheckFailure'>;

/** One write, to be made alone with `write` or together with others in `transact`. */
export type Write =
  | ({ put: WithoutTableName<TransactItem['Put']> } & Guard)
  | ({ update: WithoutTableName<TransactItem['Update']> } & Guard)
  | ({ delete: WithoutTableName<TransactItem['Delete']> } & Guard)
  | ({ check: WithoutTableName<TransactItem['ConditionCheck']> } & Guard);

export type Query = {
  index?: IndexName | undefined;
  partition: string;
  /** Only sort keys with this prefix. */
  prefix?: string;
  /** Exclusive: start after this sort key, in the direction of the query. */
  after?: string | undefined;
  /** Inclusive upper bound of the sort key. */
  upTo?: string | undefined;
  limit?: number | undefined;
  newestFirst?: boolean;
  /** Only how many there are; a count that is not at its end goes on at `start`. */
  select?: 'COUNT';
  start?: Item | undefined;
};

export type Table = ReturnType<typeof createTable>;

/** Nothing was written because of contention; a fresh read tells whether the request still applies. */
export class ContentionError extends Error {
  constructor(cause: unknown) {
    super('A transaction was crowded out.', { cause });
    this.name = 'CrowdedOutError';
  }
}

/** How often a write is attempted under contention. */
export const contentionAttempts = 20;
const unprocessedAttempts = 6;
/** As many as one BatchGetItem takes. */
const keysAtATime = 100;

/**
 * Access to the one table. Reads are strongly consistent unless they go to an index.
 *
 * A table that cannot be reached or throttles is thrown as AppError `dependency_unavailable`.
 */
export function createTable(options: {
  tableName: string;
  dynamo: Dynamo;
  /** A number in [0, 1), for the jitter between attempts. */
  random?: () => number;
  wait?: (milliseconds: number) => Promise<unknown>;
}) {
  const { tableName, dynamo, random = Math.random, wait = sleep } = options;
  const backoff = (attempt: number) => wait(random() * Math.min(400, 10 * 2 ** attempt));

  const requestOf = (write: Write): TransactItem => {
    const common = { TableName: tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    if ('put' in write) return { Put: { ...write.put, ...common } };
    if ('update' in write) return { Update: { ...write.update, ...common } };
    if ('delete' in write) return { Delete: { ...write.delete, ...common } };
    return { ConditionCheck: { ...write.check, ...common } };
  };

  async function get(key: Key): Promise<Item | undefined> {
    const { item } = await guarded(() => dynamo.get({ TableName: tableName, Key: key, ConsistentRead: true }));
    return item;
  }

  /**
   * The items under `keys`, 100 a request, in no certain order, each as of a moment of its own; missing ones are left out.
   * Of large ones of which little is needed, `attributes` alone. See "Batches" in reads.md
   */
  async function batchGet(keys: readonly Key[], attributes?: readonly string[]): Promise<Item[]> {
    const found: Item[] = [];
    for (let at = 0; at < keys.length; at += keysAtATime) found.push(...(await batchOf(keys.slice(at, at + keysAtATime), attributes)));
    return found;
  }

  async function batchOf(keys: readonly Key[], attributes: readonly string[] | undefined): Promise<Item[]> {
    const found: Item[] = [];
    const projection = attributes && projectionOf(attributes);
    let rest: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
    for (let attempt = 0; rest.length > 0; attempt += 1) {
      if (attempt > 0) {
        if (attempt === unprocessedAttempts) throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1 });
        await backoff(attempt);
      }
      const request = { RequestItems: { [tableName]: { Keys: rest, ConsistentRead: true, ...projection } } };
      const reply = await guarded(() => dynamo.batchGet(request));
      found.push(...(reply.itemsOf[tableName] ?? []));
      rest = reply.rest?.[tableName]?.Keys ?? [];
    }
    return found;
  }

  /** By names of ours, since some attributes are called as words of DynamoDB. */
  const projectionOf = (attributes: readonly string[]) => ({
    ProjectionExpression: attributes.map((_, at) => `#a${at}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, at) => [`#a${at}`, name])),
  });

  /** One request: up to `limit` items, and whether the partition may hold more. */
  async function query(query: Query): Promise<{ items: Item[]; more: boolean; count: number; lastKey: Item | undefined }> {
    const { index, partition, prefix, after, newestFirst = false } = query;
    const [pk, sk] = keyNames(index);
    const range = sortKeyRange(query);
    const reply = await guarded(() =>
      dynamo.query({
        TableName: tableName,
        IndexName: index,
        ConsistentRead: index === undefined,
        KeyConditionExpression: ['#pk = :pk', range.condition].filter(Boolean).join(' AND '),
        ExpressionAttributeNames: { '#pk': pk, ...(range.condition && { '#sk': sk }) },
        ExpressionAttributeValues: { ':pk': partition, ...range.values },
        ScanIndexForward: !newestFirst,
        Limit: query.limit,
        Select: query.select,
        ExclusiveStartKey: query.start,
      }),
    );
    const inRange = (item: Item) => prefix === undefined || String(item[sk]).startsWith(prefix);
    const read = reply.items.filter((item) => item[sk] !== after);
    const items = read.filter(inRange);
    return { items, more: reply.lastKey !== undefined && items.length === read.length, count: reply.count, lastKey: reply.lastKey };
  }

  /**
   * One conditional write; returns the item as it is after an update.
   *
   * @throws what `onConditionFailed` makes of a failed condition, else ConditionFailedError.
   */
  async function write(write: Write): Promise<Item> {
    return retryOnContention(async () => {
      try {
        const request = requestOf(write);
        if (request.Put) {
          await dynamo.put(request.Put);
          return request.Put.Item ?? {};
        }
        if (request.Update) {
          const { attributes = {} } = await dynamo.update({ ...request.Update, ReturnValues: 'ALL_NEW' });
          return attributes;
        }
        if (request.Delete) {
          await dynamo.delete(request.Delete);
          return {};
        }
        throw new Error('A condition check can only be part of a transaction.');
      } catch (error) {
        throw error instanceof ConditionFailedError ? failureOf(write, error.old) : error;
      }
    });
  }

  /**
   * All of `writes` or none, at most 100. The first write whose condition fails
   * decides the error, so their order is the precedence of errors. A transaction
   * that collides with another or is throttled is tried again with jitter.
   *
   * @throws AppError dependency_unavailable when it was crowded out every time. See "Transactions" in writes.md
   */
  const transact = (writes: readonly Write[]): Promise<void> => retryOnContention(() => tryTransaction(writes));

  /**
   * The same for what is decided anew from fresh reads, with `retryOptimisticLock`, instead of being tried again.
   *
   * @throws CrowdedOutError
   */
  async function transactOnce(writes: readonly Write[]): Promise<void> {
    try {
      await guarded(() => tryTransaction(writes));
    } catch (error) {
      throw isCrowdedOut(error) ? new ContentionError(error) : error;
    }
  }

  /** Under one token as long as it is not known how it ended: what was made is then not made, or judged, again. */
  async function askForEnd(request: TransactWriteCommandInput): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await dynamo.transactWrite(request);
      } catch (error) {
        if (!isInProgress(error) || attempt === contentionAttempts) throw error;
        await wait(random() * contentionPauseMs(attempt));
      }
    }
  }

  async function tryTransaction(writes: readonly Write[]): Promise<void> {
    try {
      await askForEnd({ TransactItems: writes.map(requestOf), ClientRequestToken: randomUUID() });
    } catch (error) {
      if (!(error instanceof TransactionCancelled)) throw error;
      const failed = error.reasons.findIndex(({ code }) => code === 'ConditionalCheckFailed');
      const write = writes[failed];
      throw write ? failureOf(write, error.reasons[failed]?.old) : error;
    }
  }

  async function retryOnContention<T>(attemptOnce: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await guarded(attemptOnce);
      } catch (error) {
        if (!isCrowdedOut(error)) throw error;
        if (attempt === contentionAttempts) {
          throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1, cause: error });
        }
        await wait(random() * contentionPauseMs(attempt));
      }
    }
  }

  return { get, batchGet, query, write, transact, transactOnce };
}

const keyNames = (index: IndexName | undefined) => (index ? ([`${index}Pk`, `${index}Sk`] as const) : (['pk', 'sk'] as const));

function failureOf(write: Write, old: Item | undefined): Error {
  return write.onConditionFailed?.(old) ?? new ConditionFailedError(old);
}

/** A key condition takes one comparison of the sort key, so a prefix that comes with a start is checked on the result. */
function sortKeyRange({ prefix, after, upTo, newestFirst }: Query): { condition: string; values: Record<string, string> } {
  // What is at `after` itself is left out of the result.
  if (after !== undefined && upTo !== undefined)
    return { condition: '#sk BETWEEN :after AND :upTo', values: { ':after': after, ':upTo': upTo } };
  if (after !== undefined) return { condition: `#sk ${newestFirst ? '<' : '>'} :after`, values: { ':after': after } };
  if (upTo !== undefined) return { condition: '#sk <= :upTo', values: { ':upTo': upTo } };
  return prefix ? { condition: 'begins_with(#sk, :prefix)', values: { ':prefix': prefix } } : { condition: '', values: {} };
}

/** In milliseconds, after this many attempts under contention. */
export const contentionPauseMs = (attempt: number) => Math.min(800, 5 * 4 ** (attempt - 1));

const crowdedReasons = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Another write won the item, or its partition is throttled: nothing was written, and the request may still apply. */
function isCrowdedOut(error: unknown): boolean {
  if (error instanceof TransactionCancelled) return error.reasons.some(({ code }) => crowdedReasons.has(code));
  return error instanceof Error && error.name === 'TransactionConflictException';
}

/** An earlier request of the same transaction, whose answer was lost, is under way: it may be made, or not. */
const isInProgress = (error: unknown) => error instanceof Error && error.name === inProgress;

const inProgress = 'TransactionInProgressException';

const unavailableErrors = new Set([
  inProgress,
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'AbortError',
  // Something other than DynamoDB replied.
  'UnknownError',
]);

async function guarded<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (isUnavailable(error)) {
      throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1, cause: error });
    }
    throw error;
  }
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false;
  const networkFailure = 'code' in error && /^E[A-Z]+$/.test(String(error.code));
  return unavailableErrors.has(error.name) || networkFailure;
}

/**
 * Makes one write if its condition holds; returns the item as it is after an update, undefined where it does not hold. A client
 * repeats a write whose answer was lost, and then sees its own: `isOwn` tells what this very write has left.
 */
export async function writeIfHolds(table: Table, write: Write, isOwn: (old: Item) => boolean = () => false): Promise<Item | undefined> {
  try {
    return await table.write(write);
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    return error.old && isOwn(error.old) ? error.old : undefined;
  }
}

/** The condition under which a put creates and never overwrites. */
export const ifAbsent = { ConditionExpression: 'attribute_not_exists(pk)' } as const;
