import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type Engine, freePort } from '../../infra/local/engines/engine.ts';
import type { LocalQueue } from '../../infra/local/engines/provision.ts';
import { startSqs } from '../../infra/local/engines/queue-engine.ts';
import { createExamples } from '../../infra/local/examples/examples.ts';
import { startApiGateway } from '../../infra/local/gateway/api-gateway.ts';
import { jsonReply } from '../../infra/local/http-reply.ts';
import { createIdentityProvider } from '../../infra/local/identity/identity-provider.ts';
import { createPeople } from '../../infra/local/identity/people.ts';
import { createLocalPages, type LocalIdentity } from '../../infra/local/local-pages.ts';
import { type MailOutbox, startMailOutbox } from '../../infra/local/services/mail-outbox.ts';
import { leaseJob, markJobDead } from '../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { addProduct } from '../../shared/products/product-repository.ts';
import { addSeller } from '../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { accessibilityFaults, hasBrowser, isDark, launchBrowser, openPage, overflowOf } from '../support/http/browser.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { sampleSeller } from '../support/samples/sample-seller.ts';

const paymentEndpoint = 'http://127.0.0.1:9';
/** What a mail's HTML must not do when it is looked at. */
const hostile = `<!doctype html><html><body style="color:#18211d"><p id="seen">Good day</p><a href="/landed">Open</a>
<script>document.title = 'ran'</script><img src="/loaded" alt=""><iframe src="/framed" title="x"></iframe></body></html>`;

let outbox: MailOutbox;
let queueEngine: Engine;
let sqs: SQSClient;
let queues: LocalQueue[];
let table: Awaited<ReturnType<typeof createTestTable>>['table'];
let gateway: Engine;
let without: Engine;
let asked: string[] = [];

const pagesOf = (paymentEndpoint: string | undefined, identity?: LocalIdentity) =>
  createLocalPages({ identity, outbox, sqs, queues, table, paymentEndpoint });

