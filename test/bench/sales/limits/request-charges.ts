import type {
  AttributeValue,
  BatchGetItemCommandInput,
  GetItemCommandInput,
  QueryCommandInput,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../../shared/db/table.ts';
import { type Charge, type Place, readUnits, sizeOf } from './units.ts';

type Marshalled = Record<string, AttributeValue>;

/** One write of a request. */
export interface Action {
  kind: 'put' | 'update' | 'delete' | 'check';
  key: Item;
  /** What a put leaves. */
  item?: Item;
}

/** What a reply holds, as the document client has read it. */
export interface Reply {
  Item?: Item;
  Items?: Item[];
  Attributes?: Item;
  Responses?: Record<string, Item[]>;
  UnprocessedKeys?: Record<string, { Keys: Item[] }>;
}

const keyOf = ({ pk, sk }: Item): Item => ({ pk, sk });
const ofKey = (kind: Action['kind'], key: Marshalled = {}): Action => ({ kind, key: unmarshall(key) });
const ofPut = (marshalled: Marshalled = {}): Action => {
  const item = unmarshall(marshalled);
  return { kind: 'put', key: keyOf(item), item };
};

/** The writes of a request, none for one that reads. */
export function actionsOf(command: string, input: unknown): Action[] {
  const { Item: item, Key, TransactItems = [] } = input as { Item?: Marshalled; Key?: Marshalled; TransactItems?: TransactWriteItem[] };
  switch (command) {
    case 'PutItemCommand':
      return [ofPut(item)];
    case 'UpdateItemCommand':
      return [ofKey('update', Key)];
    case 'DeleteItemCommand':
      return [ofKey('delete', Key)];
    case 'TransactWriteItemsCommand':
      return TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => {
        if (Put) return ofPut(Put.Item);
        if (Update) return ofKey('update', Update.Key);
        return Delete ? ofKey('delete', Delete.Key) : ofKey('check', ConditionCheck?.Key);
      });
    default:
      return [];
  }
}

/** What a request that reads takes, given its reply; of a missing item as of a small one. None for one that writes. */
export function chargesOfRead(command: string, input: unknown, reply: Reply = {}): Charge[] {
  const read = (partition: unknown, bytes: number, consistent = false, place: Place = 'table'): Charge => ({
    place,
    partition: String(partition),
    kind: 'read',
    units: readUnits(bytes, { consistent }),
  });
  if (command === 'GetItemCommand') {
    const { Key, ConsistentRead } = input as GetItemCommandInput;
    return [read(Key?.['pk']?.S, sizeOf(reply.Item), ConsistentRead)];
  }
  if (command === 'QueryCommand') {
    const { IndexName, ExpressionAttributeValues, ConsistentRead } = input as QueryCommandInput;
    const bytes = (reply.Items ?? []).reduce((sum, item) => sum + sizeOf(item), 0);
    return [read(ExpressionAttributeValues?.[':pk']?.S, bytes, ConsistentRead, (IndexName ?? 'table') as Place)];
  }
  if (command !== 'BatchGetItemCommand') return [];
  return Object.entries((input as BatchGetItemCommandInput).RequestItems ?? {}).flatMap(([table, { Keys = [], ConsistentRead }]) =>
    Keys.map((marshalled) => {
      const key = unmarshall(marshalled);
      const item = reply.Responses?.[table]?.find(({ pk, sk }) => pk === key['pk'] && sk === key['sk']);
      return read(key['pk'], sizeOf(item), ConsistentRead);
    }),
  );
}

/** Leaves out of the reply to a batch what is in these partitions, as keys that were not processed. */
export function withoutPartitions(reply: Reply, input: unknown, partitions: ReadonlySet<string>): void {
  const isLeftOut = ({ pk }: Item) => partitions.has(String(pk));
  for (const [table, { Keys = [] }] of Object.entries((input as BatchGetItemCommandInput).RequestItems ?? {})) {
    const left = Keys.map((key) => unmarshall(key)).filter(isLeftOut);
    if (left.length === 0) continue;
    reply.Responses = { ...reply.Responses, [table]: (reply.Responses?.[table] ?? []).filter((item) => !isLeftOut(item)) };
    reply.UnprocessedKeys = { ...reply.UnprocessedKeys, [table]: { Keys: left } };
  }
}
