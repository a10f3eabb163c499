import { randomUUID } from 'node:crypto';
import type { DynamoDBClient, TransactWriteItem, TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';
import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTestTable } from '../../support/engines/test-table.ts';

type Writes = readonly TransactWriteItem[];

/** The transactions that a client makes from now on, until `stop` returns them. */
export function recordTransactions(client: DynamoDBClient): { stop(): Writes[] } {
  const recorded: Writes[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'TransactWriteItemsCommand') recorded.push((args.input as TransactWriteItemsInput).TransactItems ?? []);
        return next(args);
      },
    { step: 'build', name: 'recordTransactions' },
  );
  return {
    stop() {
      client.middlewareStack.remove('recordTransactions');
      return recorded;
    },
  };
}

/** Makes transactions of the same shape on a new table, again and again: as many writes of the same kinds, of the same items under new keys, and nothing else. */
export async function openBareTable(shape: readonly Writes[]): Promise<() => Promise<void>> {
  const { tableName: TableName } = await createTestTable();
  const client = createDynamoClient();
  return async () => {
    for (const writes of shape) {
      await client.send(new TransactWriteItemsCommand({ TransactItems: writes.map((write) => alike(write, TableName)) }));
    }
  };
}

function alike({ Put, Update, Delete }: TransactWriteItem, TableName: string): TransactWriteItem {
  const Key = { pk: { S: `BARE#${randomUUID()}` }, sk: { S: 'BARE' } };
  if (Put) return { Put: { TableName, Item: { ...Put.Item, ...Key }, ConditionExpression: 'attribute_not_exists(pk)' } };
  if (Update) {
    const values = { ExpressionAttributeNames: { '#one': 'one' }, ExpressionAttributeValues: { ':one': { S: 'one' } } };
    return { Update: { TableName, Key, UpdateExpression: 'SET #one = :one', ...values } };
  }
  const condition = { TableName, Key, ConditionExpression: 'attribute_not_exists(pk)' };
  return Delete ? { Delete: condition } : { ConditionCheck: condition };
}