/** A queue of the templates, and the one that it gives up to. */
async function makeQueues(id: string): Promise<LocalQueue[]> {
  const [name, deadLetterArn] = [`local-${id}`, `local-${id}-dead`];
  const [url, deadUrl] = await Promise.all(
    [name, deadLetterArn].map(async (QueueName) => (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? ''),
  );
  const resource = { id: `data.${id}`, stack: 'data', type: 'AWS::SQS::Queue', properties: {} };
  return [
    { resource, name, url: url ?? '', arn: name, deadLetterArn },
    { resource, name: deadLetterArn, url: deadUrl ?? '', arn: deadLetterArn, deadLetterArn: undefined },
  ];
}
const notFound = async (event: unknown) => {
  asked.push((event as { rawPath: string }).rawPath);
  return { statusCode: 404, headers: { 'Content-Type': 'application/json' }, body: '{"code":"route_not_found"}' };
};
const serve = async (localPage: ReturnType<typeof pagesOf>) =>
  startApiGateway({ port: await freePort(), routes: new Map([['$default', notFound]]), localPage });

async function send(subject: string, { to = 'buyer@example.com', text = 'Text', html = '<p>HTML</p>' } = {}): Promise<void> {
  const body = { Simple: { Subject: { Data: subject }, Body: { Text: { Data: text }, Html: { Data: html } } } };
  const mail = { FromEmailAddress: 'licenses@example.com', Destination: { ToAddresses: [to] }, Content: body };
  const reply = await fetch(`${outbox.endpoint}/v2/email/outbound-emails`, { method: 'POST', body: JSON.stringify(mail) });
  expect(reply.status).toBe(200);
}

const choice = `/__local/identity/authorize?${new URLSearchParams({
  ...{ client_id: 'console', redirect_uri: 'http://shop.test/console/callback', response_type: 'code', scope: 'openid' },
  ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
})}`;
let made = 0;

/** As where a function serves the console. */
function identityOf(): LocalIdentity {
  const people = createPeople({ table, allowlist: 'admin@example.com' });
  const examples = {
    async make() {
      made += 1;
      return jsonReply({}, made === 1 ? 201 : 200);
    },
  };
  return {
    examples,
    console: { address: 'http://shop.test/console', admin: 'admin@example.com' },
    provider: createIdentityProvider({ publicBaseUrl: 'http://shop.test', clientId: 'console', tokenSeconds: 60, people, file: undefined }),
  };
}

beforeAll(async () => {
  ({ table } = await createTestTable());
  outbox = await startMailOutbox({});
  queueEngine = await startSqs();
  sqs = new SQSClient({ endpoint: queueEngine.endpoint });
  queues = (await Promise.all(['WebhookQueue1', 'MailQueue2'].map(makeQueues))).flat();
  gateway = await serve(pagesOf(paymentEndpoint, identityOf()));
  without = await serve(pagesOf(undefined));
});
afterAll(async () => {
  sqs.destroy();
  await Promise.all([outbox, gateway, without, queueEngine].map((engine) => engine.stop()));
});

const get = (path: string, init: RequestInit = {}) => fetch(gateway.endpoint + path, { redirect: 'manual', ...init });
const textOf = async (path: string) => (await get(path)).text();
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('the pages of the local stack', () => {
  test('begin with the first calls of a seller, to be pasted', async () => {
    const page = (await textOf('/__local')).replaceAll('&quot;', '"').replaceAll('&#39;', "'");
    const calls = [...page.matchAll(/curl -X POST (http\S+) [^\n<]*/g)];
    expect(calls.map(([, url]) => url)).toEqual(
      ['/v1/sellers', '/v1/sellers/payment/account-link', '/v1/products'].map((path) => gateway.endpoint + path),
    );
    for (const [call] of calls) expect(() => JSON.parse(/ -d '(.*)'$/.exec(call)?.[1] ?? '{}')).not.toThrow();
  });

  test('begin before there is anything', async () => {
    const start = await textOf('/__local');
    expect(start).toContain('There is no product yet.');
    expect(start).toContain('No mail was sent yet.');
    expect(await textOf('/__local/mails')).toContain('No mail was sent yet.');
    expect(await (await get('/__local/outbox')).json()).toEqual({ items: [] });
  });

  test('lead into the console as somebody, where there is one', async () => {
    const linksOn = (page: string) =>
      [...page.matchAll(/href="(http:\/\/shop\.test\/[^"]*)">([^<]+)/g)].map(([, href, text]) => [text, href]);
    const links = (owner: string) => [
      ['be the seller', `http://shop.test/console?login_hint=${owner}`],
      ['be someone new', 'http://shop.test/console?login_hint=new'],
      ['be the admin', 'http://shop.test/console/admin?login_hint=admin%40example.com'],
    ];
    const before = await textOf('/__local');
    expect([linksOn(before), before.includes('after the examples')]).toEqual([links('example-aoi'), true]);
    await table.transact(addSeller(sampleSeller({ ownerUserId: 'owner 1' })));
    const after = await textOf('/__local');
    expect([linksOn(after), after.includes('after the examples')]).toEqual([links('owner%201'), false]);
    expect(await (await fetch(`${without.endpoint}/__local`)).text()).not.toContain('login_hint');
  });

  test('make examples, for programs and at the press of a button', async () => {
    expect(await textOf('/__local')).toContain('<form method="post" action="/__local/examples">');
    const program = await get('/__local/examples', { method: 'POST' });
    expect([program.status, await program.json()]).toEqual([201, {}]);
    const pressed = await get('/__local/examples', { method: 'POST', ...asBrowser });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/__local']);
    expect((await get('/__local/examples', { method: 'POST', headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403);
    expect([made, (await get('/__local/examples')).status]).toEqual([2, 404]);
    const { make } = createExamples({ address: gateway.endpoint, admin: { userId: 'root' }, paymentEndpoint: undefined });
    expect(await make()).toMatchObject({ status: 409 });
    const nobody = createExamples({ address: gateway.endpoint, admin: undefined, paymentEndpoint });
    expect(await nobody.make()).toMatchObject({ status: 409, body: expect.stringContaining('ADMIN_ALLOWLIST') });
  });

  test('lead a browser from the base address to their start, and nobody else', async () => {
    const moved = await get('/', asBrowser);
    expect([moved.status, moved.headers.get('location')]).toEqual([303, '/__local']);
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const reply = await get('/', { headers });
      expect([reply.status, await reply.json()]).toEqual([404, { code: 'route_not_found' }]);
    }
    expect((await get('/', { method: 'POST', ...asBrowser })).status).toBe(404);
  });

  test.each(['/__local', '/__local/', '/__local/mails'])('%s is a page that no cache keeps, without script', async (path) => {
    const reply = await get(path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'/);
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, reply.headers.get('content-length'), '']);
  });

  test('there is no other page, and none for other methods than GET and HEAD', async () => {
    const number = ['', '0', '99', '-1', '1e0'].map((at) => `/__local/mails/${at}`);
    for (const path of ['/__local/x', '/__localx', ...number]) {
      asked = [];
      expect([path, (await get(path)).status, asked]).toEqual([path, 404, [path]]);
    }
    for (const path of ['/__local', '/__local/outbox', '/__local/mails']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) expect((await get(path, { method })).status).toBe(404);
    }
  });

  test('name the payment provider that is in use', async () => {
    expect(await textOf('/__local')).toContain(`<a href="${paymentEndpoint}">the fake payment provider</a>`);
    const start = await (await fetch(`${without.endpoint}/__local`)).text();
    expect(start).not.toContain('fake payment provider');
    expect(start).toContain('<code>PAYMENT_API_BASE</code>');
  });

  test('link each product that is on sale, newest first, and name the others', async () => {
    const add = (name: string, changes: Parameters<typeof sampleProduct>[0]) =>
      table.transact(addProduct(sampleProduct({ name, ...changes })));
    await add('First', { slug: 'first', status: 'approved', createdAt: '2026-01-01T00:00:00.000Z' });
    await add('Second', { slug: '波形', status: 'published', priceAmount: 4900, currency: 'USD', createdAt: '2026-01-02T00:00:00.000Z' });
    await add('<b>Third', { slug: 'third', status: 'draft', createdAt: '2026-01-03T00:00:00.000Z' });
    const rows = [...(await textOf('/__local')).matchAll(/<tr><th scope="row">(.*?)<\/th><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g)];
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ['&lt;b&gt;Third', '¥4,800', 'draft'],
      [`<a href="/p/${encodeURIComponent('波形')}">Second</a>`, '$49.00', 'published'],
      ['<a href="/p/first">First</a>', '¥4,800', 'approved'],
    ]);
  });

  test('show the queues with the jobs that were given up under the queue that carried them', async () => {
    const c = { table, now: () => new Date() };
    for (const eventId of ['evt_1', 'evt_2', 'evt_3']) await table.write(addJob(c, { kind: 'project-event', eventId }));
    for (const id of ['project-event:evt_1', 'project-event:evt_2']) {
      const job = await leaseJob(c, id, 30);
      await markJobDead(c, job!, 'amount_differs');
    }
    expect(await (await get('/__local/queues')).json()).toEqual({
      items: [
        { name: 'local-WebhookQueue1', waiting: 0, in_flight: 0, dead: 2 },
        { name: 'local-MailQueue2', waiting: 0, in_flight: 0, dead: 0 },
      ],
    });
    const cells = [0, 0, 2].map((count) => `<td class="number">${count}</td>`).join('');
    expect(await textOf('/__local')).toContain(`<th scope="row">local-WebhookQueue1</th>${cells}`);
  });

  test('list mails newest first, and keep the number of each', async () => {
    for (let number = 1; number <= 7; number += 1) await send(`Mail ${number}`, { to: `to-${number}@example.com` });
    const listed = (text: string) =>
      [...text.matchAll(/<a href="\/__local\/mails\/(\d+)">(.*?)<\/a>/g)].map(([, at, subject]) => [at, subject]);
    const all = [7, 6, 5, 4, 3, 2, 1].map((number) => [String(number), `Mail ${number}`]);
    expect(listed(await textOf('/__local/mails'))).toEqual(all);
    const start = await textOf('/__local');
    expect(listed(start)).toEqual(all.slice(0, 5));
    expect(start).toContain('<a href="/__local/mails">All 7 mails</a>');
    expect(await textOf('/__local/mails/7')).toContain('<dd>to-7@example.com</dd>');
    const { items } = (await (await get('/__local/outbox')).json()) as { items: { subject: string; sent_at: string }[] };
    expect(items.map(({ subject }) => subject)).toEqual(all.map(([, subject]) => subject).reverse());
    expect(await textOf('/__local/mails/7')).toContain(`<time datetime="${items[6]?.sent_at}">`);
  });

  test('show a mail as text whose links lead on, and nothing of it as markup', async () => {
    const text = 'Open <this> & that:\n\nhttp://127.0.0.1:3000/complete#token=a.b-c_d\n\n"javascript:alert(1)"';
    await send('<i>Subject', { to: '"<x>" <x@example.com>', text, html: '<p class="a">&amp;</p>' });
    const page = await textOf('/__local/mails/8');
    expect(page).toContain('<h1>&lt;i&gt;Subject</h1>');
    expect(page).toContain('&quot;&lt;x&gt;&quot; &lt;x@example.com&gt;');
    expect(page).toContain('<pre>Open &lt;this&gt; &amp; that:\n\n<a href="http://127.0.0.1:3000/complete#token=a.b-c_d">http:');
    expect(page).not.toContain('href="javascript:');
    expect(page).toContain('srcdoc="&lt;base target=&quot;_blank&quot;&gt;&lt;p class=&quot;a&quot;&gt;&amp;amp;&lt;/p&gt;"');
  });
});

