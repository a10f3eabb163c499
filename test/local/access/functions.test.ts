import {
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SendEmailCommand } from '@aws-sdk/client-sesv2';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../../shared/aws/sha256.ts';
import { allowTable, type GuardedEngines, startGuardedEngines, statementsOf } from '../../support/access/changed-app.ts';

jest.setTimeout(120_000);

/** A function with the table, whose rights the tests set. */
const worker = 'event-projector';

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'a' } });
const denied = (message = '') => ({ name: 'AccessDeniedException', message: expect.stringContaining(message) });

const mailFrom = (from: string, ConfigurationSetName?: string) =>
  new SendEmailCommand({
    ConfigurationSetName,
    FromEmailAddress: from,
    Destination: { ToAddresses: ['buyer@example.com'] },
    Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
  });

describe('with roles that allow some of it', () => {
  let local: GuardedEngines;
  beforeAll(async () => {
    local = await startGuardedEngines((resources) => allowTable(resources, worker, { actions: ['GetItem'] }));
  });
  afterAll(() => local.stop());

  const read = () => new GetItemCommand({ TableName: local.tableName, Key: key('PRODUCT#1') });
  const queueUrl = (queue: string) => local.made('AWS::SQS::Queue', `${queue}Queue`).ref;
  const secretArn = (setting: string) => local.made('AWS::SecretsManager::Secret', setting.replaceAll('_', '')).ref;

  test('a function does what its role allows', async () => {
    await local.as(worker).table.send(read());
    await local.as('mail-sender').queues.send(new SendMessageCommand({ QueueUrl: queueUrl('Mail'), MessageBody: '{}' }));
    await local.as('health').queues.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl('Mail'), AttributeNames: ['All'] }));
    await local.as('mail-sender').mail.send(mailFrom('Shop <licenses@example.com>'));
    const secret = new GetSecretValueCommand({ SecretId: secretArn('PAYMENT_SECRET_KEY') });
    expect((await local.as(worker).secrets.send(secret)).SecretString).toBe('sk_test_local');
  });

  test('the table denies what the role does not allow, in the words of AWS', async () => {
    const { functionName, roleArn } = local.credentialsOf('health').principal;
    const [, role] = roleArn.split('/');
    const put = local.as(functionName).table.send(new PutItemCommand({ TableName: local.tableName, Item: key('A') }));
    await expect(put).rejects.toMatchObject({
      name: 'AccessDeniedException',
      $metadata: { httpStatusCode: 400 },
      message:
        `User: arn:aws:sts::000000000000:assumed-role/${role}/health is not authorized to perform: dynamodb:PutItem ` +
        `on resource: arn:aws:dynamodb:us-east-1:000000000000:table/${local.tableName} ` +
        'because no identity-based policy allows the dynamodb:PutItem action',
    });
    const scan = new ScanCommand({ TableName: local.tableName });
    await expect(local.as(worker).table.send(scan)).rejects.toMatchObject(denied('dynamodb:Scan'));
  });

  test('queues, secrets and mail deny it too', async () => {
    const send = { QueueUrl: queueUrl('Mail'), Entries: [{ Id: '1', MessageBody: '{}' }] };
    await expect(local.as('health').queues.send(new SendMessageBatchCommand(send))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
      message: expect.stringContaining('sqs:SendMessage'),
    });
    const secret = new GetSecretValueCommand({ SecretId: secretArn('PAYMENT_SECRET_KEY') });
    await expect(local.as('licenses').secrets.send(secret)).rejects.toMatchObject(denied('secretsmanager:GetSecretValue'));
    const before = (await local.engines.outbox.listMails()).length;
    await expect(local.as(worker).mail.send(mailFrom('licenses@example.com'))).rejects.toMatchObject(denied('ses:SendEmail'));
    await expect(local.as('mail-sender').mail.send(mailFrom('ceo@bank.example'))).rejects.toMatchObject(denied('identity/bank.example'));
    const underOtherSet = local.as('mail-sender').mail.send(mailFrom('licenses@example.com', 'marketing'));
    await expect(underOtherSet).rejects.toMatchObject(denied('configuration-set/marketing'));
    expect(await local.engines.outbox.listMails()).toHaveLength(before);
  });

  test.each([
    ['a secret key that is wrong', { secretAccessKey: 'guess' }, 'InvalidSignatureException'],
    ['no session token', { sessionToken: '' }, 'UnrecognizedClientException'],
    ['a session token of nobody', { sessionToken: 'guess' }, 'UnrecognizedClientException'],
    ['an access key of nobody', { accessKeyId: 'ASIAAAAAAAAAAAAAAAAA' }, 'UnrecognizedClientException'],
    [
      'what the stack itself comes with',
      { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: '' },
      'UnrecognizedClientException',
    ],
  ])('nothing is answered to %s', async (_, change, name) => {
    const clients = local.as(worker, change);
    await expect(clients.table.send(read())).rejects.toMatchObject({ name });
    await expect(clients.mail.send(mailFrom('licenses@example.com'))).rejects.toMatchObject({ name });
    await expect(clients.secrets.send(new GetSecretValueCommand({ SecretId: secretArn('TOKEN_KEYS') }))).rejects.toMatchObject({ name });
    await expect(clients.queues.send(new SendMessageCommand({ QueueUrl: queueUrl('Mail'), MessageBody: '{}' }))).rejects.toMatchObject({
      message: expect.stringMatching(/security token|signature/),
    });
  });

  test.each([
    ['a signature of now', 0, [], 200],
    ['a signature of 16 minutes ago', -16, [], 400],
    ['a signature of 16 minutes ahead', 16, [], 400],
    ['a signature that does not cover the host', 0, ['host'], 400],
  ])('%s', async (_, minutes, unsigned, status) => {
    const endpoint = new URL(local.engines.endpoints.AWS_ENDPOINT_URL_DYNAMODB);
    const { accessKeyId, secretAccessKey, sessionToken } = local.credentialsOf(worker);
    const credentials = { accessKeyId, secretAccessKey, sessionToken };
    const signer = new SignatureV4({ service: 'dynamodb', region: 'us-east-1', credentials, sha256: Sha256, applyChecksum: false });
    const body = JSON.stringify({ TableName: local.tableName, Key: key('PRODUCT#1') });
    const headers = { host: endpoint.host, 'x-amz-target': 'DynamoDB_20120810.GetItem', 'content-type': 'application/x-amz-json-1.0' };
    const request = new HttpRequest({ method: 'POST', hostname: endpoint.hostname, path: '/', headers, body });
    const signingDate = new Date(Date.now() + minutes * 60_000);
    const signed = await signer.sign(request, { signingDate, unsignableHeaders: new Set(unsigned) });
    const reply = await fetch(endpoint, { method: 'POST', headers: signed.headers, body });
    expect([reply.status, (await reply.text()).includes('InvalidSignatureException')]).toEqual([status, status === 400]);
  });

  test('the session token of another function is worth nothing', async () => {
    const { sessionToken } = local.credentialsOf('orders');
    await expect(local.as(worker, { sessionToken }).table.send(read())).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });

  test('nothing is answered unsigned, and a signature for one service is none for another', async () => {
    const { AWS_ENDPOINT_URL_DYNAMODB: table, AWS_ENDPOINT_URL_SQS: queues } = local.engines.endpoints;
    const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables', 'content-type': 'application/x-amz-json-1.0' };
    const unsigned = await fetch(table, { method: 'POST', headers, body: '{}' });
    expect([unsigned.status, await unsigned.json()]).toEqual([
      400,
      expect.objectContaining({ __type: 'com.amazon.coral.service#MissingAuthenticationTokenException' }),
    ]);
    const client = local.as(worker, {}, { AWS_ENDPOINT_URL_DYNAMODB: queues }).table;
    await expect(client.send(read())).rejects.toMatchObject({ name: 'IncompleteSignatureException' });
  });
});

