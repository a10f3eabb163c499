import type { Browser, CDPSession, Page, Response } from 'playwright-core';
import type { Locale } from '../../../../shared/locale.ts';
import { openPage, settled } from '../../http/browser.ts';
import { openConsole, shown } from '../../http/console.ts';
import type { ExampleScreen } from './example-screens.ts';

/** In which time the reader's machine draws a table of a thousand rows, in milliseconds: what is measured must not depend on this machine. */
const readersTableMs = 250;

/** How long this machine takes for that, at its best. */
const tableMs = `(async () => {
  let best = Infinity;
  for (let run = 0; run < 12; run += 1) {
    const begun = performance.now();
    const table = document.createElement('table');
    for (let row = 0; row < 1000; row += 1)
      for (let cell = 0, cells = table.insertRow(); cell < 5; cell += 1) cells.insertCell().textContent = 'cell ' + row * cell;
    document.body.append(table);
    table.getBoundingClientRect();
    best = Math.min(best, performance.now() - begun);
    table.remove();
    await new Promise((resolve) => setTimeout(resolve));
  }
  return best;
})()`;

/** How much slower than this machine the reader's is. */
let slowdown: Promise<number> | undefined;
async function measureSlowdown(browser: Browser): Promise<number> {
  const { page } = await openPage(browser, {});
  const best = await page.evaluate<number>(tableMs);
  await page.context().close();
  return Math.max(1, readersTableMs / best);
}

/** What a page may be slow by: its machine, and its network. */
export interface Slowness {
  network?: 'slow';
}

async function slowDown(browser: Browser, page: Page, { network }: Slowness): Promise<CDPSession> {
  slowdown ??= measureSlowdown(browser);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: await slowdown });
  const bytes = 1_600_000 / 8;
  if (network) {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytes,
      uploadThroughput: bytes,
    });
  }
  return devtools;
}

const homeOf = (path: string) => (/^\/console\/admin(\/|$)/.test(path) ? '/console/admin' : '/console');

