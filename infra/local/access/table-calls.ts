import * as z from 'zod/mini';
import { account, region } from '../references.ts';
import type { Call, Operation } from './call.ts';

/** The name of the partition key of a table, or of one of its indexes; undefined when there is none. */
export type PartitionKeyOf = (table: string, index?: string) => string | undefined;

type Item = Record<string, unknown>;
const Item = z.record(z.string(), z.unknown());
const Keyed = z.looseObject({ TableName: z.string(), Key: z.optional(Item), Item: z.optional(Item) });
const Batch = z.object({ RequestItems: z.record(z.string(), z.unknown()) });
const BatchKeys = z.object({ Keys: z.array(Item) });
const BatchWrites = z.array(z.object({ PutRequest: z.optional(z.object({ Item })), DeleteRequest: z.optional(z.object({ Key: Item })) }));
const Transaction = z.object({ TransactItems: z.array(z.record(z.string(), Keyed)) });
const Read = z.looseObject({
  TableName: z.string(),
  IndexName: z.optional(z.string()),
  Select: z.optional(z.string()),
  KeyConditionExpression: z.optional(z.string()),
  ExpressionAttributeNames: z._default(z.record(z.string(), z.string()), {}),
  ExpressionAttributeValues: z._default(z.record(z.string(), z.unknown()), {}),
});
const AttributeValue = z.union([z.object({ S: z.string() }), z.object({ N: z.string() }), z.object({ B: z.string() })]);

/** The actions that each member of a transaction is allowed by. */
const transactionActions: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** What a request to the table is allowed by: an action for each item of a transaction, and the index that is read instead of its table. */
export function tableCalls({ name, input }: Operation, keyOf: PartitionKeyOf): Call[] {
  const call = (action: string, table: string, items: readonly Item[], context: Call['context'] = {}): Call => ({
    action: `dynamodb:${action}`,
    resource: tableArn(table),
    context: { 'dynamodb:LeadingKeys': items.map((item) => leadingKey(item[keyOf(nameOf(table)) ?? ''])), ...context },
  });

  switch (name) {
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem': {
      const { TableName, Key, Item: item } = z.parse(Keyed, input);
      return [call(name, TableName, [Key ?? item ?? {}])];
    }
    case 'BatchGetItem':
      return Object.entries(z.parse(Batch, input).RequestItems).map(([table, read]) => call(name, table, z.parse(BatchKeys, read).Keys));
    case 'BatchWriteItem':
      return Object.entries(z.parse(Batch, input).RequestItems).map(([table, writes]) =>
        call(
          name,
          table,
          z.parse(BatchWrites, writes).map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
        ),
      );
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return z
        .parse(Transaction, input)
        .TransactItems.flatMap((member) =>
          Object.entries(member).map(([kind, { TableName, Key, Item: item }]) =>
            call(transactionActions[kind] ?? kind, TableName, [Key ?? item ?? {}], { 'dynamodb:EnclosingOperation': name }),
          ),
        );
    case 'Query':
    case 'Scan':
      return [readCall(name, input, keyOf)];
    default: {
      // What no function does: by name it may still be allowed.
      const { TableName } = z.parse(z.looseObject({ TableName: z.optional(z.string()) }), input);
      return [{ action: `dynamodb:${name}`, resource: TableName === undefined ? '*' : tableArn(TableName) }];
    }
  }
}

function readCall(name: 'Query' | 'Scan', input: Operation['input'], keyOf: PartitionKeyOf): Call {
  const read = z.parse(Read, input);
  const { TableName, IndexName, Select } = read;
  const index = IndexName === undefined ? '' : `/index/${IndexName}`;
  const asked = keyOf(nameOf(TableName), IndexName);
  return {
    action: `dynamodb:${name}`,
    resource: `${tableArn(TableName)}${index}`,
    context: {
      ...(name === 'Query' && { 'dynamodb:LeadingKeys': [partitionOf(read, asked)] }),
      ...(Select !== undefined && { 'dynamodb:Select': Select }),
    },
  };
}

/** The partition that a query names; of a condition that is not understood none, which no policy allows by its key. */
function partitionOf(read: z.infer<typeof Read>, asked: string | undefined): string {
  const { KeyConditionExpression = '', ExpressionAttributeNames: names, ExpressionAttributeValues: values } = read;
  const equalities = [...KeyConditionExpression.matchAll(/(#?\w+)\s*=\s*(:\w+)/g)];
  const found = equalities.find(([, name = '']) => (names[name] ?? name) === asked);
  return leadingKey(values[found?.[2] ?? '']);
}

function leadingKey(value: unknown): string {
  const read = z.safeParse(AttributeValue, value);
  return read.success ? (Object.values(read.data)[0] ?? '') : '';
}

const nameOf = (table: string) => table.slice(table.lastIndexOf('/') + 1);
const tableArn = (table: string) => (table.startsWith('arn:') ? table : `arn:aws:dynamodb:${region}:${account}:table/${table}`);
