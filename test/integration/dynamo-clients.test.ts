import { randomUUID } from 'node:crypto';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Engine, serve } from '../../infra/local/engines/engine.ts';
import { endpointOf } from '../../shared/aws/signed-client.ts';
import { ConditionFailedError, type Dynamo, TransactionCancelled } from '../../shared/db/dynamo/dynamo.ts';
import { createSdkDynamo } from '../../shared/db/dynamo/sdk-dynamo.ts';
import { createSignedDynamo } from '../../shared/db/dynamo/signed-dynamo.ts';
import { createTestTable } from '../support/engines/test-table.ts';

/** What stands between a client and the engine does with a request. */
type Fault = 'none' | 'drop' | 'lose the answer' | 'stall' | 'stall midway' | { status: number; body: string; date?: Date };

interface Seen {
  headers: IncomingMessage['headers'];
  body: string;
}

const refusal = (status: number, name: string): Fault => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no' }),
});

describe.each<[string, () => Dynamo]>([
  ['the client of the SDK', () => createSdkDynamo()],
  ['the signed client', createSignedDynamo],
])('%s', (_name, createDynamo) => {
  const before = { ...process.env };
  let proxy: Engine;
  let faults: Fault[];
  let seen: Seen[];
  let connections: number;
  let TableName: string;
  let dynamo: Dynamo;

  beforeAll(async () => {
    TableName = (await createTestTable()).tableName;
  });
  beforeEach(async () => {
    key = { pk: randomUUID(), sk: 'S' };
    item = { ...key, ...attributes };
    [faults, seen, connections] = [[], [], 0];
    const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
    const server = createServer((request, response) => void meddle(engine, request, response));
    server.on('connection', () => {
      connections += 1;
    });
    proxy = await serve(server);
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.endpoint;
    dynamo = createDynamo();
  });
  afterEach(async () => {
    process.env = { ...before };
    await proxy.stop();
  });

  async function meddle(engine: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    seen.push({ headers: request.headers, body });
    const fault = faults.shift() ?? 'none';
    if (fault === 'drop') return void request.socket.destroy();
    if (fault === 'stall') return;
    if (fault === 'stall midway') return void response.writeHead(200, { 'content-length': 500 }).write('{"Item":');
    if (typeof fault === 'object') {
      const date = (fault.date ?? new Date()).toUTCString();
      return void response.writeHead(fault.status, { date }).end(fault.body);
    }
    const onward = forward(engine, { method: 'POST', headers: request.headers }, (answer) => {
      if (fault === 'lose the answer') return void answer.resume().on('end', () => request.socket.destroy());
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  }

  const attributes = {
    text: 'é "quoted" \u{1f600}',
    empty: '',
    number: -12.5,
    yes: true,
    none: null,
    list: ['a', 1, { deep: [] }],
    map: { inner: { count: 3 } },
  };
  /** Of each test its own. */
  let key: { pk: string; sk: string };
  let item: typeof key & typeof attributes;
  const get = () => dynamo.get({ TableName, Key: key, ConsistentRead: true });

  test('keeps what items hold, and leaves out what is undefined', async () => {
    await dynamo.put({ TableName, Item: { ...item, gone: undefined, nested: { gone: undefined, here: 1 } } });
    const kept = { ...item, nested: { here: 1 } };
    expect(await get()).toEqual({ item: kept });
    expect(await dynamo.get({ TableName, Key: { ...key, sk: 'nobody' } })).toEqual({ item: undefined });
    const keys = [key, { ...key, sk: 'nobody' }];
    const { itemsOf, rest = {} } = await dynamo.batchGet({ RequestItems: { [TableName]: { Keys: keys, ConsistentRead: true } } });
    expect([itemsOf, rest]).toEqual([{ [TableName]: [kept] }, {}]);
  });

  test('asks again for what a batch left', async () => {
    await dynamo.put({ TableName, Item: item });
    const left = { [TableName]: { Keys: [{ pk: { S: key.pk }, sk: { S: 'S' } }], ConsistentRead: true } };
    faults = [{ status: 200, body: JSON.stringify({ Responses: {}, UnprocessedKeys: left }) }];
    const { itemsOf, rest } = await dynamo.batchGet({ RequestItems: { [TableName]: { Keys: [key], ConsistentRead: true } } });
    expect([itemsOf[TableName] ?? [], rest]).toEqual([[], { [TableName]: { Keys: [key], ConsistentRead: true } }]);
    expect((await dynamo.batchGet({ RequestItems: rest })).itemsOf).toEqual({ [TableName]: [item] });
  });

  test('reads a partition page by page, and counts it', async () => {
    for (const sk of ['1', '2', '3']) await dynamo.put({ TableName, Item: { ...key, sk } });
    const all = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': key.pk } };
    const first = await dynamo.query({ ...all, Limit: 2 });
    expect(first).toEqual({
      items: ['1', '2'].map((sk) => ({ ...key, sk })),
      count: 2,
      lastKey: { ...key, sk: '2' },
    });
    const next = await dynamo.query({ ...all, ExclusiveStartKey: first.lastKey });
    expect(next).toEqual({ items: [{ ...key, sk: '3' }], count: 1, lastKey: undefined });
    expect(await dynamo.query({ ...all, Select: 'COUNT' })).toMatchObject({ items: [], count: 3 });
  });

  test('updates and deletes, and tells what stood where a condition failed', async () => {
    const ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
    const increase = { TableName, Key: key, UpdateExpression: 'SET #n = :n', ExpressionAttributeNames: { '#n': 'number' } };
    const update = { ...increase, ExpressionAttributeValues: { ':n': 7 }, ReturnValues: 'ALL_NEW' } as const;
    expect(await dynamo.update(update)).toEqual({ attributes: { ...key, number: 7 } });
    const absent = { ConditionExpression: 'attribute_not_exists(pk)', ReturnValuesOnConditionCheckFailure } as const;
    const old = { ...key, number: 7 };
    for (const refused of [
      dynamo.put({ TableName, Item: item, ...absent }),
      dynamo.update({ ...update, ...absent }),
      dynamo.delete({ TableName, Key: key, ...absent }),
    ]) {
      await expect(refused).rejects.toBeInstanceOf(ConditionFailedError);
      await expect(refused).rejects.toMatchObject({ old });
    }
    await dynamo.delete({ TableName, Key: key });
    expect(await get()).toEqual({ item: undefined });
  });

  test('writes a transaction whole or not at all, and says why', async () => {
    await dynamo.transactWrite({ TransactItems: [{ Put: { TableName, Item: item } }] });
    const condition = { ConditionExpression: 'attribute_not_exists(pk)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    const refused = dynamo.transactWrite({
      TransactItems: [
        { Put: { TableName, Item: { ...key, sk: 'other' } } },
        { Update: { TableName, Key: key, UpdateExpression: 'SET x = :x', ExpressionAttributeValues: { ':x': 1 }, ...condition } },
        { ConditionCheck: { TableName, Key: { ...key, sk: 'Q' }, ConditionExpression: 'attribute_not_exists(pk)' } },
        { Delete: { TableName, Key: { ...key, sk: 'R' } } },
      ],
    });
    await expect(refused).rejects.toBeInstanceOf(TransactionCancelled);
    const none = { code: 'None', old: undefined };
    await expect(refused).rejects.toMatchObject({ reasons: [none, { code: 'ConditionalCheckFailed', old: item }, none, none] });
    expect(await dynamo.get({ TableName, Key: { ...key, sk: 'other' } })).toEqual({ item: undefined });
  });

  test.each<[string, Fault]>([
    ['an internal error', refusal(500, 'InternalServerError')],
    ['throttling', refusal(400, 'ProvisionedThroughputExceededException')],
    ['a gateway that answers in HTML', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['a connection that breaks', 'drop'],
    ['an answer that is lost', 'lose the answer'],
  ])('tries %s again, and gives up at the fourth time', async (_what, fault) => {
    await dynamo.put({ TableName, Item: item });
    seen = [];
    faults = [fault];
    expect(await get()).toEqual({ item });
    expect(seen.length).toBe(2);
    faults = [fault, fault, fault, fault];
    await expect(get()).rejects.toThrow(Error);
    expect(seen.length).toBe(6);
  });

  test('keeps the right to try again as long as it helps', async () => {
    for (let asked = 0; asked < 40; asked += 1) {
      faults = [refusal(500, 'InternalServerError')];
      await get();
    }
    expect(seen.length).toBe(80);
  });

  test('asks once for what is refused for good, and says the code', async () => {
    faults = [refusal(400, 'ResourceNotFoundException')];
    await expect(get()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(seen.length).toBe(1);
  });

  test.each<Fault>(['stall', 'stall midway'])('gives up what does not answer, and asks again: %s', async (fault) => {
    await dynamo.put({ TableName, Item: item });
    faults = [fault];
    seen = [];
    expect(await get()).toEqual({ item });
    expect(seen.length).toBe(2);
  });

  test('makes a transaction once, however often it is sent', async () => {
    faults = ['lose the answer'];
    await dynamo.transactWrite({
      TransactItems: [{ Put: { TableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' } }],
    });
    const tokens = seen.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(tokens).toEqual([tokens[0], tokens[0]]);
    expect(tokens[0]).toMatch(/^[\w-]{20,36}$/);
    await dynamo.transactWrite({ TransactItems: [{ Put: { TableName, Item: item } }] });
    expect(JSON.parse(seen.at(-1)?.body ?? '').ClientRequestToken).not.toBe(tokens[0]);
  });

  test('signs by the clock of the service once its own is found wrong, behind or ahead', async () => {
    for (const offset of [3600_000, -3600_000]) {
      faults = [{ ...(refusal(400, 'RequestTimeTooSkewed') as object), date: new Date(Date.now() + offset) } as Fault];
      await get();
      const signedAt = String(seen.at(-1)?.headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(.*)$/, '$1-$2-$3:$4:$5');
      // By half an hour, since the time of the tests goes on.
      expect(Math.abs(Date.parse(signedAt) - Date.now() - offset)).toBeLessThan(1800_000);
    }
  });

  test('keeps its connection', async () => {
    for (let asked = 0; asked < 10; asked += 1) await get();
    expect([seen.length, connections]).toEqual([10, 1]);
  });
});

describe('the signed client', () => {
  test('signs with the credentials of the moment', async () => {
    const before = { ...process.env };
    const keys: string[] = [];
    const server = createServer((request, response) => {
      keys.push(`${/Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1]} ${request.headers['x-amz-security-token']}`);
      response.end('{}');
    });
    const { endpoint, stop } = await serve(server);
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
    const dynamo = createSignedDynamo();
    for (const name of ['first', 'second']) {
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: name, AWS_SESSION_TOKEN: `token-${name}` });
      await dynamo.get({ TableName: 'table', Key: {} });
    }
    process.env = { ...before };
    await stop();
    expect(keys).toEqual(['first token-first', 'second token-second']);
  });

  test.each(['us-east-1', 'eu-west-1', 'ap-northeast-1', 'cn-north-1', 'us-gov-west-1'])('asks where the SDK asks, in %s', (Region) => {
    const before = { ...process.env };
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_ENDPOINT_URL')) delete process.env[name];
    const place = { Region, UseDualStack: false, UseFIPS: false };
    const ours = ['dynamodb', 'secretsmanager'].map((name) => new URL(endpointOf({ name, endpointVariable: 'NONE' }, Region)).href);
    const clients = [new DynamoDBClient({ region: Region }), new SecretsManagerClient({ region: Region })];
    expect(ours).toEqual(clients.map(({ config }) => (config as any).endpointProvider(place).url.href));
    process.env = before;
  });
});
