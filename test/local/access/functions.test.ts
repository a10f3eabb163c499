import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SendEmailCommand } from '@aws-sdk/client-sesv2';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { createFunctions, routesTo } from '../../../infra/local/lambda/function-host.ts';
import { Sha256 } from '../../../shared/aws/sha256.ts';
import { allowTable, type Change, type GuardedEngines, propertiesOf, startGuardedEngines } from '../../support/access/changed-app.ts';

jest.setTimeout(120_000);

/** Functions by what their roles allow here. */
const [reader, writer, seeker, bounded, cleaner] = ['event-projector', 'orders', 'purchases', 'licenses', 'sellers'] as const;

/** One thing changed for each test. */
const changes: Change = (resources) => {
  allowTable(resources, reader, { actions: ['GetItem'] });
  allowTable(resources, writer, { actions: ['GetItem', 'PutItem'] });
  allowTable(resources, seeker, { indexes: ['pending'] });
  allowTable(resources, bounded, { condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORDER#*'] } } });
  allowTable(resources, cleaner);
  const notDeleted = { Effect: 'Deny', Principal: '*', Action: 'dynamodb:DeleteItem', Resource: '*' };
  const ResourcePolicy = { PolicyDocument: { Version: '2012-10-17', Statement: [notDeleted] } };
  propertiesOf(resources, 'AWS::DynamoDB::GlobalTable').Replicas[0].ResourcePolicy = ResourcePolicy;

  const [secure] = propertiesOf(resources, 'AWS::SQS::QueuePolicy', 'HashQueue').PolicyDocument.Statement;
  Object.assign(secure, { Action: 'sqs:SendMessage' }).Condition.Bool['aws:SecureTransport'] = 'true';
  for (const { Type, logicalId, Properties } of resources) {
    if (Type !== 'AWS::Lambda::Permission') continue;
    if (logicalId.startsWith('DefaultRoute')) {
      Properties.SourceArn = JSON.parse(JSON.stringify(Properties.SourceArn).replace('/*/*', '/*/*/*'));
    }
    if (logicalId.includes('health')) Properties.Principal = 'events.amazonaws.com';
  }
};

let local: GuardedEngines;
let TableName: string;
beforeAll(async () => {
  local = await startGuardedEngines(changes);
  TableName = local.tableName;
});
afterAll(() => local.stop());

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'a' } });
const denied = (message = '') => ({ name: 'AccessDeniedException', message: expect.stringContaining(message) });
const tableAs = (name: string) => local.as(name).table;
const read = (pk = 'PRODUCT#1') => new GetItemCommand({ TableName, Key: key(pk) });
const put = (pk: string) => new PutItemCommand({ TableName, Item: key(pk) });
const queueUrl = (queue: string) => local.made('AWS::SQS::Queue', `${queue}Queue`).ref;
const toQueue = (queue: string) => new SendMessageCommand({ QueueUrl: queueUrl(queue), MessageBody: '{}' });
const secretOf = (setting: string) =>
  new GetSecretValueCommand({ SecretId: local.made('AWS::SecretsManager::Secret', setting.replaceAll('_', '')).ref });
const mailFrom = (from: string, ConfigurationSetName?: string) =>
  new SendEmailCommand({
    ConfigurationSetName,
    FromEmailAddress: from,
    Destination: { ToAddresses: ['buyer@example.com'] },
    Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
  });

test('a function does what its role allows', async () => {
  await tableAs(reader).send(read());
  await local.as('mail-sender').queues.send(toQueue('Mail'));
  await local.as('health').queues.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl('Mail'), AttributeNames: ['All'] }));
  await local.as('mail-sender').mail.send(mailFrom('Shop <licenses@example.com>'));
  expect((await local.as(reader).secrets.send(secretOf('PAYMENT_SECRET_KEY'))).SecretString).toBe('sk_test_local');
});

test('the table denies what the role does not allow, in the words of AWS', async () => {
  const [, role] = local.credentialsOf('health').principal.roleArn.split('/');
  await expect(tableAs('health').send(put('A'))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    $metadata: { httpStatusCode: 400 },
    message:
      `User: arn:aws:sts::000000000000:assumed-role/${role}/health is not authorized to perform: dynamodb:PutItem ` +
      `on resource: arn:aws:dynamodb:us-east-1:000000000000:table/${TableName} ` +
      'because no identity-based policy allows the dynamodb:PutItem action',
  });
  await expect(tableAs(reader).send(new ScanCommand({ TableName }))).rejects.toMatchObject(denied('dynamodb:Scan'));
});

