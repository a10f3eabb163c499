import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Locator, Page, Route } from 'playwright-core';
import { atScreen, type ConsoleVisit, failureNotice, faultsOf, openConsole, operation as operationOf, shown } from '../../http/console.ts';
import { browser, closeWindow, describeInBrowser, page, takeWindow } from '../../http/in-browser.ts';
import { eventually, type StackHarness, startStackHarness } from '../stack-harness.ts';

/** A stack with a seller who can take payments. */
export let harness: StackHarness;
/** Who signs in as that seller. */
export let owner: string;

/** Tests of the console in a browser, on one whole stack. */
export function describeConsole(title: string, tests: () => void, settings: Record<string, string> = {}): void {
  describeInBrowser(title, () => {
    beforeAll(async () => {
      harness = await startStackHarness(settings);
      owner = (await asSeller('GET', '/v1/me')).user_id;
    }, 240_000);
    afterAll(() => harness?.stop());
    tests();
  });
}

export const asSeller = (method: string, path: string, body?: unknown) => harness.call(method, path, { as: 'seller', body });
export const asAdmin = (method: string, path: string, body?: unknown) => harness.call(method, path, { as: 'admin', body });
/** Calls the API in the name of a user. */
export const asUser = (userId: string, method: string, path: string, body?: unknown) =>
  harness.call(method, path, { headers: { 'X-User-ID': userId }, body });

/** Signs in as the seller, or who is named, in a window of its own, and opens a screen. */
export async function open(path: string, { as = owner, width = 360, ...visit }: Partial<ConsoleVisit> = {}): Promise<void> {
  await closeWindow();
  takeWindow(await openConsole(browser, harness, { as, path, width, ...visit }));
}
export const openAsAdmin = (path: string, visit: Partial<ConsoleVisit> = {}) => open(path, { as: 'admin@example.com', ...visit });

/** Goes to another screen as a link does. */
export const go = (path: string) => atScreen(page, path);
/** Another tab of the same browser, at a screen. */
export async function otherTab(path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(harness.baseUrl + path);
  await shown(tab);
  return tab;
}
/** Loads the page anew: what only its memory held is gone. */
export async function reload(): Promise<void> {
  await page.reload();
  await shown(page);
}
export const endSessions = () => harness.call('POST', '/__local/identity/end-sessions');

export const field = (name: string, within: Page | Locator = page) => within.locator(`[name="${name}"]`);
/** The control that sends an operation. */
export const operation = (id: string, within: Page | Locator = page) => operationOf(within, id);
export const dialog = () => page.locator('dialog[open]');
/** A row of a list. */
export const row = (id: string) => page.locator(`tr[data-id="${id}"]`);
export const text = (words: string | RegExp) => page.getByText(words).first();
export const failure = (code: string) => failureNotice(page, code);
/** Resolves once this is announced. */
export const said = (words: string | RegExp) =>
  page.locator('[role=status]').filter({ hasText: words }).first().waitFor({ state: 'attached' });

/** Listens from now on, and resolves once this is announced, also where other news follows at once. */
export const hear = (words: string) =>
  page.evaluate(`new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (![...document.querySelectorAll('[role=status]')].some((status) => status.textContent.includes(${JSON.stringify(words)}))) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  })`);

/** Waits until an expression holds; the page's policy lets it be evaluated from outside alone. */
export const until = (expression: string) =>
  eventually(expression, 90, async () => ((await page.evaluate(expression)) === true ? true : undefined));
export const untilFocused = (selector = ':not(body)') => until(`document.activeElement.matches(${JSON.stringify(selector)})`);
export const isFocused = (selector: string): Promise<boolean> =>
  page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);

/** The screen is fit for everybody, in this state too. */
export const expectFit = async () => expect(await faultsOf(page)).toEqual([]);

/** All that a page of ours keeps where scripts, other tabs, histories and logs could find it. */
export const kept = (): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state, location.href])');

/** The bodies that are sent to a path from now on. */
export function watch(method: string, path: RegExp): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) seen.push(request.postData() ?? '');
  });
  return seen;
}

/** Has something else answer the next request to a path. */
export const once = (path: RegExp, answer: (route: Route) => Promise<void>) =>
  page.route((url) => path.test(url.pathname), answer, { times: 1 });

export const failing =
  (status: number, code: string, headers = {}) =>
  (route: Route) =>
    route.fulfill({ status, headers, json: { code, message: 'It failed.', request_id: 'request-1' } });
