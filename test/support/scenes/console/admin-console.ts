import { expect } from '@jest/globals';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { accessibilityFaults, launchBrowser, openPage, overflowOf, settled, smallTargets } from '../../http/browser.ts';
import { eventually, type StackHarness, startStackHarness } from '../stack-harness.ts';

let browser: Browser | undefined;
export let harness: StackHarness;
export let page: Page;
export let complaints: string[] = [];
/** What the console asked of the API since the last screen was opened. */
export let asked: string[] = [];

/** A whole stack, and a browser for its admin. */
export async function startAdminConsole(): Promise<void> {
  [browser, harness] = await Promise.all([launchBrowser(), startStackHarness()]);
}

export async function stopAdminConsole(): Promise<void> {
  await browser?.close();
  await harness?.stop();
}

export const asSeller = (method: string, path: string, body?: unknown) =>
  harness.call(method, path, { as: 'seller', ...(body !== undefined && { body }) });
export const asAdmin = (method: string, path: string, body?: unknown) =>
  harness.call(method, path, { as: 'admin', ...(body !== undefined && { body }) });

/** Signs in as the admin, in a window of its own, and opens a screen. */
export async function open(path: string, { width = 360, language = 'en' } = {}): Promise<void> {
  if (!browser) throw new Error('No browser was started.');
  await page?.context().close();
  ({ page, complaints } = await openPage(browser, { locale: language, viewport: { width, height: 740 } }));
  page.setDefaultTimeout(10_000);
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) asked.push(`${request.method()} ${pathname}`);
  });
  await page.goto(`${harness.baseUrl}/console/admin?login_hint=admin%40example.com`);
  await page.locator('main h1').waitFor();
  await show(path);
}

/** Opens a screen of who is signed in. */
export async function show(path: string): Promise<void> {
  await settled(page);
  asked = [];
  await page.goto(harness.baseUrl + path);
  await page.waitForURL((url) => url.pathname + url.search === path);
  await page.locator('main h1').waitFor();
  await settled(page);
}

export const field = (name: string, within: Page | Locator = page) => within.locator(`[name="${name}"]`);
export const operation = (id: string, within: Page | Locator = page) => within.locator(`[data-operation=${id}]`);
export const decisionButton = (value: string, within: Page | Locator = page) => within.locator(`button[name=decision][value=${value}]`);
export const alert = (code: string) => page.locator(`[role=alert][data-error=${code}]`);
export const said = (text: string) => page.locator('[role=status]', { hasText: text }).first().waitFor({ state: 'attached' });
/** Waits until an expression holds; the page's policy lets it be evaluated from outside alone. */
export const until = (expression: string) =>
  eventually(expression, 10, async () => ((await page.evaluate(expression)) === true ? true : undefined));
export const compared = (name: string) => page.locator(`[data-field="${name}"]`);

/** The screen is fit for everybody, in this state too. */
export async function expectFit(): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
}

/** Answers the next request to an operation instead of the service. */
export async function once(path: string, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route((url) => url.pathname.endsWith(path), answer, { times: 1 });
}

export const failing =
  (status: number, code: string, headers = {}) =>
  (route: Route) =>
    route.fulfill({ status, headers, json: { code, message: 'It failed.', request_id: 'request-1' } });
