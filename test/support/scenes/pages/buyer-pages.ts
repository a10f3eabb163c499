import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../http/browser.ts';
import { type ApiAnswer, type PageServer, startPageServer } from '../../http/page-server.ts';
import { samplePurchase, sampleToken } from '../../samples/sample-purchase.ts';

export const key = 'LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA';
export const orderId = samplePurchase().order.id;
export const [payerLink, mailLink] = [`/complete#token=${sampleToken('redirect')}`, `/complete#token=${sampleToken('mail')}`];

export const ok = (body: unknown, status = 200) => ({ status, body });
export const refused = (code: string, status = 403, headers = {}) => ({
  status,
  body: { code, message: 'x', request_id: 'req-4711' },
  headers,
});

/**
 * Buyers with a browser at the pages of a purchase, with an API whose answers the test decides.
 * `page` is the one that was opened last.
 */

/** What each path answers; a path that is not named answers as the purchase of `complete`, and there are no releases. */
export type Answers = Record<string, Awaited<ReturnType<ApiAnswer>> | ((body: Record<string, unknown>) => ReturnType<ApiAnswer>)>;

let browser: Browser;
export let server: PageServer;
export let page: Page;
export let complaints: string[];
/** What the page asked the service, without the token. */
export let asked: [path: string, body: Record<string, unknown>][];

export function answerWith(answers: Answers): void {
  server.answerWith((path, body) => {
    const { token, ...rest } = body;
    asked.push([path.replace('/v1/purchases/', ''), rest]);
    const [, answer] = Object.entries(answers).find(([end]) => path.endsWith(`/${end}`)) ?? [];
    return (typeof answer === 'function' ? answer(body) : answer) ?? ok(path.endsWith('/releases') ? { items: [] } : samplePurchase());
  });
}

export async function openBlank(options: BrowserContextOptions = {}): Promise<void> {
  ({ page, complaints } = await openPage(browser, options));
}

export async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  await openBlank(options);
  page.on('dialog', () => complaints.push('a dialog opened'));
  await page.goto(server.baseUrl + path);
}

export const seen = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor();
export const isSeen = (text: string) => page.getByText(text).filter({ visible: true }).first().isVisible();
export const heading = () => page.locator('h1:visible').textContent();
export const button = (name: string) => page.getByRole('button', { name, exact: true });
export const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
export const kept = () => page.evaluate<Record<string, string>>('({ ...sessionStorage })');
/** As it is laid out, with its lines. */
export const shownText = (selector: string) => page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`);
export const timesAsked = (path: string) => asked.filter(([one]) => one === path).length;

export async function startBuyerPages(): Promise<void> {
  browser = await launchBrowser();
  server = await startPageServer();
}

export const stopBuyerPages = () => Promise.all([browser?.close(), server?.stop()]);

/** Before each test: every purchase is open, and nothing was asked. */
export function resetBuyerPages(): void {
  server.requests.length = 0;
  asked = [];
  answerWith({});
}

/** After each test: the browser had nothing to complain about. */
export async function leaveBuyerPages(): Promise<void> {
  expect(complaints).toEqual([]);
  await page.context().close();
}
