import type { Locator, Page } from 'playwright-core';

/** More stops than any screen has. */
const mostStops = 150;

/** Goes on with Tab until this has the focus, from wherever that is. */
export async function reach(page: Page, target: Locator): Promise<void> {
  const first = target.first();
  await first.waitFor();
  const hasFocus = () => first.evaluate((element: any) => element === element.ownerDocument.activeElement);
  for (let stop = 0; stop < mostStops; stop += 1) {
    // A screen that is new takes the focus once it is drawn.
    if ((await hasFocus()) && (await drawn(page)) && (await hasFocus())) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No key leads to ${first}.`);
}

const drawn = (page: Page): Promise<boolean> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(true)))))');

/** Reaches it, and presses a key on it. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}

/** Reaches a field, and types into it in the place of what it holds. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}
