import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasBrowser, isDark, launchBrowser, settled } from '../../support/http/browser.ts';
import { atScreen, faultsOf, openConsole } from '../../support/http/console.ts';
import { startExamples } from '../../support/scenes/console/example-screens.ts';

jest.setTimeout(600_000);

const whenBrowser = hasBrowser ? describe : describe.skip;

let browser: Browser;
let stack: Awaited<ReturnType<typeof startExamples>>;
beforeAll(async () => {
  if (!hasBrowser) return;
  [browser, stack] = await Promise.all([launchBrowser(), startExamples()]);
});
afterAll(() => Promise.all([browser?.close(), stack?.stop()]));

whenBrowser.each(['ja', 'en'] as const)('every screen in its states, in %s', (locale) => {
  test.each(['seller', 'admin'] as const)('is for everybody, narrow and wide, light and dark: a %s’s', async (role) => {
    const all = [...stack.screens, ...stack.states].filter(({ path }) => path.startsWith('/console/admin') === (role === 'admin'));
    const found: string[] = [];
    for (const [as, screens] of Map.groupBy(all, ({ as }) => as)) {
      const { page, complaints } = await openConsole(browser, stack, { as, locale, path: screens[0]?.path ?? '/console' });
      for (const { name, path } of screens) {
        await atScreen(page, path);
        for (const [width, colorScheme] of [
          [320, 'light'],
          [320, 'dark'],
          [1280, 'dark'],
          [1280, 'light'],
        ] as const) {
          await page.setViewportSize({ width, height: 740 });
          await page.emulateMedia({ colorScheme });
          await settled(page);
          if ((await isDark(page)) !== (colorScheme === 'dark')) found.push(`${name}: not ${colorScheme}`);
          for (const fault of await faultsOf(page)) found.push(`${name} ${width} ${colorScheme}: ${fault}`);
          complaints.length = 0;
        }
        // Without translations a screen would still pass all this.
        const letters = (await page.locator('main').textContent()) ?? '';
        if (locale === 'ja' && !/[\u3040-\u30ff]/.test(letters)) found.push(`${name}: no Japanese`);
      }
      await page.context().close();
    }
    expect(found).toEqual([]);
  });
});
