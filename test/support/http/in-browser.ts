import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { hasBrowser, launchBrowser, openPage } from './browser.ts';

export let browser: Browser;
/** The window that was opened last. */
export let page: Page;
/** What the browser complained about in it. */
export let complaints: string[] = [];

/** Tests in one browser, each in windows of its own about which that complains of nothing; skipped where there is none. */
export function describeInBrowser(title: string, tests: () => void): void {
  jest.setTimeout(180_000);
  (hasBrowser ? describe : describe.skip)(title, () => {
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser?.close());
    afterEach(closeWindow);
    tests();
  });
}

export async function openWindow(options: BrowserContextOptions = {}): Promise<void> {
  takeWindow(await openPage(browser, options));
}

/** Goes on in a window that was opened elsewhere. */
export function takeWindow(opened: { page: Page; complaints: string[] }): void {
  ({ page, complaints } = opened);
}

export async function closeWindow(): Promise<void> {
  const found = complaints;
  complaints = [];
  await page?.context().close();
  expect(found).toEqual([]);
}

export const seen = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor();
export const isSeen = (text: string) => page.getByText(text).filter({ visible: true }).first().isVisible();
export const heading = () => page.locator('h1:visible').textContent();
export const button = (name: string) => page.getByRole('button', { name, exact: true });
/** What has the focus, by its id or else its text. */
export const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
