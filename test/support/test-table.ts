import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { createDynamoClient, createTable, type Table } from '../../shared/db/table.ts';

export interface TestTable {
  table: Table;
  tableName: string;
  /** How many requests went to the engine since the last call, by operation. */
  takeRequestCounts(): Record<string, number>;
}

type AroundRequest = <T>(operation: string, send: () => Promise<T>) => Promise<T>;

/**
 * A new, empty table on the real engine, with the keys and indexes of the deployed template.
 * `aroundRequest` gets each request, and may delay it, or throw in its place.
 */
export async function createTestTable({ aroundRequest = (_, send) => send() }: { aroundRequest?: AroundRequest } = {}): Promise<TestTable> {
  const client = createDynamoClient();
  const tableName = `test-${randomUUID()}`;
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
      return aroundRequest(name, () => next(args));
    },
    { step: 'initialize' },
  );
  return {
    table: createTable({ tableName, client }),
    tableName,
    takeRequestCounts() {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}
