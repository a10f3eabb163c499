import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type CreateTableCommandInput, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { createDynamoClient, createSdkDynamo } from '../../../shared/db/sdk-dynamo.ts';
import { createTable, type Item, type Table } from '../../../shared/db/table.ts';
import type { Faults } from './faults.ts';

export interface TestTable {
  table: Table;
  tableName: string;
  /** The client that the table uses. */
  client: DynamoDBClient;
  /** How many requests went to the engine since the last call, by operation. */
  takeRequestCounts(): Record<string, number>;
  /** Every item, by its key. */
  readAll(): Promise<Record<string, Item>>;
}

/**
 * A new, empty table on the real engine, with the keys and indexes of the deployed template.
 * `faults` gets each request with the name of its operation, and may delay it or fail in its place.
 */
export async function createTestTable({ faults }: { faults?: Faults } = {}): Promise<TestTable> {
  const client = createDynamoClient();
  const tableName = `${process.env['TEST_TABLE_PREFIX'] ?? 'test-'}${randomUUID()}`;
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = JSON.parse(process.env['TEST_TABLE_PROPERTIES'] ?? '{}');
  const input: CreateTableCommandInput = {
    TableName: tableName,
    KeySchema,
    AttributeDefinitions,
    GlobalSecondaryIndexes,
    BillingMode: 'PAY_PER_REQUEST',
  };
  await client.send(new CreateTableCommand(input));

  let counts: Record<string, number> = {};
  client.middlewareStack.add(
    (next, context) => (args) => {
      const name = (context.commandName ?? 'unknown').replace('Command', '');
      counts[name] = (counts[name] ?? 0) + 1;
      return faults ? faults.call(name, () => next(args)) : next(args);
    },
    { step: 'initialize' },
  );
  return {
    table: createTable({ tableName, dynamo: createSdkDynamo(client) }),
    tableName,
    client,
    takeRequestCounts() {
      const taken = counts;
      counts = {};
      return taken;
    },
    async readAll() {
      const items: Item[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName }))
        items.push(...Items.map((item) => unmarshall(item)));
      return Object.fromEntries(
        items.map((item) => [`${item['pk']} ${item['sk']}`, item]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      );
    },
  };
}