describe('with one thing changed in the templates', () => {
  let local: GuardedEngines | undefined;
  const startWith = async (...change: Parameters<typeof startGuardedEngines>) => {
    await local?.stop();
    local = undefined;
    local = await startGuardedEngines(...change);
    return { ...local, client: local.as(worker).table };
  };
  afterAll(() => local?.stop());

  test('a transaction needs the action of each of its members', async () => {
    const { client, tableName: TableName } = await startWith((resources) =>
      allowTable(resources, worker, { actions: ['GetItem', 'PutItem'] }),
    );
    const put = { Put: { TableName, Item: key('A#1') } };
    const check = { ConditionCheck: { TableName, Key: key('A#2'), ConditionExpression: 'attribute_not_exists(pk)' } };
    await expect(client.send(new TransactWriteItemsCommand({ TransactItems: [put, check] }))).rejects.toMatchObject(
      denied('dynamodb:ConditionCheckItem'),
    );
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key('A#1') }));
    expect(Item).toBeUndefined();
    await client.send(new TransactWriteItemsCommand({ TransactItems: [put] }));
  });

  test('a query of an index needs the index, beside the table', async () => {
    const { client, tableName: TableName } = await startWith((resources) => allowTable(resources, worker, { indexes: ['pending'] }));
    const query = (IndexName: string | undefined, name: string) =>
      client.send(
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
    const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORDER#*'] } };
    const { client, tableName: TableName } = await startWith((resources) => allowTable(resources, worker, { condition }));
    const batch = (...keys: string[]) => client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys.map(key) } } }));
    const query = (partition: string) =>
      client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'begins_with(sk, :s) AND pk = :k',
          ExpressionAttributeValues: { ':k': { S: partition }, ':s': { S: 'a' } },
        }),
      );
    await client.send(new PutItemCommand({ TableName, Item: key('ORDER#1') }));
    await expect(client.send(new PutItemCommand({ TableName, Item: key('AUDIT#1') }))).rejects.toMatchObject(denied('dynamodb:PutItem'));
    await batch('ORDER#1', 'ORDER#2');
    await expect(batch('ORDER#1', 'AUDIT#2')).rejects.toMatchObject(denied('dynamodb:BatchGetItem'));
    await query('ORDER#1');
    await expect(query('AUDIT#1')).rejects.toMatchObject(denied('dynamodb:Query'));
    const mixed = ['ORDER#3', 'AUDIT#3'].map((pk) => ({ Put: { TableName, Item: key(pk) } }));
    await expect(client.send(new TransactWriteItemsCommand({ TransactItems: mixed }))).rejects.toMatchObject(denied('dynamodb:PutItem'));
  });

  test('an explicit denial goes before what is allowed, in the role and on the table', async () => {
    const deny = { Effect: 'Deny', Action: 'dynamodb:PutItem', Resource: '*' };
    const inRole = await startWith((resources) => {
      allowTable(resources, worker);
      statementsOf(resources, worker).push(deny);
    });
    const put = new PutItemCommand({ TableName: inRole.tableName, Item: key('A#1') });
    await expect(inRole.client.send(put)).rejects.toMatchObject(denied('with an explicit deny in an identity-based policy'));
    const onTable = await startWith((resources) => {
      allowTable(resources, worker);
      const table = resources.find(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable');
      const Statement = [{ ...deny, Principal: '*' }];
      table!.Properties.Replicas[0].ResourcePolicy = { PolicyDocument: { Version: '2012-10-17', Statement } };
    });
    await expect(onTable.client.send(put)).rejects.toMatchObject(denied('with an explicit deny in a resource-based policy'));
    await onTable.client.send(new GetItemCommand({ TableName: onTable.tableName, Key: key('A#1') }));
  });

  test('a denial in the policy of a queue goes before what the role allows', async () => {
    const { as, made } = await startWith((resources) => {
      const policy = resources.find(({ Type, logicalId }) => Type === 'AWS::SQS::QueuePolicy' && logicalId.startsWith('MailQueue'));
      policy!.Properties.PolicyDocument.Statement[0].Condition.Bool['aws:SecureTransport'] = 'true';
    });
    const send = new SendMessageCommand({ QueueUrl: made('AWS::SQS::Queue', 'MailQueue').ref, MessageBody: '{}' });
    await expect(as('mail-sender').queues.send(send)).rejects.toMatchObject({
      message: expect.stringContaining('with an explicit deny in a resource-based policy'),
    });
  });
});
