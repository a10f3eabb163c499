import type { Browser, Locator, Page } from 'playwright-core';
import { accessibilityFaults, openPage, overflowOf, settled, smallTargets } from './browser.ts';

/** Where somebody opens the console, and as whom. */
export interface ConsoleVisit {
  /** Whom the local identity provider signs in: a user id or an address of an owner, an admin's address, or `new`. */
  as: string;
  /** Where one begins. */
  path?: string;
  locale?: 'ja' | 'en';
  width?: number;
  scheme?: 'light' | 'dark';
}

const complaintsOf = new WeakMap<Page, string[]>();

/**
 * A page in a browser context of its own, at a screen of the console, signed in, with all that was read drawn. Complaints
 * are errors of the page, what its policy refused, and what else was written to its console as an error.
 */
export async function openConsole(
  browser: Browser,
  stack: { baseUrl: string },
  { as, path = '/console', locale = 'en', width = 1280, scheme = 'light' }: ConsoleVisit,
): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await openPage(browser, {
    locale,
    viewport: { width, height: width < 700 ? 740 : 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  complaintsOf.set(page, complaints);
  // Only there a hint is taken.
  const home = /^\/console\/admin(\/|$)/.test(path) ? '/console/admin' : '/console';
  await page.goto(`${stack.baseUrl}${home}?login_hint=${encodeURIComponent(as)}`);
  await shown(page);
  if (path !== home) await atScreen(page, path);
  return { page, complaints };
}

/** Waits until somebody is signed in, and their screen is drawn with all that it reads. */
export async function shown(page: Page): Promise<void> {
  await page.locator('[data-action=sign-out]').first().waitFor({ state: 'attached' });
  await page.locator('main h1').first().waitFor();
  await settled(page);
}

/** Goes to another screen of the same role as a link does, without loading a page, and waits until it is drawn. */
export async function atScreen(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate', { state: null }));`,
  );
  await shown(page);
}

/** The controls that send an operation. */
export const operation = (page: Page | Locator, id: string): Locator => page.locator(`[data-operation="${id}"]`);

/** The failure of this code that is told on the screen. */
export const failureNotice = (page: Page, code: string): Locator => page.locator(`[role=alert][data-error="${code}"]`);

/** Whether something, and not the page as a whole, has the keyboard. */
export const hasFocus = (page: Page): Promise<boolean> => page.evaluate('document.activeElement !== document.body');

/** All that a screen must not be, a line each: for who cannot see or point, too wide, twice the same id, what the browser complained about. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults = await accessibilityFaults(page);
  const overflow = await overflowOf(page);
  if (overflow > 0) faults.push(`${overflow} px too wide`);
  for (const target of await smallTargets(page)) faults.push(`too low for a finger: ${target}`);
  const headings = await page.locator('h1').count();
  if (headings !== 1) faults.push(`${headings} h1`);
  const twice: string[] = await page.evaluate(
    `[...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, at, ids) => ids.indexOf(id) !== at)`,
  );
  for (const id of twice) faults.push(`twice the id ${id}`);
  return [...faults, ...(complaintsOf.get(page) ?? [])];
}
