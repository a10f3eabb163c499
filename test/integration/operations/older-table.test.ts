import { CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startDynamoDb } from '../../../infra/local/engines/dynamodb-engine.ts';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { createTables } from '../../../infra/local/engines/provision.ts';
import { localName, readSynthesizedApp } from '../../../infra/local/template.ts';
import { createDynamoClient, createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { queueKey, queuePartition } from '../../../shared/db/keys.ts';
import { createTable } from '../../../shared/db/table.ts';
import { synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(120_000);

let engine: Engine;
beforeAll(async () => {
  engine = await startDynamoDb();
});
afterAll(() => engine.stop());

test('a table that a version before made gets the indexes that came since, with what is stored in it', async () => {
  const app = readSynthesizedApp((await synthesizeAt('local')).assembly.directory);
  const [resource] = app.ofType('AWS::DynamoDB::GlobalTable');
  const properties = resource?.properties as any;
  const tableName = localName(resource!);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = createDynamoClient({ endpoint: engine.endpoint, region: 'us-east-1', credentials });
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = properties;
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema,
      AttributeDefinitions: AttributeDefinitions.filter(({ AttributeName }: any) => !AttributeName.startsWith('queue')),
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.filter(({ IndexName }: any) => IndexName !== 'queue'),
    }),
  );
  const { queuePk, queueSk } = queueKey('seller', '2026-01-31T09:00:00.000Z', 'sel_1');
  const item = { pk: 'SELLER#sel_1', sk: 'SELLER', id: 'sel_1', displayName: 'not held', queuePk, queueSk };
  const Item = Object.fromEntries(Object.entries(item).map(([name, S]) => [name, { S }]));
  await client.send(new PutItemCommand({ TableName: tableName, Item }));

  for (let starts = 0; starts < 2; starts += 1) await createTables(app, engine.endpoint);
  const table = createTable({ tableName, dynamo: createSdkDynamo(client) });
  const { items } = await table.query({ index: 'queue', partition: queuePartition });
  const { displayName: _, ...held } = item;
  expect(items).toEqual([held]);
  client.destroy();
});
