import { writeFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { overflowOf, settled } from '../../http/browser.ts';
import { atScreen, openConsole } from '../../http/console.ts';
import { type ExampleScreen, hints } from './example-screens.ts';

/** Takes a picture of each screen in both languages and colours, on a phone and wide, below a folder; says which are too wide. */
export async function takeConsolePictures(
  browser: Browser,
  stack: { baseUrl: string },
  screens: readonly ExampleScreen[],
  folder: string,
): Promise<void> {
  for (const locale of ['ja', 'en'] as const) {
    for (const [who, theirs] of Map.groupBy(screens, ({ as, path }) => `${as} ${/^\/console\/admin(\/|$)/.test(path)}`)) {
      const [{ as, path: first } = { as: who, path: '/console' }] = theirs;
      const { page } = await openConsole(browser, stack, { as, path: first, locale });
      for (const { name, path } of theirs) {
        await atScreen(page, path);
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: width < 700 ? 740 : 900 });
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await settled(page);
            const overflow = await overflowOf(page);
            if (overflow !== 0) console.log(`console-${name} ${locale} ${width}: ${overflow} px too wide`);
            await page.screenshot({ path: `${folder}console-${name}-${locale}-${colorScheme}-${width}.png`, fullPage: true });
          }
        }
      }
      await page.context().close();
    }
  }
}

/** Takes the picture that the main README begins with: the first screen of a seller, small enough to be kept. */
export async function takeReadmePicture(browser: Browser, stack: { baseUrl: string }, file: string): Promise<void> {
  const { page } = await openConsole(browser, stack, { as: hints.seller });
  await page.setViewportSize({ width: 1280, height: 880 });
  await page.evaluate('document.activeElement.blur()');
  await settled(page);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  await writeFile(file, Buffer.from(data, 'base64'));
  await page.context().close();
}