test('queues, secrets and mail deny it too', async () => {
  const batch = new SendMessageBatchCommand({ QueueUrl: queueUrl('Mail'), Entries: [{ Id: '1', MessageBody: '{}' }] });
  await expect(local.as('health').queues.send(batch)).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
    message: expect.stringContaining('sqs:SendMessage'),
  });
  await expect(local.as('licenses').secrets.send(secretOf('PAYMENT_SECRET_KEY'))).rejects.toMatchObject(
    denied('secretsmanager:GetSecretValue'),
  );
  const before = (await local.engines.outbox.listMails()).length;
  for (const [name, mail, what] of [
    [reader, mailFrom('licenses@example.com'), 'ses:SendEmail'],
    ['mail-sender', mailFrom('ceo@bank.example'), 'identity/bank.example'],
    ['mail-sender', mailFrom('licenses@example.com', 'marketing'), 'configuration-set/marketing'],
  ] as const) {
    await expect(local.as(name).mail.send(mail)).rejects.toMatchObject(denied(what));
  }
  expect(await local.engines.outbox.listMails()).toHaveLength(before);
});

test.each([
  ['a secret key that is wrong', { secretAccessKey: 'guess' }, 'InvalidSignatureException'],
  ['no session token', { sessionToken: '' }, 'UnrecognizedClientException'],
  ['a session token of nobody', { sessionToken: 'guess' }, 'UnrecognizedClientException'],
  ['an access key of nobody', { accessKeyId: 'ASIAAAAAAAAAAAAAAAAA' }, 'UnrecognizedClientException'],
  ['what the stack itself comes with', { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: '' }, 'UnrecognizedClientException'],
])('nothing is answered to %s', async (_, change, name) => {
  const clients = local.as(reader, change);
  await expect(clients.table.send(read())).rejects.toMatchObject({ name });
  await expect(clients.mail.send(mailFrom('licenses@example.com'))).rejects.toMatchObject({ name });
  await expect(clients.secrets.send(secretOf('TOKEN_KEYS'))).rejects.toMatchObject({ name });
  const message = expect.stringMatching(/security token|signature/);
  await expect(clients.queues.send(toQueue('Mail'))).rejects.toMatchObject({ message });
});

test.each([
  ['a signature of now', 0, [], 200],
  ['a signature of 16 minutes ago', -16, [], 400],
  ['a signature of 16 minutes ahead', 16, [], 400],
  ['a signature that does not cover the host', 0, ['host'], 400],
])('%s', async (_, minutes, unsigned, status) => {
  const endpoint = new URL(local.engines.endpoints.AWS_ENDPOINT_URL_DYNAMODB);
  const credentials = local.credentialsOf(reader);
  const signer = new SignatureV4({ service: 'dynamodb', region: 'us-east-1', credentials, sha256: Sha256, applyChecksum: false });
  const body = JSON.stringify({ TableName, Key: key('PRODUCT#1') });
  const headers = { host: endpoint.host, 'x-amz-target': 'DynamoDB_20120810.GetItem', 'content-type': 'application/x-amz-json-1.0' };
  const request = new HttpRequest({ method: 'POST', hostname: endpoint.hostname, path: '/', headers, body });
  const signingDate = new Date(Date.now() + minutes * 60_000);
  const signed = await signer.sign(request, { signingDate, unsignableHeaders: new Set(unsigned) });
  const reply = await fetch(endpoint, { method: 'POST', headers: signed.headers, body });
  expect([reply.status, (await reply.text()).includes('InvalidSignatureException')]).toEqual([status, status === 400]);
});

test('nothing is answered unsigned, to the session token of another function, or to a signature for another service', async () => {
  const { AWS_ENDPOINT_URL_DYNAMODB: table, AWS_ENDPOINT_URL_SQS: queues } = local.engines.endpoints;
  const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables', 'content-type': 'application/x-amz-json-1.0' };
  const unsigned = await fetch(table, { method: 'POST', headers, body: '{}' });
  const __type = 'com.amazon.coral.service#MissingAuthenticationTokenException';
  expect([unsigned.status, await unsigned.json()]).toEqual([400, expect.objectContaining({ __type })]);
  const { sessionToken } = local.credentialsOf('orders');
  const foreign = local.as(reader, { sessionToken }).table.send(read());
  await expect(foreign).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  const elsewhere = local.as(reader, {}, { AWS_ENDPOINT_URL_DYNAMODB: queues }).table.send(read());
  await expect(elsewhere).rejects.toMatchObject({ name: 'IncompleteSignatureException' });
});

