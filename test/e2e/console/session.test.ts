import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { createIdentityProvider, type IdentityProvider } from '../../../infra/local/identity/identity-provider.ts';
import { createPeople } from '../../../infra/local/identity/people.ts';
import { emptyTable } from '../../support/empty-table.ts';
import { hasBrowser, launchBrowser, openPage } from '../../support/http/browser.ts';

const room = join(import.meta.dirname, '..', '..', '..', 'functions', 'console', 'browser', 'session');

/** As the console's, without its screens. */
const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** What the page shows is how the session stands. */
const pageScript = `
import { bearer, reportRejectedBearer, session, signInAgain, signOut, startSession } from './session.ts';
window.tab = { bearer, reportRejectedBearer, signInAgain, signOut };
window.first = location.href;
const show = () => { document.title = [session.get().name, session.get().code].join(' ').trim(); };
session.subscribe(show);
void startSession(fetch('/console/config.json').then((reply) => reply.json()), document.documentElement.dataset.role);
window.next = location.href;
show();`;

async function scriptIn(language: 'ja' | 'en'): Promise<string> {
  const { outputFiles } = await build({
    ...{ stdin: { contents: pageScript, resolveDir: room, loader: 'ts' }, bundle: true, write: false, minify: true },
    ...{ format: 'iife', target: 'es2022', define: { LANGUAGE: JSON.stringify(language) }, tsconfigRaw: {} },
  });
  return outputFiles[0]?.text ?? '';
}

(hasBrowser ? describe : describe.skip)('the session in a real browser', () => {
  let browser: Browser;
  let server: Server;
  let provider: IdentityProvider;
  let base: string;
  let page: Page;
  let complaints: string[];
  let asked: string[];

  beforeAll(async () => {
    const scripts: Record<string, string> = { '/en.js': await scriptIn('en'), '/ja.js': await scriptIn('ja') };
    server = createServer(async (request, response) => {
      const url = new URL(request.url ?? '', base);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const local = { method: request.method ?? '', path: url.pathname, query: url.searchParams, accept: '*/*', headers };
      const reply = await provider.answer({ ...local, body: Buffer.concat(chunks) });
      if (reply) response.writeHead(reply.status, reply.headers).end(reply.body);
      else if (scripts[url.pathname]) response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(scripts[url.pathname]);
      else if (url.pathname === '/console/config.json')
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(configuration());
      else {
        const language = url.searchParams.get('lang') ?? 'en';
        const role = url.pathname.startsWith('/console/admin') ? 'admin' : 'seller';
        const shell = `<!doctype html><html lang="${language}" data-role="${role}"><title>x</title><script src="/${language}.js" defer></script>`;
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy }).end(shell);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(async () => {
    provider = createIdentityProvider({
      ...{ publicBaseUrl: base, clientId: 'console', tokenSeconds: 300, file: undefined },
      people: createPeople({ table: emptyTable, allowlist: 'root@example.com' }),
    });
    ({ page, complaints } = await openPage(browser));
    asked = [];
    page.context().on('request', (request) => asked.push(request.url()));
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => /eyJ|refresh\./.test(url))).toEqual([]);
    await page.context().close();
  });

  const issuer = () => `${base}/__local/identity`;
  const configuration = () =>
    JSON.stringify({
      ...{ issuer: issuer(), authorization_endpoint: `${issuer()}/authorize`, token_endpoint: `${issuer()}/token` },
      ...{ revocation_endpoint: `${issuer()}/revoke`, end_session_endpoint: `${issuer()}/logout` },
      ...{ client_id: 'console', scope: 'openid email', token: 'access' },
    });

  /** Asks again and again: the page's policy lets no script of ours wait in it. */
  async function until(name: string, where = page) {
    for (let at = 0; ; at += 1) {
      const title = await where.title().catch(() => 'loading');
      if (title === name) return;
      if (at === 200) throw new Error(`It stays at ${title}.`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  const at = (where = page) => where.url().slice(base.length);
  /** All that a page can keep. */
  const kept = (where = page): Promise<unknown> =>
    where.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, history.state])');
  const nothing = JSON.stringify([{}, {}, '', null]);

  async function signIn(path = '/console', where = page) {
    await where.goto(`${base}${path}?login_hint=root@example.com`);
    await until('signed-in', where);
  }

  test('signs in, keeps nothing, and passes through the issuer after a reload', async () => {
    await signIn();
    expect([at(), await kept()]).toEqual(['/console', nothing]);
    expect(await page.evaluate('first.includes("code=") && !next.includes("?")')).toBe(true);
    await page.goto(`${base}/console/products/p1/files?q=secret#x`);
    await until('signed-in');
    await page.reload();
    await until('signed-in');
    expect([at(), await kept()]).toEqual(['/console/products/p1/files', nothing]);
    expect(await page.evaluate('tab.bearer().then((token) => token.split(".").length)')).toBe(3);
  });

  test('comes back in the language that it began in', async () => {
    await page.goto(`${base}/console?lang=ja&login_hint=new`);
    await until('signed-in');
    expect([at(), await page.evaluate('document.documentElement.lang'), await kept()]).toEqual(['/console?lang=ja', 'ja', nothing]);
  });

  test('says that a callback is nobody’s, and signs in by hand', async () => {
    await signIn();
    await page.goto(`${base}/console/callback?code=x&state=y#z`);
    await until('failed sign_in_unfinished');
    expect(at()).toBe('/console');
    await page.evaluate('tab.signInAgain()');
    await until('signed-in');
  });

  test('is over when the issuer ended it, and leads back to the screen', async () => {
    await signIn();
    await page.goto(`${base}/console/orders/o1`);
    await until('signed-in');
    await fetch(`${issuer()}/end-sessions`, { method: 'POST' });
    await page.evaluate('tab.bearer().then(tab.reportRejectedBearer)');
    await until('over');
    expect(at()).toBe('/console/orders/o1');
    await page.evaluate('tab.signInAgain()');
    await page.locator('button[value=new]').click();
    await until('signed-in');
    expect([at(), await kept()]).toEqual(['/console/orders/o1', nothing]);
  });

  test('signs out in every tab, the admins’ too, and leaves nothing to go back to', async () => {
    await signIn();
    const other = await page.context().newPage();
    await signIn('/console/admin', other);
    await other.evaluate('sessionStorage.setItem("draft:a", "typed")');
    await page.evaluate('tab.signOut()').catch(() => undefined);
    await until('signed-out', other);
    await until('signed-out');
    const mark = (home: string) => JSON.stringify([{ 'console:signed-out': home }, {}, '', null]);
    expect([at(), await kept(), await kept(other)]).toEqual(['/console', mark('/console'), mark('/console/admin')]);
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await until('signed-out');
    await other.evaluate('tab.signInAgain()');
    await other.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(other.url()).searchParams.get('redirect_uri')).toBe(`${base}/console/admin/callback`);
  });

  test('a page that is shown again as it was left asks the issuer', async () => {
    await signIn();
    await page.evaluate('window.mark = 1');
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
    await until('signed-in');
    expect(await page.evaluate('window.mark')).toBeUndefined();
  });
});
