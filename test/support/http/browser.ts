import { existsSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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
  });
}

/** A fresh page on a phone, and whatever the browser complained about in it: errors, refused code, failed loads. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 360, height: 740 }, timezoneId: 'Asia/Tokyo', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Replies like 403 are how the page learns that a payment is not confirmed yet.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  return { page, complaints };
}

/** What axe finds against WCAG 2.2 AA and its best practices, one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Through the debugger, since the page's own policy lets no foreign code in.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe);
  const faults: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((result) => result.violations)`,
  );
  return faults.flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.target.join(' ')} ${node.failureSummary}`));
}

/** What can be pressed or filled and is lower than a finger finds, as markup. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('button, input, textarea, summary, .button')].filter((element) => element.offsetParent && element.getBoundingClientRect().height < 24).map((element) => element.outerHTML)`,
  );
}