(hasBrowser ? describe : describe.skip)('the pages of the local stack in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    await send('In a browser', { html: hostile, text: `https://example.com/${'a'.repeat(300)}` });
  });
  afterAll(() => browser?.close());

  test.each([
    ['/', 'light', 360],
    ['/__local/mails', 'dark', 1280],
    ['/__local/mails/9', 'dark', 360],
    [choice, 'light', 1280],
  ] as const)('%s in %s at %d pixels is readable by everyone', async (path, colorScheme, width) => {
    const { page, complaints } = await openPage(browser, { colorScheme, viewport: { width, height: 740 }, javaScriptEnabled: true });
    await page.goto(gateway.endpoint + path);
    await page.getByRole('link', { name: 'Local stack' }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await isDark(page, 'document.documentElement')).toBe(colorScheme === 'dark');
    expect(await accessibilityFaults(page)).toEqual([]);
    if (path !== '/__local/mails/9') expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the HTML of a mail is shown, runs nothing, loads nothing, and its links open beside it', async () => {
    const { page } = await openPage(browser);
    asked = [];
    await page.goto(`${gateway.endpoint}/__local/mails/9`);
    const frame = page.frameLocator('iframe[title="The mail as HTML"]');
    await frame.getByText('Good day').waitFor();
    expect(await page.title()).toBe('In a browser | Local stack');
    const [opened] = await Promise.all([page.context().waitForEvent('page'), frame.getByRole('link', { name: 'Open' }).click()]);
    await opened.waitForURL('**/landed');
    expect(await opened.evaluate('[window.opener, origin]')).toEqual([null, gateway.endpoint]);
    expect(asked.filter((path) => path !== '/favicon.ico')).toEqual(['/landed']);
    await page.context().close();
  });
});

