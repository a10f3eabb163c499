/** Takes the pictures of every page that people look at before a change goes in: `node test/e2e/screenshots.ts [pattern]`; `console-for-readme` makes that of the README anew. */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { startTableEngine } from '../support/engines/table-engine.ts';
import { launchBrowser, openPage, overflowOf, settled } from '../support/http/browser.ts';
import { atScreen, openConsole } from '../support/http/console.ts';
import { startPageServer } from '../support/http/page-server.ts';
import { hints, startExamples } from '../support/scenes/console/example-screens.ts';
import { answerIn, pageStates } from '../support/scenes/pages/page-states.ts';

const only = new RegExp(process.argv[2] ?? '');
const target = new URL('../artifacts/screenshots/', import.meta.url).pathname;
mkdirSync(target, { recursive: true });

/** A picture in each width and colour, after `show` where a width makes another page of it; says which are too wide. */
async function take(page: Page, name: string, widths: readonly number[], show = async () => {}): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 700 ? 740 : 900 });
    await show();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      const overflow = await overflowOf(page);
      if (overflow !== 0) console.log(`${name} ${width}: ${overflow} px too wide`);
      await page.screenshot({ path: `${target}${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
}

const engine = await startTableEngine();
const server = await startPageServer();
const browser = await launchBrowser();
for (const [name, state] of Object.entries(pageStates).filter(([page]) => only.test(page))) {
  server.answerWith((asked) => answerIn(state, asked));
  for (const locale of ['ja', 'en'] as const) {
    const { page } = await openPage(browser, { locale, reducedMotion: 'reduce' });
    await take(page, `${name}-${locale}`, [320, 360, 768, 1280], async () => {
      // A page that is open already would only see its fragment change.
      await page.goto('about:blank');
      await page.goto(server.baseUrl + state.path[locale]);
      await settled(page);
      await state.act?.(page);
    });
    await page.context().close();
  }
}
// Those of the console need a whole stack.
if ((process.argv[2] ?? 'console').includes('console')) {
  const examples = await startExamples();
  const wanted = [...examples.screens, ...examples.states].filter(({ name }) => only.test(`console-${name}`));
  for (const locale of ['ja', 'en'] as const) {
    for (const theirs of Map.groupBy(wanted, ({ as, path }) => `${as} ${/^\/console\/admin(\/|$)/.test(path)}`).values()) {
      const { page } = await openConsole(browser, examples, { as: hints.seller, ...theirs[0], locale });
      for (const { name, path } of theirs) {
        await atScreen(page, path);
        await take(page, `console-${name}-${locale}`, [360, 1280]);
      }
      await page.context().close();
    }
  }
  if (process.argv[2] === 'console-for-readme') {
    // The first screen of a seller, small enough to be kept.
    const { page } = await openConsole(browser, examples, { as: hints.seller });
    await page.setViewportSize({ width: 1280, height: 880 });
    await page.evaluate('document.activeElement.blur()');
    await settled(page);
    const devtools = await page.context().newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
    await writeFile(new URL('../../.github/console.webp', import.meta.url), Buffer.from(data, 'base64'));
  }
  await examples.stop();
}
await browser.close();
await server.stop();
await engine.stop();
