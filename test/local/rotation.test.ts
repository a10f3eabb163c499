import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { readKeptSecrets } from '../../infra/local/local-settings.ts';
import { project } from '../nightly/reach.ts';
import { beginSale, type KeptStack, licenseOf, startKeptStack } from '../support/scenes/sold-stock.ts';
import { eventually, offerProduct, publishFile } from '../support/scenes/stack-harness.ts';

jest.setTimeout(300_000);

/** Something sold in the run, and what its buyer was given. */
interface Sale {
  orderId: string;
  key: string;
  token: string;
  lease: string;
}

/** One pass of the re-keying a minute ahead, in a process of its own: it ends the time for which a move keeps the old copies. No request here takes as long. */
async function rekeyAheadByAMinute(): Promise<string> {
  const ahead =
    'const Real = Date; globalThis.Date = class extends Real { constructor(...a) { super(...(a.length ? a : [Real.now() + 61000])); } static now() { return Real.now() + 61000; } };';
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(ahead)}`;
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...inherited } = process.env;
  const env = { ...inherited, NODE_OPTIONS, DATA_DIR: stack.folder.path, STAGE: '', SECRETS_SECONDS: '1' };
  return (await promisify(execFile)(process.execPath, ['infra/commands/ops/ops.ts', 'rekey'], { cwd: project, env })).stdout.trim();
}

let stack: KeptStack;
let product: { id: string; slug: string };
let load: ReturnType<typeof startLoad> | undefined;
beforeAll(async () => {
  stack = await startKeptStack({
    SECRETS_SECONDS: '1',
    ORIGIN_SECRET: 'TheFirstSecretOfTheCdn',
    // One request a minute and viewer, and one of all that do not come through the CDN.
    RATE_LIMIT_HEALTH: '1',
    RATE_LIMIT_DOWNLOAD: '0',
    RATE_LIMIT_UNKNOWN_KEYS: '0',
  });
  product = await offerProduct(stack.harness);
  await publishFile(stack.harness, product.id, 'setup.zip', Buffer.from('an installer'));
  await stack.harness.call('POST', '/v1/webhook-endpoints', {
    as: 'seller',
    body: { url: `${stack.harness.baseUrl}/__local/receiver/rotation` },
  });
}, 120_000);
afterAll(async () => {
  // What is still begun fails with the stack, and so comes to its end.
  const ended = load?.stop();
  await stack?.stop();
  await ended;
});

async function ops(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: unknown; text: string }> {
  const { status, lines, stderr } = await stack.ops(args, { SECRETS_SECONDS: '1', ...env });
  return { code: status, text: [...lines, stderr].join('\n').trim() };
}

/** One move of each of these secrets, as soon as all functions know the last. */
async function moveAll(move: string, names: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const make = (name: string) => ops(['secrets', move, name], env);
  const outcomes = names.map(async (name) => {
    const outcome = await make(name);
    const [, until] = /wait until (\S+), when every function knows that\.$/.exec(outcome.text) ?? [];
    if (until === undefined) return outcome;
    await sleep(Date.parse(until) - Date.now());
    return make(name);
  });
  return Promise.all(outcomes);
}

/** What buyers, apps, the payment provider and a CDN do, again and again; each thing that goes wrong is kept. */
function startLoad() {
  const { call, provider, baseUrl } = stack.harness;
  const sales: Sale[] = [];
  const failures: string[] = [];
  const done = new Map<string, number>();
  const cdn = { secret: 'TheFirstSecretOfTheCdn' };
  let stopping = false;
  let viewers = 0;

  const device = (license_key: string, device_fingerprint: string) => ({
    body: { product_id: product.id, license_key, device_fingerprint },
  });
  const expectCode = (reply: { code: string }, code: string) => {
    if (reply.code !== code) throw new Error(`${reply.code} instead of ${code}`);
  };

  async function sellOne() {
    const sale = await beginSale(stack.harness, product.slug);
    const { redirect_url: back } = await provider(`/test/checkout/${sale.session}/pay`, { email: sale.email });
    const { key, token } = await licenseOf(stack.harness, sale.orderId);
    await call('POST', '/v1/purchases/complete', { body: { token: new URL(back).hash.replace('#token=', '') } });
    const { lease, ...activated } = await call('POST', '/v1/licenses/activate', device(key, 'desk'));
    expectCode(activated, 'activated');
    sales.push({ orderId: sale.orderId, key, token, lease });
    const { text } = await stack.harness.mailTo(sale.email);
    await call('POST', '/v1/purchases/complete', { body: { token: /#token=([\w.-]+)/.exec(text)?.[1] } });
  }
  async function visit({ key, token }: Sale) {
    expectCode(await call('POST', '/v1/licenses/validate', device(key, 'desk')), 'valid');
    const { license, files } = await call('POST', '/v1/purchases/complete', { body: { token } });
    if (license.license_key !== key) throw new Error('another key is shown');
    const { download_url } = await call('POST', `/v1/purchases/files/${files[0].file_id}/download-intent`, { body: { token } });
    if ((await (await fetch(download_url)).text()) !== 'an installer') throw new Error('another file was downloaded');
  }
  const anySale = () => sales[Math.floor((done.get('visits') ?? 0) % Math.max(1, sales.length))];
  const work: Record<string, () => Promise<void>> = {
    sales: sellOne,
    'more sales': sellOne,
    visits: async () => {
      const sale = anySale();
      if (sale) await visit(sale);
    },
    cdn: async () => {
      viewers += 1;
      const viewer = `203.0.${Math.floor(viewers / 250)}.${viewers % 250}:443`;
      await call('GET', '/healthz', { headers: { 'X-Origin-Secret': cdn.secret, 'CloudFront-Viewer-Address': viewer } });
    },
  };
  const loops = Object.entries(work).map(async ([name, once]) => {
    while (!stopping) {
      await once().then(
        () => done.set(name, (done.get(name) ?? 0) + 1),
        (error: Error) => failures.push(`${name}: ${error.message}`),
      );
      await sleep(100);
    }
  });
  return {
    sales,
    failures,
    done,
    cdn,
    baseUrl,
    visit,
    async stop() {
      stopping = true;
      await Promise.all(loops);
    },
  };
}

test('every secret is rotated while the service is used: nothing fails, and nothing is lost', async () => {
  load = startLoad();
  const { sales, failures, cdn, visit, baseUrl, stop } = load;
  const hasSold = (count: number) =>
    eventually(`there are ${count} sales`, 60, async () => {
      expect(failures).toEqual([]);
      return sales[count - 1];
    });
  await hasSold(3);
  const ours = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TOKEN_KEYS', 'LEASE_KEYS', 'ORIGIN_SECRET'];
  const all = [...ours, 'PAYMENT_WEBHOOK_SECRET'];
  const fromProvider = { PAYMENT_WEBHOOK_SECRET: 'whsec_that_the_provider_made', PAYMENT_SECRET_KEY: 'sk_test_another' };
  const fine = (outcomes: readonly { code: unknown }[]) => expect(outcomes.filter(({ code }) => code !== 0)).toEqual([]);

  fine(await moveAll('add', all, fromProvider));
  fine(
    await Promise.all([ops(['secrets', 'replace', 'CALLER_HASH_KEY']), ops(['secrets', 'replace', 'PAYMENT_SECRET_KEY'], fromProvider)]),
  );
  // The provider here signs with the first of the list.
  fine(await moveAll('promote', all));
  // CloudFormation gives it the whole value of the version that it is told.
  cdn.secret = readKeptSecrets(stack.folder.path)['ORIGIN_SECRET'] ?? '';
  await hasSold(sales.length + 2);

  await eventually('every license is under the new pepper', 120, async () => {
    await ops(['rekey']);
    return /^moved 0, finished \d+, left 0$/.test(await rekeyAheadByAMinute()) || undefined;
  });
  expect(await ops(['rekey'])).toEqual({ code: 0, text: 'moved 0, finished 0, left 0' });
  fine(await moveAll('retire', ['LICENSE_PEPPERS', 'ORIGIN_SECRET', 'PAYMENT_WEBHOOK_SECRET']));
  const early = { code: 1, text: expect.stringMatching(/wait until \S+, when what the old key was used for has ended/) };
  expect(await ops(['secrets', 'retire', 'TOKEN_KEYS'])).toEqual(early);
  await hasSold(sales.length + 3);
  await stop();

  expect(failures).toEqual([]);
  for (const sale of sales) await visit(sale);
  const jwks = createLocalJWKSet((await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as any);
  for (const { lease } of sales) await jwtVerify(lease, jwks, { issuer: baseUrl, audience: product.id });
  const kids = (read: (sale: Sale) => string) => new Set(sales.map((sale) => decodeProtectedHeader(read(sale)).kid));
  expect(kids(({ lease }) => lease).size).toBe(2);
  expect(kids(({ token }) => token)).toEqual(new Set(['1', '2']));
  expect((await ops(['dead-letters'])).text).toMatch(/^0 dead$/m);
  expect(await ops(['check'])).toEqual({ code: 0, text: expect.stringMatching(/, 0 faults/) });
});
