import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { findFunctions } from '../../infra/bundles/find-functions.ts';
import { queueDefinitions } from '../../infra/constructs/queues.ts';
import { serve } from '../../infra/local/engines/engine.ts';
import { readStackFile } from '../../infra/local/stack-file.ts';
import { synthesize } from '../../infra/local/synthesis.ts';
import { queueWalkKey } from '../../shared/db/keys.ts';
import { callOps } from '../support/call-command.ts';
import { processesNaming } from '../support/engines/processes.ts';
import { newFolder } from '../support/new-folder.ts';
import { failToStart, type RunningStack, startStack } from '../support/scenes/stack.ts';

const root = join(import.meta.dirname, '..', '..');
const demo = 'infra/commands/demo/demo.ts';

jest.setTimeout(180_000);

const data = newFolder();
let stack: RunningStack;
const run = async (file: string, ...args: string[]) => {
  const env = { ...process.env, NODE_OPTIONS: '', BASE_URL: stack.address };
  return (await promisify(execFile)(file, args, { cwd: root, env })).stdout;
};

beforeAll(async () => {
  stack = await startStack({ DATA_DIR: data, RATE_LIMIT_CHECKOUT: '100' });
});
afterAll(() => stack.stop());

describe('npm run ops -- smoke', () => {
  const smoke = (address: string) => callOps(['smoke', address]);
  const itemsOfTable = async () => {
    const { tableName, dynamodbEndpoint, region } = await readStackFile(data);
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint: dynamodbEndpoint, region, credentials });
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    // The sweeper has its own.
    return Items.filter(({ pk }) => pk?.S !== queueWalkKey().pk);
  };

  test('finds a service that works fine, every function of it, and writes nothing to its table', async () => {
    const before = await itemsOfTable();
    const { status, lines } = await smoke(stack.address);
    expect(lines.filter((line) => !line.startsWith('fine'))).toEqual([expect.stringMatching(/^\d+ fine, 0 not$/)]);
    expect(status).toBe(0);
    const answering = (await findFunctions()).filter(({ routes }) => routes.length > 0).map(({ name }) => `${name} has its settings`);
    expect(lines.map((line) => line.replace(/^fine +\d+ ms {2}/, ''))).toEqual(expect.arrayContaining(answering));
    expect(await itemsOfTable()).toEqual(before);
  });

  test('tells of each answer that is not the one of a service that works, and that nothing answers', async () => {
    const server = createServer((_, response) => response.end('It works!'));
    const other = await serve(server);
    const { status, lines } = await smoke(other.endpoint);
    await other.stop();
    expect([status, lines.at(-1)]).toEqual([1, expect.stringMatching(/^0 fine, \d\d not$/)]);
    expect(lines[0]).toMatch(/^NOT .* runs: 200 It works!, instead of 200 with "ok"$/);
    const unanswered = await smoke('http://127.0.0.1:1');
    expect([unanswered.status, unanswered.lines[0]]).toEqual([1, expect.stringContaining('runs: no answer')]);
  });
});

