import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { locales } from '../../../shared/locale.ts';
import { hasBrowser, launchBrowser } from '../../support/http/browser.ts';
import { startExamples } from '../../support/scenes/console/example-screens.ts';
import { measureFirstVisit, measureInteractions, measureNext, measureScreens } from '../../support/scenes/console/measures.ts';

jest.setTimeout(300_000);

/** On a machine that is four times slower. */
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

const homes = () => stack.screens.filter(({ path }) => path === '/console' || path === '/console/admin');

(hasBrowser ? describe : describe.skip)('the console costs at most', () => {
  test.each(locales)('so many bytes and files at the first visit: %s', async (locale) => {
    for (const home of homes()) {
      const { bytes, files } = await measureFirstVisit(browser, stack, home, locale);
      expect({ name: home.name, isSmall: bytes <= most.bytes && files.size <= most.files, bytes, files }).toMatchObject({ isSmall: true });
    }
  });

  test('so many requests and so much time, and moves nothing: each screen', async () => {
    const figures = await measureScreens(browser, stack, stack.screens, { tries: 2 });
    expect(figures.filter(({ requests }) => requests.length > most.requests)).toEqual([]);
    expect(figures.filter(({ shift }) => shift > most.shift)).toEqual([]);
    expect(figures.filter(({ usableMs }) => usableMs > most.usableMs)).toEqual([]);
  });

  test('so much time over a slow network: each screen', async () => {
    const figures = await measureScreens(browser, stack, stack.screens, { network: 'slow', locale: 'ja' });
    expect(figures.filter(({ usableMs }) => usableMs > most.usableSlowlyMs)).toEqual([]);
    expect(figures.filter(({ shift }) => shift > most.shift)).toEqual([]);
  });

  test('so much time until the next screen is there', async () => {
    const figures = await measureNext(browser, stack, stack.screens);
    expect(figures.filter(({ nextMs }) => nextMs > most.nextMs)).toEqual([]);
  });

  test('so much time for what is done at a hundred rows', async () => {
    const [first] = homes();
    expect(await measureInteractions(browser, stack, first?.as ?? '')).toBeLessThanOrEqual(most.interactionMs);
  });
});
