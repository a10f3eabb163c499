import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../../../shared/db/keys.ts';
import type { Item } from '../../../../shared/db/table.ts';

/** As many as one BatchGetItem takes. */
const keysAtATime = 100;

export interface ReaderOptions {
  client: DynamoDBClient;
  tableName: string;
  /** At most so many read units a second, reckoned over the run. */
  unitsPerSecond: number;
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** What a rule reads with. */
export interface Read {
  get(key: Key): Promise<Item | undefined>;
  /** All items of a partition whose sort key has the prefix. */
  query(range: { pk: string; prefix: string }): Promise<Item[]>;
}

export type TableReader = ReturnType<typeof createTableReader>;

/**
 * Reads the whole table as operators may, and nobody else: in segments, page by page, and no faster
 * than it is told. It holds a page of each segment, at most 1 MB, and what was asked for besides.
 */
export function createTableReader({ client, tableName, unitsPerSecond, wait = sleep }: ReaderOptions) {
  const pace = createPace(unitsPerSecond, wait);
  const source: Source = { documents: DynamoDBDocumentClient.from(client), tableName, paced: pace.paced, wait };
  return {
    scan: (Segment: number, TotalSegments: number, consistent: boolean) =>
      pagesOf(source, consistent, (request) => source.documents.send(new ScanCommand({ ...request, Segment, TotalSegments }))),
    /** Half the price, but eventually consistent. */
    lately: readingOf(source, false),
    now: readingOf(source, true),
    unitsRead: pace.unitsRead,
  };
}

/** What is read from, at which pace. */
interface Source {
  documents: DynamoDBDocumentClient;
  tableName: string;
  paced: ReturnType<typeof createPace>['paced'];
  wait: (milliseconds: number) => Promise<unknown>;
}

function createPace(unitsPerSecond: number, wait: (milliseconds: number) => Promise<unknown>) {
  const started = Date.now();
  let units = 0;
  return {
    unitsRead: () => units,

    /** Waits until what was read fits the rate, and counts what this request reads. */
    async paced<Reply extends { ConsumedCapacity?: Capacity | Capacity[] | undefined }>(request: () => Promise<Reply>): Promise<Reply> {
      const ahead = (units / unitsPerSecond) * 1000 - (Date.now() - started);
      if (ahead > 0) await wait(ahead);
      const reply = await request();
      for (const { CapacityUnits = 0 } of [reply.ConsumedCapacity ?? []].flat()) units += CapacityUnits;
      return reply;
    },
  };
}

/** What `ask` answers, page by page; it is given what all requests have, and where this one begins. */
async function* pagesOf(
  { tableName: TableName, paced }: Source,
  ConsistentRead: boolean,
  ask: (request: PageRequest) => Promise<ScanCommandOutput | QueryCommandOutput>,
): AsyncGenerator<Item[]> {
  let after: Item | undefined;
  do {
    const request = { TableName, ConsistentRead, ExclusiveStartKey: after, ReturnConsumedCapacity: 'TOTAL' } as const;
    const reply = await paced(() => ask(request));
    yield reply.Items ?? [];
    after = reply.LastEvaluatedKey;
  } while (after !== undefined);
}
type PageRequest = Pick<ScanCommandInput, 'TableName' | 'ConsistentRead' | 'ExclusiveStartKey' | 'ReturnConsumedCapacity'>;

async function query(source: Source, { pk, prefix }: { pk: string; prefix: string }, consistent: boolean): Promise<Item[]> {
  const range = {
    KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ...(prefix !== '' && { ':prefix': prefix }) },
  };
  const items: Item[] = [];
  const pages = pagesOf(source, consistent, (request) => source.documents.send(new QueryCommand({ ...request, ...range })));
  for await (const page of pages) items.push(...page);
  return items;
}

async function getAll(
  { documents, tableName, paced, wait }: Source,
  keys: readonly Key[],
  consistent: boolean,
): Promise<Map<string, Item>> {
  const found = new Map<string, Item>();
  for (let at = 0; at < keys.length; at += keysAtATime) {
    let rest: Record<string, unknown>[] = keys.slice(at, at + keysAtATime).map(({ pk, sk }) => ({ pk, sk }));
    for (let attempt = 0; rest.length > 0; attempt += 1) {
      if (attempt > 0) await wait(Math.min(5000, 50 * 2 ** attempt));
      const RequestItems = { [tableName]: { Keys: rest, ConsistentRead: consistent } };
      const reply = await paced(() => documents.send(new BatchGetCommand({ RequestItems, ReturnConsumedCapacity: 'TOTAL' })));
      for (const item of reply.Responses?.[tableName] ?? []) found.set(textOf(item), item);
      rest = reply.UnprocessedKeys?.[tableName]?.Keys ?? [];
    }
  }
  return found;
}

/** Single reads that are asked for at the same time are one request. */
function readingOf(source: Source, consistent: boolean): Read {
  let asked: Key[] = [];
  let batch: Promise<Map<string, Item>> | undefined;
  const next = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const unique = new Map(asked.map((key) => [textOf(key), key]));
    [asked, batch] = [[], undefined];
    return getAll(source, [...unique.values()], consistent);
  };
  return {
    async get(key) {
      asked.push(key);
      batch ??= next();
      return (await batch).get(textOf(key));
    },
    query: (range) => query(source, range, consistent),
  };
}

interface Capacity {
  CapacityUnits?: number | undefined;
}

const textOf = ({ pk, sk }: Item | Key) => JSON.stringify([pk, sk]);
