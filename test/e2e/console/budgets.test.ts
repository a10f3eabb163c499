import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { locales } from '../../../shared/locale.ts';
import { hasBrowser, launchBrowser } from '../../support/http/browser.ts';
import { startExamples } from '../../support/scenes/console/example-screens.ts';
import { measureFirstVisit, measureInteractions, measureNext, measureScreens } from '../../support/scenes/console/measures.ts';

jest.setTimeout(300_000);

/** On a machine as slow as a reader's may be. */
const most = {
  bytes: 90_000,
  files: 8,
  requests: 5,
  usableMs: 1500,
  /** At 1.6 Mbit/s and 150 ms. */
  usableSlowlyMs: 4000,
  nextMs: 300,
  interactionMs: 200,
  shift: 0.05,
};

let browser: Browser;
let stack: Awaited<ReturnType<typeof startExamples>>;
beforeAll(async () => {
  if (!hasBrowser) return;
  [browser, stack] = await Promise.all([launchBrowser(), startExamples()]);
  // What the stack loads at the first call of each function is no figure of the console's.
  await measureNext(browser, stack, stack.screens, { tries: 1 });
});
afterAll(() => Promise.all([browser?.close(), stack?.stop()]));

/** Measures what takes too long once more, up to four times: what else the machine does only ever adds to a time. */
async function slowest<Figures extends { name: string }>(
  measure: (screens: typeof stack.screens) => Promise<Figures[]>,
  isSlow: (figures: Figures) => boolean,
  first: Figures[],
): Promise<Figures[]> {
  let slow = first.filter(isSlow);
  for (let time = 0; time < 4 && slow.length > 0; time += 1) {
    const names = new Set(slow.map(({ name }) => name));
    slow = (await measure(stack.screens.filter(({ name }) => names.has(name)))).filter(isSlow);
  }
  return slow;
}

const homes = () => stack.screens.filter(({ path }) => path === '/console' || path === '/console/admin');

(hasBrowser ? describe : describe.skip)('the console costs at most', () => {
  test.each(locales)('so many bytes and files at the first visit: %s', async (locale) => {
    for (const home of homes()) {
      const { bytes, files } = await measureFirstVisit(browser, stack, home, locale);
      expect({ name: home.name, isSmall: bytes <= most.bytes && files.size <= most.files, bytes, files }).toMatchObject({ isSmall: true });
    }
  });

  test('so many requests and so much time, and moves nothing: each screen', async () => {
    const measure = (screens: typeof stack.screens) => measureScreens(browser, stack, screens, { tries: 2 });
    const figures = await measure(stack.screens);
    expect(figures.filter(({ requests }) => requests.length > most.requests)).toEqual([]);
    expect(figures.filter(({ shift }) => shift > most.shift)).toEqual([]);
    expect(await slowest(measure, ({ usableMs }) => usableMs > most.usableMs, figures)).toEqual([]);
  });

  test('so much time over a slow network: each screen', async () => {
    const measure = (screens: typeof stack.screens) => measureScreens(browser, stack, screens, { network: 'slow', locale: 'ja' });
    const figures = await measure(stack.screens);
    expect(await slowest(measure, ({ usableMs }) => usableMs > most.usableSlowlyMs, figures)).toEqual([]);
    expect(figures.filter(({ shift }) => shift > most.shift)).toEqual([]);
  });

  test('so much time until the next screen is there', async () => {
    const measure = (screens: typeof stack.screens) => measureNext(browser, stack, screens);
    expect(await slowest(measure, ({ nextMs }) => nextMs > most.nextMs, await measure(stack.screens))).toEqual([]);
  });

  test('so much time for what is done at a hundred rows', async () => {
    const [first] = homes();
    expect(await measureInteractions(browser, stack, first?.as ?? '')).toBeLessThanOrEqual(most.interactionMs);
  });
});
