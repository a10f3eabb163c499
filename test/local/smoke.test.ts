import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { findFunctions } from '../../infra/bundles/find-functions.ts';
import { readStackFile } from '../../infra/local/stack-file.ts';
import { queueWalkKey } from '../../shared/db/keys.ts';
import { callOps } from '../support/call-command.ts';
import { type RunningStack, startStack } from '../support/scenes/stack.ts';

jest.setTimeout(90_000);

const smoke = (address: string) => callOps(['smoke', address]);

describe('npm run ops -- smoke', () => {
  let directory: string;
  let stack: RunningStack;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'smoke-'));
    stack = await startStack({ DATA_DIR: directory });
  });
  afterAll(async () => {
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function contents() {
    const { tableName, dynamodbEndpoint, region } = await readStackFile(directory);
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint: dynamodbEndpoint, region, credentials });
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    // The sweeper has its own.
    return Items.filter(({ pk }) => pk?.S !== queueWalkKey().pk);
  }

  test('finds a service that works fine, every function of it, and writes nothing to its table', async () => {
    const before = await contents();
    const { status, lines } = await smoke(stack.address);
    expect(lines.filter((line) => !line.startsWith('fine'))).toEqual([expect.stringMatching(/^\d+ fine, 0 not$/)]);
    expect(status).toBe(0);
    const answering = (await findFunctions()).filter(({ routes }) => routes.length > 0).map(({ name }) => `${name} has its settings`);
    expect(lines.map((line) => line.replace(/^fine +\d+ ms {2}/, ''))).toEqual(expect.arrayContaining(answering));
    expect(await contents()).toEqual(before);
  });

  test('has a console, which signs in at its own identity provider', async () => {
    const shell = await fetch(`${stack.address}/console/`);
    const [, script = ''] = /<script src="([^"]+)"/.exec(await shell.text()) ?? [];
    expect([shell.status, (await fetch(stack.address + script)).headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(shell.headers.get('content-security-policy')).toMatch(/; connect-src 'self' http:\/\/127\.0\.0\.1:\d+; form-action /);
    const config = (await (await fetch(`${stack.address}/console/config.json`)).json()) as Record<string, string>;
    expect([config['issuer'], config['token_endpoint']]).toEqual([
      `${stack.address}/__local/identity`,
      `${stack.address}/__local/identity/token`,
    ]);
    const options = await fetch(`${stack.address}/console`, { method: 'OPTIONS' });
    expect(options.status).toBe(404);
  });

  test('tells of each answer that is not the one of a service that works', async () => {
    const server = createServer((_, response) => response.end('It works!'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { status, lines } = await smoke(`http://127.0.0.1:${port}`);
    server.close();
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatch(/^0 fine, \d\d not$/);
    expect(lines[0]).toMatch(/^NOT .* runs: 200 It works!, instead of 200 with "ok"$/);
  });

  test('tells that nothing answers', async () => {
    const { status, lines } = await smoke('http://127.0.0.1:1');
    expect([status, lines[0]]).toEqual([1, expect.stringContaining('runs: no answer')]);
  });
});