describe('the demo against the local stack', () => {
  let told: string;
  beforeAll(async () => {
    told = await run(process.execPath, demo);
  });

  test('runs the whole story, from the application to the revocation, which takes no lease back', () => {
    for (const line of [
      'Summary',
      /hashing +█{30} 32 MiB\n/,
      /uploading +█{30} 32 MiB\n/,
      'download: 33554432 bytes, the very ones that were uploaded',
      'activation_limit_exceeded',
      /^ {2}lease: may run, lease_valid, until \d/m,
      /^ {2}device without network: may run, licensed_until, until \d/m,
      'for review: {"description":"An editor that edits, and undoes.","price_amount":1480,"updates_days":365}',
      'edit on sale: 1200 until it was approved, then 1480',
      'release 1.1.0: draft by CI, approved by the admin, published by the seller',
      'update of a covered app: 1.0.0 to 1.1.0, 4194304 bytes, the very ones that CI uploaded',
      /^ {2}an app whose updates ended before: not_covered, 1\.1\.0 is to be had at http\S+\/releases$/m,
      '  a team: 3 at 900 JPY, 300 off with TEAMS-10; one key for 6 devices',
      '  a colleague paid 600 for 2 seats: the same key for 8 devices',
      '  an upgrade for 1500: a key of its own for 9 devices; a second one: already_upgraded',
      '  the added seats refunded: 6 devices again',
      '  invoices of T1234567890123: 245 tax within 2700; given back 600 with 54 tax',
      /^ {2}events: \d+ of \d+ types, each with a good signature$/m,
      ...['license.issued', 'order.paid', 'activation.created', 'activation.refused', 'license.status_changed'].map(
        (type) => `  ${type}: `,
      ),
      ...['license.changed', 'order.refunded', 'product.reviewed', 'release.reviewed', 'release.published'].map((type) => `  ${type}: `),
      'after the revocation: valid false, license_revoked',
      /^ {2}after the revocation, on a device cut off since: may run, lease_valid, until \d/m,
      /^ {2}after the revocation, on a device without network: may run, licensed_until, until \d/m,
    ]) {
      expect(told).toMatch(line);
    }
    expect(told).not.toMatch(/whsec_[^…]/);
  });

  test('leaves what its apps keep, for this user alone', async () => {
    const kept = join(root, 'build', 'demo');
    const names = await readdir(kept);
    const states = ['air-gapped.json', 'air-gapped.json.fingerprint', 'online.json', 'online.json.fingerprint'];
    expect(names.sort()).toEqual([...states, 'app.json'].sort());
    for (const name of names) expect((await stat(join(kept, name))).mode & 0o777).toBe(0o600);
    const { keys } = JSON.parse(await readFile(join(kept, 'app.json'), 'utf8'));
    for (const key of keys) expect(Object.keys(key)).toEqual(['kid', 'x', 'y']);
  });

  test('shows the lease key nowhere: not in what was printed, stored, synthesized, bundled or kept', async () => {
    const { LEASE_KEYS } = JSON.parse(await readFile(join(data, 'secrets.json'), 'utf8'));
    const key = Buffer.from(LEASE_KEYS.split(',')[0].replace('1:', ''), 'base64');
    // The last one is the member `d` of its JWK.
    const secrets = [key, ...(['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(key.toString(form).replace(/=+$/, '')))];
    const app = await synthesize(() => undefined);
    const files = (await Promise.all([data, app, join(root, 'build')].map(filesIn))).flat();
    expect(files.filter((file) => file.endsWith('.template.json')).length).toBeGreaterThan(0);
    expect(files.filter((file) => file.endsWith('index.js')).length).toBeGreaterThan(10);
    const texts = new Map<string, Buffer>([
      ['printed', Buffer.from(told)],
      ['logged', Buffer.from(stack.output())],
    ]);
    for (const file of files) texts.set(file, await contentOf(file));
    const found = [...texts].filter(([, text]) => secrets.some((secret) => text.includes(secret))).map(([name]) => name);
    expect(found).toEqual([join(data, 'secrets.json')]);
  });

  /** The addresses that it ends with, by what they are. */
  const links = (): Record<string, string> =>
    Object.fromEntries(
      [...told.matchAll(/^ {2}(the product|its releases|the purchase|a new link|its mail|everything) +(http\S+)$/gm)].map(
        ([, name = '', url = '']) => [name, url],
      ),
    );

  test('leaves one license active, and ends with links to its pages', async () => {
    expect(told).toContain('the other license: activated, 1 of 2 seats taken');
    expect(Object.keys(links())).toEqual(['the product', 'its releases', 'the purchase', 'a new link', 'its mail', 'everything']);
    for (const url of Object.values(links())) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    const token = /^.*\/complete#token=(.+)$/.exec(links()['the purchase']!)?.[1];
    const reply = await fetch(`${stack.address}/v1/purchases/complete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(await reply.json()).toMatchObject({ order: { status: 'paid' }, license: { status: 'active' } });
    expect(await (await fetch(links()['the product']!)).text()).toContain('Demo Editor');
  });

  test('each link of the start page leads somewhere, to the product and the payment provider too', async () => {
    const start = await (await fetch(stack.address, { headers: { accept: 'text/html' } })).text();
    const hrefs = [...start.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
    for (const href of hrefs) expect([href, (await fetch(new URL(href, stack.address))).status]).toEqual([href, 200]);
    const { pathname } = new URL(links()['the product']!);
    expect(hrefs).toEqual(
      expect.arrayContaining(['/docs', '/openapi.json', pathname, '/manage', '/activate', '/__local/outbox', '/__local/queues']),
    );
    const whole = hrefs.filter((href) => href.startsWith('http://127.0.0.1:'));
    expect(whole.filter((href) => href.startsWith(`${stack.address}/console`))).toHaveLength(3);
    expect(whole.filter((href) => !href.startsWith(stack.address))).toHaveLength(1);
    expect(start.match(/href="\/__local\/mails\/\d+"/g)).toHaveLength(5);
    const feeds = [...start.matchAll(/<code>(http[^<]+\/(?:check|appcast)\/[^<]+)<\/code>/g)].map(([, feed]) => feed!);
    expect(feeds).toHaveLength(2);
    for (const feed of feeds) expect((await fetch(feed)).headers.get('x-update-code')).toBe('proof_missing');
  });

  test('shows no key, token or secret but the token of the purchase that it leaves, and the log shows none', () => {
    const purchase = links()['the purchase']!;
    expect(told.split(purchase)).toHaveLength(2);
    for (const text of [told.replace(purchase, ''), stack.output()]) {
      expect(text).not.toMatch(/[A-Z][A-Z0-9]{0,11}(-[0-9A-Z]{5}){5}|eyJ[\w-]+\.[\w-]+\.[\w-]+/);
      expect(text).not.toMatch(/LAR1\.\w|whsec_|sk_test_|lst_\w|X-Amz-Signature=\w/);
    }
  });

  test('leaves a mail of each purchase with a link and no key, and nothing in the queues', async () => {
    const { items: mails } = (await (await fetch(`${stack.address}/__local/outbox`)).json()) as any;
    const toBuyers = mails.filter((mail: any) => mail.to !== 'seller@example.com' && mail.text.includes('#token='));
    const namesOf = (some: any[]) => some.map(({ to }) => to.replace(/-[^-]+@.*/, '')).sort();
    expect(namesOf(toBuyers)).toEqual(['buyer', 'colleague', 'early-buyer', 'team', 'team-lead', 'visitor']);
    for (const mail of toBuyers) expect(mail.text).not.toMatch(/(-[0-9A-Z]{5}){5}/);
    const { items: queues } = (await (await fetch(`${stack.address}/__local/queues`)).json()) as any;
    expect(queues).toHaveLength(Object.keys(queueDefinitions).length);
    for (const queue of queues) expect(queue).toEqual({ name: expect.any(String), waiting: 0, in_flight: 0, dead: 0 });
  });

  test('goes by hand as the README says, each review in the name of one admin', async () => {
    const [, script = '', expected] =
      /```sh\n(call\(\)[\s\S]*?)```\n```json\n([\s\S]*?)```/.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? [];
    expect(await run('bash', '-c', script.replaceAll('http://127.0.0.1:3000', stack.address))).toBe(expected);
  });

  test('once the stack is stopped no process is left, and its apps decide by the leases that they keep', async () => {
    // Twice, as signals come through npm.
    stack.process.kill('SIGINT');
    expect(await stack.stop('SIGTERM')).toBe(0);
    expect(await processesNaming(data)).toEqual([]);
    const decided = await run(process.execPath, demo, 'offline');
    expect(decided.match(/ may run, (lease_valid|licensed_until), until \d{4}-/g)).toHaveLength(2);
    expect(decided).not.toContain('may not run');
  });

  test('once it is started again what it acknowledged is there', async () => {
    const readSecrets = () => readFile(join(data, 'secrets.json'), 'utf8');
    const secrets = await readSecrets();
    stack = await startStack({ DATA_DIR: data });
    const { pathname } = new URL(links()['the product']!);
    expect(await (await fetch(stack.address + pathname)).text()).toContain('Demo Editor');
    expect(await readSecrets()).toBe(secrets);
  });
});

test('a start that fails ends with one line', async () => {
  const { endpoint, stop } = await serve(createServer());
  const { port } = new URL(endpoint);
  const { code, output } = await failToStart({ PORT: port });
  expect({ code, output }).toEqual({ code: 1, output: `Port ${port} is taken; choose another with PORT.\n` });
  await stop();
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function contentOf(file: string): Promise<Buffer> {
  const content = await readFile(file);
  return file.endsWith('.gz') ? gunzipSync(content) : content;
}
