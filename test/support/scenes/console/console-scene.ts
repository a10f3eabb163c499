import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../http/browser.ts';
import { atScreen, failureNotice, faultsOf, openConsole, operation as operationOf, shown } from '../../http/console.ts';
import { type RunningStack, startStack } from '../stack.ts';

let stack: RunningStack;
let browser: Browser;
export let page: Page;
/** What the browser complained about since the screen was opened. */
export let complaints: string[] = [];

/** A whole stack of these settings with the examples, and a browser. */
export async function startConsole(settings: NodeJS.ProcessEnv = {}): Promise<void> {
  [stack, browser] = await Promise.all([startStack(settings), launchBrowser()]);
  await fetch(`${stack.address}/__local/examples`, { method: 'POST' });
}

export async function stopConsole(): Promise<void> {
  await browser?.close();
  await stack?.stop();
}

export const addressOf = (path: string) => stack.address + path;

/** Calls the API for an owner of the examples, or an admin. */
export async function api(method: string, path: string, body?: unknown, as = 'example-aoi'): Promise<any> {
  const headers = {
    'X-User-ID': as,
    ...(as === 'admin' && { 'X-User-Email': 'admin@example.com' }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(addressOf(path), { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return response.json();
}

/** Signs in on a tab of its own, and opens a screen. */
export async function open(path: string, { as = 'example-aoi', locale = 'en' as 'ja' | 'en', width = 1280 } = {}): Promise<void> {
  await page?.context().close();
  ({ page, complaints } = await openConsole(browser, { baseUrl: stack.address }, { as, path, locale, width }));
}

/** Goes to another screen as a link does. */
export const go = (path: string) => atScreen(page, path);

/** Loads the page anew: what only its memory held is gone. */
export async function reload(): Promise<void> {
  await page.reload();
  await shown(page);
}

/** All that the screen must not be. */
export const faults = () => faultsOf(page);

/** The control that sends an operation. */
export const operation = (id: string, within = 'form') => operationOf(page.locator(within), id);
export const inDialog = 'dialog[open]';
export const field = (name: string) => page.locator(`[name="${name}"]`);
export const text = (words: string | RegExp) => page.getByText(words).first();
export const failure = (code: string) => failureNotice(page, code);
/** The ids of the rows of lists. */
export const rows = () => page.locator('tr[data-id]').evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
/** What has the focus, by its text. */
export const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
/** Resolves once this is announced. */
export const said = (words: RegExp) => page.locator('[role=status] span').filter({ hasText: words }).waitFor({ state: 'attached' });
/** Everything that the tab keeps. */
export const kept = (): Promise<string> => page.evaluate('JSON.stringify(sessionStorage) + JSON.stringify(localStorage)');

/** The bodies that are sent to a path from now on. */
export function watch(method: string, path: RegExp): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) seen.push(request.postData() ?? '');
  });
  return seen;
}

/** The next request to a path is refused as an overloaded service does. */
export const refuse = (path: RegExp, status: 429 | 503, headers: Record<string, string> = {}) =>
  page.route(path, (route) => route.fulfill({ status, headers, json: refusals[status] }), { times: 1 });

const refusals = {
  429: { code: 'rate_limited', message: 'x', request_id: 'req-77' },
  503: { code: 'dependency_unavailable', message: 'x', request_id: 'req-78' },
};
