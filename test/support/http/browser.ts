import { existsSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';

/** Without windows it needs half the time; what is drawn on pages is the same. */
const withoutWindows = '/usr/bin/chromium-headless-shell';
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? (existsSync(withoutWindows) ? withoutWindows : '/usr/bin/chromium');
export const hasBrowser = existsSync(chromiumPath);

/** Without its comments, which every page would read anew. */
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    // In the C locale it takes no name for a file that is not ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
}

/** What each page is still waiting for. */
const requestsOf = new WeakMap<Page, Set<Request>>();

/** A fresh page on a phone, and whatever the browser complained about in it: errors, refused code, failed loads. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 360, height: 740 }, timezoneId: 'Asia/Tokyo', ...options });
  // A bound for what never happens: a machine with other work is slow.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const requests = new Set<Request>();
  requestsOf.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Replies like 403 are how the page learns that a payment is not confirmed yet.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  return { page, complaints };
}

/** Resolves once all that the page asked for is there and drawn: half a second sooner than the browser calls its network idle. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState();
  const drawn = () => page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  for (let idle = 0; idle < 2; idle = (requestsOf.get(page)?.size ?? 0) === 0 ? idle + 1 : 0) await drawn();
}

/** What axe finds against WCAG 2.2 AA and its best practices, one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Through the debugger, since the page's own policy lets no foreign code in.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe);
  const faults: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((result) => result.violations)`,
  );
  return faults.flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.target.join(' ')} ${node.failureSummary}`));
}

/** By how many pixels a page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Whether an element is drawn on a dark ground. */
export async function isDark(page: Page, element = 'document.body'): Promise<boolean> {
  const background = String(await page.evaluate(`getComputedStyle(${element}).backgroundColor`));
  return Number(/\d+/.exec(background)?.[0]) < 128;
}

/** What can be pressed or filled and is lower than a finger finds, as markup. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('button, input, textarea, summary, .button')].filter((element) => element.offsetParent && element.getBoundingClientRect().height < 24).map((element) => element.outerHTML)`,
  );
}
