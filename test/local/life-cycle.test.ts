import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { processesNaming } from '../support/engines/processes.ts';
import { conformingFetch } from '../support/interface/conformance.ts';
import { failToStart, type RunningStack, startStack, temporaryFolder } from '../support/scenes/stack.ts';

const seller = { display_name: 'Demo', contact_email: 'a@example.com', support_email: 'b@example.com', site_url: 'https://example.com' };
const product = {
  name: 'Demo',
  description: 'Demonstrates.',
  price_amount: 0,
  currency: 'JPY',
  support_email: 'b@example.com',
  refund_policy: 'None.',
  software_operating_environment: 'Any',
};
const headers = { 'content-type': 'application/json', 'x-user-id': 'user-1' };

async function apply(address: string): Promise<string> {
  const reply = await conformingFetch(`${address}/v1/sellers`, { method: 'POST', headers, body: JSON.stringify(seller) });
  const { id } = (await reply.json()) as { id: string };
  return id;
}

async function findOwn(address: string): Promise<string> {
  const reply = await conformingFetch(`${address}/v1/sellers/me`, { headers });
  const { id } = (await reply.json()) as { id: string };
  return id;
}

jest.setTimeout(120_000);

describe('the local stack', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  test('keeps its data over an orderly end, and leaves no process behind', async () => {
    const first = await startStack({ DATA_DIR: folder.path });
    const id = await apply(first.address);
    expect(await first.stop('SIGTERM')).toBe(0);
    expect(await processesNaming(folder.path)).toEqual([]);

    const second = await startStack({ DATA_DIR: folder.path });
    expect(await findOwn(second.address)).toBe(id);
    expect(await second.stop('SIGINT')).toBe(0);
  });

  test('keeps what it acknowledged when it is killed, and starts again at once', async () => {
    const first = await startStack({ DATA_DIR: folder.path });
    const port = new URL(first.address).port;
    const id = await apply(first.address);
    first.process.kill('SIGKILL');
    await first.exit;

    const second = await startStack({ DATA_DIR: folder.path, PORT: port });
    expect(await findOwn(second.address)).toBe(id);
    second.process.kill('SIGKILL');
    await second.exit;
    await sleep(500);
    expect(await processesNaming(folder.path)).toEqual([]);
  });

  test('reports in one line that its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { code, output } = await failToStart({ PORT: String(port) });
    expect({ code, output }).toEqual({ code: 1, output: `Port ${port} is taken; choose another with PORT.\n` });
    other.close();
  });

  test.each([
    [{ RATE_LIMIT_HEALTH: 'many' }, /RATE_LIMIT_HEALTH is malformed/],
    [{ STAGE: 'production' }, /PAYMENT_API_BASE needs STAGE local/],
    [{ PORT: 'http' }, /^PORT is malformed\.$/m],
    [{ DATA_DIR: '/dev/null' }, /^DATA_DIR cannot be used/m],
  ])('ends with the setting it refuses: %j', async (env, message) => {
    const { code, output } = await failToStart(env);
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(output).not.toContain('many');
    expect(output).not.toMatch(/^Ready/m);
  });

  const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
  test('ends with a lease key that is none without showing it', async () => {
    const secret = Buffer.from(order, 'hex').toString('base64');
    const { code, output } = await failToStart({ LEASE_KEYS: `1:${secret}` });
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/LEASE_KEYS is malformed/) });
    expect(output).not.toContain(secret.slice(0, 20));
    expect(output).not.toMatch(/^Ready/m);
  });

  describe('on data that is there, with origins of a console', () => {
    const origin = 'https://console.example.com';
    const secrets = () => readFile(`${folder.path}/secrets.json`, 'utf8');
    let secretsBefore: string;
    let stack: RunningStack;
    beforeAll(async () => {
      secretsBefore = await secrets();
      stack = await startStack({ DATA_DIR: folder.path, CONSOLE_ORIGINS: `${origin}, https://other.example.com` });
    });
    afterAll(() => stack?.stop());

    test('keeps secrets readable by their owner alone, and generates them once', async () => {
      expect((await stat(`${folder.path}/secrets.json`)).mode & 0o777).toBe(0o600);
      expect(await secrets()).toBe(secretsBefore);
    });

    test('lets nobody else use its data meanwhile', async () => {
      const { code, output } = await failToStart({ DATA_DIR: folder.path });
      expect(code).toBe(1);
      expect(output).toMatch(/^Another stack runs on the data in .*\.$/m);
    });

    test('lets their pages and its own upload and read files, and no others', async () => {
      await apply(stack.address);
      const post = async (path: string, body: object) => {
        const reply = await conformingFetch(`${stack.address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return (await reply.json()) as { id: string; upload_url: string };
      };
      const { id } = await post('/v1/products', product);
      const declared = { filename: 'a.zip', content_type: 'application/zip', size_bytes: 1, sha256_hex: 'a'.repeat(64) };
      const { upload_url } = await post(`/v1/products/${id}/files/upload-intent`, declared);
      const preflight = (from: string, method = 'PUT') =>
        fetch(upload_url, { method: 'OPTIONS', headers: { origin: from, 'access-control-request-method': method } });
      for (const from of [origin, stack.address]) {
        for (const method of ['PUT', 'GET']) {
          expect((await preflight(from, method)).headers.get('access-control-allow-origin')).toBe(from);
        }
      }
      expect((await preflight('https://evil.example.com')).status).toBe(403);
    });

    test('ends in order when its signal comes twice, as it does through npm', async () => {
      stack.process.kill('SIGTERM');
      await sleep(20);
      expect(await stack.stop('SIGTERM')).toBe(0);
      expect(await processesNaming(folder.path)).toEqual([]);
    });
  });

  test.each([
    { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' },
    { SQS_ENDPOINT: 'http://127.0.0.1:1' },
    { S3_ENDPOINT: 'http://127.0.0.1:1' },
    { DYNAMODB_ENDPOINT: 'nowhere' },
  ])('says in one line that an engine it was given does not answer: %j', async (env) => {
    const { code, output } = await failToStart(env);
    const [line, ...more] = output.split('\n').filter((one) => one !== '' && !one.endsWith('…'));
    expect({ code, more }).toEqual({ code: 1, more: [] });
    expect(line).toMatch(new RegExp(`^${Object.keys(env)[0]} cannot be used: `));
  });
});
