/** Takes the pictures of every page that people look at before a change goes in: `node test/e2e/screenshots.ts [pattern]`; `console-for-readme` makes that of the README anew. */
import { mkdirSync } from 'node:fs';
import { startTableEngine } from '../support/engines/table-engine.ts';
import { launchBrowser, overflowOf } from '../support/http/browser.ts';
import { startPageServer } from '../support/http/page-server.ts';
import { startExamples } from '../support/scenes/console/example-screens.ts';
import { takeConsolePictures, takeReadmePicture } from '../support/scenes/console/pictures.ts';
import { answerIn, pageStates } from '../support/scenes/pages/page-states.ts';

const only = new RegExp(process.argv[2] ?? '');
const target = new URL('../artifacts/screenshots/', import.meta.url).pathname;
mkdirSync(target, { recursive: true });

const engine = await startTableEngine();
const server = await startPageServer();
const browser = await launchBrowser();
for (const [name, state] of Object.entries(pageStates).filter(([page]) => only.test(page))) {
  const { path, act } = state;
  server.answerWith((asked) => answerIn(state, asked));
  for (const locale of ['ja', 'en'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ locale, colorScheme, timezoneId: 'Asia/Tokyo', reducedMotion: 'reduce' });
      const page = await context.newPage();
      for (const width of [320, 360, 768, 1280]) {
        await page.setViewportSize({ width, height: width < 700 ? 740 : 900 });
        // A page that is open already would only see its fragment change.
        await page.goto('about:blank');
        await page.goto(server.baseUrl + path[locale]);
        await page.waitForLoadState('networkidle');
        await act?.(page);
        await page.waitForLoadState('networkidle');
        const overflow = await overflowOf(page);
        if (overflow !== 0) console.log(`${name} ${locale} ${width}: ${overflow} px too wide`);
        await page.screenshot({ path: `${target}${name}-${locale}-${colorScheme}-${width}.png`, fullPage: true });
      }
      await context.close();
    }
  }
}
// Those of the console need a whole stack.
if ((process.argv[2] ?? 'console').includes('console')) {
  const examples = await startExamples();
  const wanted = [...examples.screens, ...examples.states].filter(({ name }) => only.test(`console-${name}`));
  await takeConsolePictures(browser, examples, wanted, target);
  if (process.argv[2] === 'console-for-readme') {
    await takeReadmePicture(browser, examples, new URL('../../.github/console.webp', import.meta.url).pathname);
  }
  await examples.stop();
}
await browser.close();
await server.stop();
await engine.stop();