describe('the local receiver', () => {
  const ask = (path: string, init: RequestInit = {}) => fetch(without.endpoint + path, init);

  test('takes events of sellers at its paths, keeps the last hundred and shows them', async () => {
    expect(await (await ask('/__local')).text()).toContain('Nothing was sent to it yet.');
    const post = (path: string, body: string) =>
      ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1_abc' } });
    expect((await post('/__local/receiver/shop', '{"type":"order.<paid>"}')).status).toBe(200);
    const begun = Date.now();
    expect((await post('/__local/receiver/shop/a?status=500&delay=50', 'nonsense')).status).toBe(500);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(49);
    expect((await post('/__local/receiver/shop?status=999&delay=x', '[]')).status).toBe(200);
    const { items } = (await (await ask('/__local/receiver')).json()) as { items: Record<string, unknown>[] };
    expect(items).toMatchObject([
      { path: '/__local/receiver/shop', status: 200, body: '{"type":"order.<paid>"}', headers: { 'webhook-id': 'evt_1_abc' } },
      { path: '/__local/receiver/shop/a', status: 500, body: 'nonsense' },
      { path: '/__local/receiver/shop', status: 200, body: '[]' },
    ]);
    const start = await (await ask('/__local')).text();
    expect(start).toContain('order.&lt;paid&gt;');
    expect(start).toContain('evt_1_abc');
    for (let times = 0; times < 100; times += 1) await post('/__local/receiver/many', `${times}`);
    const kept = (await (await ask('/__local/receiver')).json()) as { items: { body: string }[] };
    expect(kept.items.map(({ body }) => body)).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`));
    for (const path of ['/__local/receiver', '/__local/receivers/shop']) expect((await post(path, '{}')).status).toBe(404);
    expect((await ask('/__local/receiver/shop')).status).toBe(404);
  });
});
