import { randomUUID } from 'node:crypto';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { createSignedClient } from '../../../shared/aws/signed-client.ts';
import { type Dynamo, requestLimits } from '../../../shared/db/dynamo/dynamo.ts';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createSignedDynamo, dynamodb } from '../../../shared/db/dynamo/signed-dynamo.ts';
import { createTable, type Item, type Table } from '../../../shared/db/table.ts';
import type { Faults } from './faults.ts';

export interface TestTable {
  table: Table;
  /** The same without faults, and not counted. */
  plain: Table;
  tableName: string;
  /** The requests that the table makes. */
  dynamo: Dynamo;
  /** How many requests went to the engine since the last call, by operation. */
  takeRequestCounts(): Record<string, number>;
  /** Every item, by its key. */
  readAll(): Promise<Record<string, Item>>;
}

interface Page {
  Items?: Record<string, AttributeValue>[];
  LastEvaluatedKey?: Record<string, AttributeValue>;
}

/** The signed client takes half of the processor; `TEST_DYNAMO=sdk` asks as most functions do. */
const createClients = () => ({
  endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'],
  dynamo: process.env['TEST_DYNAMO'] === 'sdk' ? createSdkDynamo() : createSignedDynamo(),
  send: createSignedClient<Page>(dynamodb, requestLimits),
});

/** Connections to the engine are a worker's, not a table's. */
let clients: ReturnType<typeof createClients> | undefined;

function clientsOfWorker() {
  if (clients?.endpoint !== process.env['AWS_ENDPOINT_URL_DYNAMODB']) clients = undefined;
  clients ??= createClients();
  return clients;
}

/** What DynamoDB calls the requests of the interface. */
const operations = {
  get: 'GetItem',
  batchGet: 'BatchGetItem',
  query: 'Query',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  transactWrite: 'TransactWriteItems',
} as const satisfies Record<keyof Dynamo, string>;

/**
 * A new, empty table on the real engine, with the keys and indexes of the deployed template.
 * `faults` gets each request with the name of its operation, and may delay it or fail in its place; a client's own
 * retries are within one. `client`, where given, makes the table's requests.
 */
export async function createTestTable({
  faults,
  client,
}: {
  faults?: Faults | undefined;
  client?: DynamoDBClient;
} = {}): Promise<TestTable> {
  const { dynamo: shared, send } = clientsOfWorker();
  const unwatched = client ? createSdkDynamo(client) : shared;
  const TableName = `${process.env['TEST_TABLE_PREFIX'] ?? 'test-'}${randomUUID()}`;
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = JSON.parse(process.env['TEST_TABLE_PROPERTIES'] ?? '{}');
  await send('CreateTable', { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode: 'PAY_PER_REQUEST' });

  let counts: Record<string, number> = {};
  const watch =
    <Method extends keyof Dynamo>(method: Method): Dynamo[Method] =>
    (request: never): Promise<never> => {
      const name = operations[method];
      counts[name] = (counts[name] ?? 0) + 1;
      const make = () => unwatched[method](request) as Promise<never>;
      return faults ? faults.call(name, make) : make();
    };
  const methods = Object.keys(operations) as (keyof Dynamo)[];
  const dynamo = Object.fromEntries(methods.map((method) => [method, watch(method)])) as unknown as Dynamo;
  return {
    table: createTable({ tableName: TableName, dynamo }),
    plain: createTable({ tableName: TableName, dynamo: unwatched }),
    tableName: TableName,
    dynamo,
    takeRequestCounts() {
      const taken = counts;
      counts = {};
      return taken;
    },
    async readAll() {
      const items: Item[] = [];
      let ExclusiveStartKey: Page['LastEvaluatedKey'];
      do {
        const page = await send('Scan', { TableName, ExclusiveStartKey });
        items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
      return Object.fromEntries(
        items.map((item) => [`${item['pk']} ${item['sk']}`, item]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      );
    },
  };
}