/** Somebody who signed in at the issuer before, at a browser that has nothing of the console yet. */
async function openSlow(browser: Browser, stack: { baseUrl: string }, as: string, locale: Locale, slowness: Slowness = {}): Promise<Page> {
  const { page } = await openPage(browser, { locale, viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await slowDown(browser, page, slowness);
  const query = new URLSearchParams({ login_hint: as });
  await page.goto(`${stack.baseUrl}/console?${query}`);
  await shown(page);
  return page;
}

/** Until the screen is there, with what it reads. */
async function untilUsable(page: Page): Promise<void> {
  await page.locator('[data-action=sign-out]').first().waitFor({ state: 'attached' });
  await page.locator('main h1').first().waitFor();
  await page.locator('main [aria-busy=true].placeholder').first().waitFor({ state: 'detached' });
}

/** The files of the console that a first visit loads until it has shown its first screen, by their compressed size in bytes. */
export async function measureFirstVisit(
  browser: Browser,
  stack: { baseUrl: string },
  { as, path }: Pick<ExampleScreen, 'as' | 'path'>,
  locale: Locale,
): Promise<{ files: Map<string, number>; bytes: number }> {
  const { page } = await openPage(browser, { locale });
  const files = new Map<string, number>();
  const count = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/console')) return;
    const name = pathname.endsWith('/callback') ? 'shell' : pathname;
    // The shell before the sign-in is another load of the same.
    if (response.request().isNavigationRequest() && name !== 'shell') return;
    files.set(name, Number(response.headers()['content-length'] ?? 0));
  };
  page.on('response', count);
  await page.goto(`${stack.baseUrl}${homeOf(path)}?${new URLSearchParams({ login_hint: as })}`);
  await shown(page);
  // What is looked for below is no part of the visit.
  page.off('response', count);
  const worker = await workerOf(page);
  if (worker) files.set(...worker);
  await page.context().close();
  return { files, bytes: [...files.values()].reduce((sum, size) => sum + size, 0) };
}

/** The worker that uploads use, where the script that comes late has it: its path, and its compressed size. */
function workerOf(page: Page): Promise<[string, number] | undefined> {
  return page.evaluate(`(async () => {
    const script = [...document.scripts].map(({ src }) => src).find((src) => src.includes('/console/assets/'));
    const named = async (source, pattern) => pattern.exec(await (await fetch(source)).text())?.[0];
    const late = await named(script, /seller-late[\\w.-]+\\.js/);
    const path = late && (await named('/console/assets/' + late, /\\/console\\/assets\\/hash-worker[\\w.-]+\\.js/));
    return path && [path, Number((await fetch(path)).headers.get('content-length'))];
  })()`);
}

/** What the loading of one screen costs its reader. */
export interface ScreenFigures {
  name: string;
  /** Calls of the API, each counted once however often it is repeated. */
  requests: string[];
  /** From the wish to be there, through the issuer, until it can be used, in milliseconds. */
  usableMs: number;
  /** By how much things moved that nobody touched. */
  shift: number;
}

/** Loads each screen as a page of its own, on a slower machine. */
export async function measureScreens(
  browser: Browser,
  stack: { baseUrl: string },
  screens: readonly ExampleScreen[],
  { locale = 'en', tries = 1, ...slowness }: { locale?: Locale; tries?: number } & Slowness = {},
): Promise<ScreenFigures[]> {
  const figures: ScreenFigures[] = [];
  for (const [as, theirs] of Map.groupBy(screens, (screen) => screen.as)) {
    const page = await openSlow(browser, stack, as, locale, slowness);
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });`);
    for (const { name, path } of theirs) {
      let [usableMs, shift] = [Number.POSITIVE_INFINITY, 0];
      const requests = new Set<string>();
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const count = (request: { url(): string; method(): string; postData(): string | null }) => {
          const { pathname, search } = new URL(request.url());
          if (pathname.startsWith('/v1/')) requests.add(`${request.method()} ${pathname}${search} ${request.postData() ?? ''}`.trim());
        };
        page.on('request', count);
        await page.goto('about:blank');
        const begun = Date.now();
        await page.goto(stack.baseUrl + path, { waitUntil: 'commit' });
        await untilUsable(page);
        usableMs = Math.min(usableMs, Date.now() - begun);
        await settled(page);
        shift = Math.max(shift, await page.evaluate<number>('window.shift'));
        page.off('request', count);
      }
      figures.push({ name, requests: [...requests], usableMs, shift });
    }
    await page.context().close();
  }
  return figures;
}

/** From the press of a link until the next screen is drawn with what it reads, in milliseconds, on a slower machine. */
export async function measureNext(
  browser: Browser,
  stack: { baseUrl: string },
  screens: readonly ExampleScreen[],
  { locale = 'en', tries = 3 }: { locale?: Locale; tries?: number } = {},
): Promise<{ name: string; nextMs: number }[]> {
  const figures: { name: string; nextMs: number }[] = [];
  for (const theirs of Map.groupBy(screens, ({ as, path }) => `${as} ${homeOf(path)}`).values()) {
    const [first] = theirs;
    if (!first) continue;
    const page = await openSlow(browser, stack, first.as, locale);
    const home = homeOf(first.path);
    const best = new Map<string, number>();
    for (let attempt = 0; attempt < tries; attempt += 1) {
      // What was read before would be shown at once.
      await page.goto(stack.baseUrl + home);
      await shown(page);
      for (const { name, path } of theirs) {
        if (path === home) continue;
        const nextMs = await page.evaluate<number>(goTo(path));
        await settled(page);
        best.set(name, Math.min(nextMs, best.get(name) ?? nextMs));
      }
    }
    for (const [name, nextMs] of best) figures.push({ name, nextMs: Math.round(nextMs) });
    await page.context().close();
  }
  return figures;
}

/** Goes to a screen as a link does; how long it took until all was drawn. */
const goTo = (path: string) => `new Promise((resolve) => {
  const before = document.querySelector('main h1');
  const begun = performance.now();
  history.pushState(null, '', ${JSON.stringify(path)});
  dispatchEvent(new PopStateEvent('popstate', { state: null }));
  const look = () => {
    const now = document.querySelector('main h1');
    const isDrawn = now && now !== before && document.querySelector('main .placeholder') === null;
    if (isDrawn) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
    else if (performance.now() - begun > 5000) resolve(5000);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

/** The longest that anything takes until it is seen that one does at a list of a hundred rows, in milliseconds, on a slower machine. */
export async function measureInteractions(browser: Browser, stack: { baseUrl: string }, as: string, tries = 3): Promise<number> {
  const longest: number[] = [];
  for (let attempt = 0; attempt < tries; attempt += 1) longest.push(await longestInteraction(browser, stack, as));
  return Math.min(...longest);
}

const rows = 100;

async function longestInteraction(browser: Browser, stack: { baseUrl: string }, as: string): Promise<number> {
  const { page } = await openConsole(browser, stack, { as });
  await page.route(/\/v1\/products(\?|$)/, async (route) => {
    const reply = await route.fetch();
    const { items } = await reply.json();
    const many = Array.from({ length: rows }, (_, index) => ({
      ...items[index % items.length],
      id: `prd_${index}`,
      name: `Product ${index}`,
    }));
    await route.fulfill({ response: reply, json: { items: many } });
  });
  await page.goto(`${stack.baseUrl}/console/products`);
  await page
    .locator('tbody tr')
    .nth(rows - 1)
    .waitFor();
  await slowDown(browser, page, {});
  await page.evaluate(`
    window.longest = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (entry.interactionId) window.longest = Math.max(window.longest, entry.duration); }).observe({ type: 'event', durationThreshold: 16 });`);
  await page.locator('[data-action=theme]').click();
  for (let stop = 0; stop < 10; stop += 1) await page.keyboard.press('Tab');
  await page.locator('[data-action=theme]').click();
  await page.getByRole('link', { name: 'Product 50', exact: true }).click();
  await shown(page);
  await page.goBack();
  await page
    .locator('tbody tr')
    .nth(rows - 1)
    .waitFor();
  await page.getByRole('navigation').getByRole('link').nth(2).click();
  await shown(page);
  // What was measured comes a moment after it was drawn.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
  const longest = await page.evaluate<number>('window.longest');
  await page.context().close();
  return longest;
}