test('a transaction needs the action of each of its members', async () => {
  const table = tableAs(writer);
  const check = { ConditionCheck: { TableName, Key: key('A#2'), ConditionExpression: 'attribute_not_exists(pk)' } };
  const writes = (pk: string, ...more: object[]) =>
    table.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: key(pk) } }, ...more] }));
  await expect(writes('A#unwritten', check)).rejects.toMatchObject(denied('dynamodb:ConditionCheckItem'));
  expect((await table.send(read('A#unwritten'))).Item).toBeUndefined();
  await writes('A#1');
});

test('a query of an index needs the index, beside the table', async () => {
  const query = (IndexName: string | undefined, name: string) =>
    tableAs(seeker).send(
      new QueryCommand({
        TableName,
        IndexName,
        KeyConditionExpression: '#k = :k',
        ExpressionAttributeNames: { '#k': name },
        ExpressionAttributeValues: { ':k': { S: 'x' } },
      }),
    );
  await expect(query('list', 'listPk')).rejects.toMatchObject(denied('/index/list'));
  await query(undefined, 'pk');
});

test('leading keys bound reads and writes, of each item and of each partition', async () => {
  const table = tableAs(bounded);
  const batch = (...keys: string[]) => new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys.map(key) } } });
  const query = (partition: string) =>
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'begins_with(sk, :s) AND pk = :k',
      ExpressionAttributeValues: { ':k': { S: partition }, ':s': { S: 'a' } },
    });
  const mixed = ['ORDER#3', 'AUDIT#3'].map((pk) => ({ Put: { TableName, Item: key(pk) } }));
  await table.send(put('ORDER#1'));
  await table.send(batch('ORDER#1', 'ORDER#2'));
  await table.send(query('ORDER#1'));
  await expect(table.send(put('AUDIT#1'))).rejects.toMatchObject(denied('dynamodb:PutItem'));
  await expect(table.send(batch('ORDER#1', 'AUDIT#2'))).rejects.toMatchObject(denied('dynamodb:BatchGetItem'));
  await expect(table.send(query('AUDIT#1'))).rejects.toMatchObject(denied('dynamodb:Query'));
  const writes = table.send(new TransactWriteItemsCommand({ TransactItems: mixed }));
  await expect(writes).rejects.toMatchObject(denied('dynamodb:PutItem'));
});

test('a denial of the table or of a queue goes before what the role allows', async () => {
  const byResource = 'with an explicit deny in a resource-based policy';
  const deletion = new DeleteItemCommand({ TableName, Key: key('A#1') });
  await expect(tableAs(cleaner).send(deletion)).rejects.toMatchObject(denied(byResource));
  await tableAs(cleaner).send(read('A#1'));
  await expect(local.as('product-files').queues.send(toQueue('Hash'))).rejects.toMatchObject({
    message: expect.stringContaining(byResource),
  });
});

test('the gateway calls a function for the routes alone that its policy names, and in its own name', async () => {
  const { app, engines } = local;
  const { control, settingOf } = engines;
  const routes = routesTo(createFunctions(app, { settingOf, control, overrides: {}, runtime: {} }));
  for (const route of ['ANY /healthz', '$default']) {
    await expect(routes.get(route)!({})).rejects.toThrow('because no resource-based policy allows the lambda:InvokeFunction action');
  }
});

test('a service calls for the rule alone that a policy names', () => {
  const resource = local.made('AWS::Lambda::Alias', 'sweeperLive').ref;
  const sweep = (service: string, sourceArn: string) => () =>
    local.engines.control.access.authorize({ service, sourceArn }, { action: 'lambda:InvokeFunction', resource });
  const schedule = local.made('AWS::Events::Rule', 'SweepSchedule').attributes['Arn'] ?? '';
  expect(sweep('events.amazonaws.com', schedule)).not.toThrow();
  expect(sweep('events.amazonaws.com', `${schedule}2`)).toThrow('because no resource-based policy allows');
  expect(sweep('scheduler.amazonaws.com', schedule)).toThrow('not authorized to perform: lambda:InvokeFunction');
});
