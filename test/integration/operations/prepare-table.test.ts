import { createServer, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startDynamoDb } from '../../../infra/local/engines/dynamodb-engine.ts';
import { type Engine, serve } from '../../../infra/local/engines/engine.ts';
import { createTables } from '../../../infra/local/engines/provision.ts';
import { localName, readSynthesizedApp } from '../../../infra/local/template.ts';
import { createDynamoClient, createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { queueKey, queuePartition } from '../../../shared/db/keys.ts';
import { createTable } from '../../../shared/db/table.ts';
import { callOps } from '../../support/call-command.ts';
import { synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(120_000);
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** What the engine has not, with what it would answer; anything else is passed on to it. */
const answers: Record<string, object> = {
  UpdateContinuousBackups: {},
  PutResourcePolicy: { RevisionId: '1' },
  DescribeContributorInsights: { ContributorInsightsStatus: 'DISABLED' },
  TagResource: {},
  UpdateContributorInsights: { ContributorInsightsStatus: 'ENABLING' },
};
const asked: { operation: string; input: Record<string, unknown> }[] = [];

let engine: Engine;
let before: Engine;
const server = createServer(async (message: IncomingMessage, response) => {
  const body = await buffer(message);
  const operation = String(message.headers['x-amz-target']).split('.').at(-1) ?? '';
  const answer = answers[operation];
  if (answer) {
    asked.push({ operation, input: JSON.parse(body.toString()) });
    response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
    return;
  }
  const { method, headers } = message;
  request(engine.endpoint, { method, headers }, (reply) => reply.pipe(response.writeHead(reply.statusCode ?? 500, reply.headers))).end(
    body,
  );
});

/** The table of the template, as CloudFormation would be told of it. */
type TableProperties = { [name: string]: any };
let own: TableProperties;
let client: DynamoDBClient;

/** A table as it was before the last index came. */
const createOlderTable = (TableName: string, { KeySchema, AttributeDefinitions: all, GlobalSecondaryIndexes }: TableProperties) =>
  client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema,
      AttributeDefinitions: all.filter(({ AttributeName }: TableProperties) => !AttributeName.startsWith('queue')),
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.filter(({ IndexName }: TableProperties) => IndexName !== 'queue'),
    }),
  );

beforeAll(async () => {
  engine = await startDynamoDb();
  client = createDynamoClient({ endpoint: engine.endpoint, region: 'us-east-1', credentials });
  before = await serve(server);
  const { data } = (await synthesizeAt('staging')).templates;
  own = Object.values(data.findResources('AWS::DynamoDB::GlobalTable'))[0]?.['Properties'];
});
afterAll(async () => {
  client.destroy();
  await before.stop();
  await engine.stop();
});

/** As in the cloud. */
const prepare = (name: string, STAGE = 'staging') =>
  callOps(['prepare-table', name], {
    STAGE,
    TABLE_NAME: 'Own',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: before.endpoint,
  });

test('a restored table is given all that the template gives its own, once', async () => {
  await createOlderTable('Restored', own);
  const { lines, stderr } = await prepare('Restored');
  expect(stderr).toBe('');
  expect(lines.slice(0, -1)).toEqual([
    'index queue is made',
    'stream, deletion protection and expiry are on',
    'backups of every second are kept',
    'nobody changes or deletes an audit record',
    'throttled keys are named',
  ]);

  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: 'Restored' }));
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: 'Restored' }));
  const made = Table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }));
  expect(made).toEqual(expect.arrayContaining(own['GlobalSecondaryIndexes']));
  const { Region: _, ...replica } = own['Replicas'][0];
  const inputOf = (operation: string) => asked.filter((request) => request.operation === operation).map(({ input }) => input);
  const insights = inputOf('UpdateContributorInsights').map(({ TableName, ...input }) => {
    expect(TableName).toBe('Restored');
    return input;
  });
  const [{ ResourceArn, Policy } = {}] = inputOf('PutResourcePolicy');
  const { ContributorInsightsSpecification, GlobalSecondaryIndexes: watched, ResourcePolicy, ...flags } = replica;
  expect(own['StreamSpecification']).toEqual({ StreamViewType: Table.StreamSpecification?.StreamViewType });
  expect(own['TimeToLiveSpecification']).toEqual({ AttributeName: TimeToLiveDescription?.AttributeName, Enabled: true });
  expect(flags).toEqual({
    Tags: inputOf('TagResource')[0]?.['Tags'],
    DeletionProtectionEnabled: Table.DeletionProtectionEnabled,
    PointInTimeRecoverySpecification: inputOf('UpdateContinuousBackups')[0]?.['PointInTimeRecoverySpecification'],
  });
  const modeOf = ({ Mode }: { Mode: string }) => ({ ContributorInsightsAction: 'ENABLE', ContributorInsightsMode: Mode });
  const perIndex = watched.map((index: any) => ({ IndexName: index.IndexName, ...modeOf(index.ContributorInsightsSpecification) }));
  expect(insights).toEqual([modeOf(ContributorInsightsSpecification), ...perIndex]);

  const { TableArn } = Table;
  expect(ResourceArn).toBe(TableArn);
  const [statement, ...others] = JSON.parse(String(Policy)).Statement;
  expect({ ...statement, Resource: '*' }).toEqual(ResourcePolicy.PolicyDocument.Statement[0]);
  expect(others).toEqual(ResourcePolicy.PolicyDocument.Statement.slice(1));
  expect(statement.Resource).toBe(TableArn);

  expect(lines.at(-1)).toMatch(/^RESTORED_TABLE_STREAM_ARN=arn:aws:dynamodb:\S+:table\/Restored\/stream\/\S+$/);
  expect((await prepare('Restored')).lines).toEqual(lines.slice(1));
  const here = [lines[1], 'backups, policy and insights are of the cloud alone', lines.at(-1)];
  expect((await prepare('Restored', 'local')).lines).toEqual(here);
});

test('a table that a version before made on one’s own machine gets the indexes that came since, with what is stored in it', async () => {
  const app = readSynthesizedApp((await synthesizeAt('local')).assembly.directory);
  const [resource] = app.ofType('AWS::DynamoDB::GlobalTable');
  const tableName = localName(resource!);
  await createOlderTable(tableName, resource!.properties);
  const { queuePk, queueSk } = queueKey('seller', '2026-01-31T09:00:00.000Z', 'sel_1');
  const item = { pk: 'SELLER#sel_1', sk: 'SELLER', id: 'sel_1', displayName: 'not held', queuePk, queueSk };
  const Item = Object.fromEntries(Object.entries(item).map(([name, S]) => [name, { S }]));
  await client.send(new PutItemCommand({ TableName: tableName, Item }));

  for (let starts = 0; starts < 2; starts += 1) await createTables(app, engine.endpoint);
  const table = createTable({ tableName, dynamo: createSdkDynamo(client) });
  const { items } = await table.query({ index: 'queue', partition: queuePartition });
  const { displayName: _, ...held } = item;
  expect(items).toEqual([held]);
});
