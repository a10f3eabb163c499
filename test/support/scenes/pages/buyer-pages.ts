import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { complaints, describeInBrowser, openWindow, page } from '../../http/in-browser.ts';
import { type ApiAnswer, type PageServer, startPageServer } from '../../http/page-server.ts';
import { samplePurchase, sampleToken } from '../../samples/sample-purchase.ts';

export const key = 'LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA';
export const orderId = samplePurchase().order.id;
export const [payerLink, mailLink] = [`/complete#token=${sampleToken('redirect')}`, `/complete#token=${sampleToken('mail')}`];

export const ok = (body: unknown, status = 200) => ({ status, body });
export const opened = (options: Parameters<typeof samplePurchase>[0] = {}) => ok(samplePurchase(options));
export const refused = (code: string, status = 403, headers = {}) => ({
  status,
  body: { code, message: 'x', request_id: 'req-4711' },
  headers,
});

/** What each path answers; a path that is not named answers as the purchase of `complete`, and there are no releases. */
export type Answers = Record<string, Awaited<ReturnType<ApiAnswer>> | ((body: Record<string, unknown>) => ReturnType<ApiAnswer>)>;

export let server: PageServer;
/** What the page asked the service, without the token. */
export let asked: [path: string, body: Record<string, unknown>][];

/** Buyers with a browser at the pages, with an API whose answers the test decides. Before each test every purchase is open, and nothing was asked. */
export function describePages(title: string, tests: () => void): void {
  describeInBrowser(title, () => {
    beforeAll(async () => {
      server = await startPageServer();
    });
    afterAll(() => server?.stop());
    beforeEach(() => {
      server.requests.length = 0;
      asked = [];
      answerWith({});
    });
    tests();
  });
}

export function answerWith(answers: Answers): void {
  server.answerWith((path, body) => {
    const { token, ...rest } = body;
    asked.push([path.replace(/^\/v1\/(purchases\/)?/, ''), rest]);
    const [, answer] = Object.entries(answers).find(([end]) => path.endsWith(`/${end}`)) ?? [];
    return (typeof answer === 'function' ? answer(body) : answer) ?? (path.endsWith('/releases') ? ok({ items: [] }) : opened());
  });
}

/** A window in which the page is open after `script`, which runs before its own. */
export async function open(path: string, options: BrowserContextOptions = {}, script = ''): Promise<void> {
  await openWindow(options);
  page.on('dialog', () => complaints.push('a dialog opened'));
  if (script !== '') await page.addInitScript(script);
  await page.goto(server.baseUrl + path);
}

/** Another page in the window, or the same with another link. */
export async function goTo(path: string): Promise<void> {
  // A page that is open already would only see its fragment change.
  await page.goto('about:blank');
  await page.goto(server.baseUrl + path);
}

export const kept = () => page.evaluate<Record<string, string>>('({ ...sessionStorage })');
/** As it is laid out, with its lines. */
export const shownText = (selector: string) => page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`);
export const timesAsked = (path: string) => asked.filter(([one]) => one === path).length;
