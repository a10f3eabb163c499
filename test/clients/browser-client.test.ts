import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { toJavaScript } from '../../infra/documents/site/javascript.ts';
import { hasBrowser, launchBrowser, openPage } from '../support/http/browser.ts';
import { day, keys, now, productId, startScriptedService } from './scripted-service.ts';

const clients = join(import.meta.dirname, '../../infra/documents/clients');
const javascript = toJavaScript(readFileSync(join(clients, 'license-client.ts'), 'utf8'));
const vectors = readFileSync(join(clients, 'lease-vectors.json'), 'utf8');

describe('the client as JavaScript', () => {
  test('is the source without its types: every other line and comment stays', () => {
    expect(javascript).not.toMatch(/\binterface\b|: (string|Promise|boolean)\b|\bas const\b| +$/m);
    expect(javascript).toMatch(/^\/\*\n \* SPDX-License-Identifier: MIT-0\n.*?\n \*\/\n\n\/\*\*\n \* License client/s);
    expect(javascript).toContain('\n  async check() {\n');
    expect(javascript).toContain('\n  #issuer;\n');
    expect(javascript).toContain('  /** Decides by the kept lease. Sends nothing. */\n');
    expect(javascript).not.toContain('A public key of the service.');
  });

  test('is one device, though two processes start at once on an empty home', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-as-javascript-'));
    await writeFile(join(folder, 'license-client.mjs'), javascript);
    await writeFile(
      join(folder, 'app.mjs'),
      `import { LicenseClient } from './license-client.mjs';
      const client = new LicenseClient({ baseUrl: 'http://127.0.0.1:9', productId: '${productId}', keys: [], storage: process.argv[2] });
      console.log(await client.makeRequestCode());`,
    );
    for (const round of ['1', '2', '3']) {
      const start = () => promisify(execFile)(process.execPath, [join(folder, 'app.mjs'), join(folder, round, 'license.json')]);
      const [one, other] = await Promise.all([start(), start()]);
      expect(one.stdout).toMatch(/^LAR1\./);
      expect(other.stdout).toBe(one.stdout);
    }
    await rm(folder, { recursive: true });
  });
});

(hasBrowser ? describe : describe.skip)('in a browser', () => {
  let service: Awaited<ReturnType<typeof startScriptedService>>;
  let browser: Browser;
  let origin: string;
  const files: Record<string, [type: string, text: string]> = {
    '/': ['text/html', '<!doctype html><title>App</title><link rel="icon" href="data:,">'],
    '/license-client.js': ['text/javascript', javascript],
    '/lease-vectors.json': ['application/json', vectors],
  };
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  beforeAll(async () => {
    [service, browser] = await Promise.all([startScriptedService(), launchBrowser()]);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
    server.closeAllConnections();
    server.close();
  });

  /** What an expression over the client's module comes to, in a page of the app. */
  async function open() {
    const { page, complaints } = await openPage(browser);
    // The app's page asks the service in its own origin: what other origins may do is a matter of the gateway.
    await page.route(`${service.baseUrl}/**`, async (route) => {
      const request = route.request();
      const reply = await fetch(request.url(), {
        method: 'POST',
        body: request.postData(),
        headers: { 'content-type': 'application/json' },
      }).catch(() => undefined);
      if (!reply) return route.abort();
      await route.fulfill({
        status: reply.status,
        body: await reply.text(),
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
      });
    });
    await page.goto(origin);
    const options = { baseUrl: service.baseUrl, productId, keys, appName: 'Photo Studio', allowTestKeys: true };
    const run = (expression: string, time = now): Promise<unknown> =>
      page.evaluate(`import('/license-client.js').then(async ({ LicenseClient, verifyLease }) => {
        let time = ${time};
        const client = new LicenseClient({ ...${JSON.stringify(options)}, clock: () => time, wait: async () => undefined });
        return ${expression};
      })`);
    return { page, complaints, run };
  }

  test('finds the verdict of every vector', async () => {
    const { run, complaints } = await open();
    const found =
      await run(`fetch('/lease-vectors.json').then((reply) => reply.json()).then((file) => Promise.all(file.vectors.map(async ({ name, lease, nonce, allow_test_keys: allowTestKeys }) => {
      const expected = { keys: file.keys, issuer: file.issuer, productId: file.product_id, fingerprint: file.device_fingerprint, now: file.now, nonce, allowTestKeys };
      return { name, verdict: (await verifyLease(lease, expected)).verdict };
    })))`);
    expect(found).toEqual(JSON.parse(vectors).vectors.map(({ name, verdict }: Record<string, string>) => ({ name, verdict })));
    expect(complaints).toEqual([]);
  });

  test('activates, keeps its state in localStorage, and runs offline until the lease ends', async () => {
    const { page, run, complaints } = await open();
    service.replies.push(service.valid());
    expect(await run(`await client.activate('KEY')`)).toMatchObject({ allowed: true, code: 'activated', source: 'service' });
    const stored = JSON.parse(String(await page.evaluate(`localStorage.getItem('Photo Studio/license.json')`)));
    expect(stored).toEqual({
      fingerprint: service.requests[0]!['device_fingerprint'],
      license_key: 'KEY',
      lease: expect.any(String),
      latest_seen: now,
    });
    expect(await page.evaluate(`localStorage.getItem('Photo Studio/license.json.fingerprint')`)).toBe(stored.fingerprint);
    await page.reload();
    expect(await run('await client.check()', now + day)).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease' });
    expect(await run('await client.checkOffline()', now + 14 * day)).toMatchObject({ allowed: false, code: 'lease_expired' });
    expect(complaints).toEqual([]);
  });

  test('watches: a page that is looked at again after a while checks', async () => {
    const { run } = await open();
    service.replies.push(service.valid(), service.valid('valid'));
    const lookAgain = `document.dispatchEvent(new Event('visibilitychange'))`;
    const shown = `new Promise((show) => { client.watch(show); ${lookAgain}; time += 301; ${lookAgain}; })`;
    expect(await run(`await client.activate('KEY') && await ${shown}`)).toMatchObject({ allowed: true, code: 'valid', source: 'service' });
    expect(service.requests.slice(-2).map(({ path }) => path)).toEqual(['POST /v1/licenses/activate', 'POST /v1/licenses/validate']);
  });

  test('two tabs at once on an empty home are one device', async () => {
    const { page, run } = await open();
    const other = await page.context().newPage();
    await other.goto(origin);
    const many = `await Promise.all(Array.from({ length: 20 }, () => client.makeRequestCode()))`;
    const inOther = other.evaluate(`import('/license-client.js').then(async ({ LicenseClient }) => {
      const client = new LicenseClient({ ...${JSON.stringify({ baseUrl: service.baseUrl, productId, keys, appName: 'Photo Studio' })} });
      return ${many};
    })`);
    const [mine, theirs] = [await run(many), await inOther];
    expect(theirs).toEqual(mine);
    expect(new Set(mine as string[]).size).toBe(1);
  });
});
