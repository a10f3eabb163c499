import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, launchBrowser } from '../../support/http/browser.ts';
import { atScreen, type ConsoleVisit, failureNotice, faultsOf, openConsole, shown } from '../../support/http/console.ts';
import { type RunningStack, startStack } from '../../support/scenes/stack.ts';

jest.setTimeout(120_000);

(hasBrowser ? describe : describe.skip)('arriving at the console', () => {
  let browser: Browser;
  let stack: RunningStack;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    [browser, stack] = await Promise.all([launchBrowser(), startStack()]);
  });
  afterAll(() => Promise.all([browser?.close(), stack?.stop()]));
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  const open = async (visit: ConsoleVisit) => {
    ({ page, complaints } = await openConsole(browser, { baseUrl: stack.address }, visit));
  };
  const at = () => page.url().slice(stack.address.length);
  async function goTo(path: string): Promise<void> {
    await page.goto(stack.address + path);
    await shown(page);
  }

  test('the language chosen last holds, whatever an address says', async () => {
    await open({ as: 'new' });
    await page.locator('[data-action=language]').click();
    await page.waitForURL(/lang=ja/);
    await shown(page);
    for (const path of ['/console/orders', '/console/orders?lang=en', '/console/orders?lang=ja']) {
      await goTo(path);
      expect([at(), await page.locator('html').getAttribute('lang')]).toEqual(['/console/orders?lang=ja', 'ja']);
    }
  });

  test.each(['/console/products/%', '/console/products/%E3%81/files', '/console/orders/%zz'])(
    'an address that is none, %s, leads to the first screen',
    async (path) => {
      await open({ as: 'new' });
      await goTo(path);
      expect([at(), await page.locator('[data-task]').count()]).toEqual(['/console', 6]);
    },
  );

  /** Goes to screens that come in a script of their own. */
  const goLate = () => page.locator('nav a[href="/console/webhooks"]').click();
  const late = /\/console\/assets\/seller-late-/;

  test('a tab of a version that is gone goes on in the present one', async () => {
    await open({ as: 'new' });
    await page.evaluate('window.isOld = true');
    // What the service answers by then: no part of a script fits another version.
    await page.route(late, (route) => route.fulfill({ status: 404, json: { code: 'route_not_found' } }), { times: 1 });
    await goLate();
    await page.locator('form [name=url]').waitFor();
    await shown(page);
    expect([at(), await page.evaluate('window.isOld'), await faultsOf(page)]).toEqual(['/console/webhooks', undefined, []]);
  });

  test('a script that cannot be loaded is told of, and loaded by hand', async () => {
    await open({ as: 'new' });
    let isAway = true;
    await page.route(/\/console\//, (route) => (isAway ? route.abort() : route.continue()));
    await goLate();
    await failureNotice(page, 'offline').waitFor();
    await failureNotice(page, 'offline').getByRole('button').click();
    await failureNotice(page, 'offline').waitFor();
    isAway = false;
    await failureNotice(page, 'offline').getByRole('button').click();
    await page.locator('form [name=url]').waitFor();
    await shown(page);
  });

  test('an admin whose session is over is told so, and not that they may not', async () => {
    await open({ as: 'admin@example.com', path: '/console/admin' });
    await fetch(`${stack.address}/__local/identity/end-sessions`, { method: 'POST' });
    await page.locator('nav a[href="/console/admin/audit"]').click();
    await failureNotice(page, 'unauthenticated').waitFor();
    expect(await failureNotice(page, 'forbidden').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await failureNotice(page, 'unauthenticated').getByRole('button').click();
    await page.locator('button[value="admin@example.com"]').click();
    await shown(page);
    expect([at(), await page.locator('[role=alert]').count()]).toEqual(['/console/admin/audit', 0]);
  });

  test('nobody is told that they are signed out while the issuer is away, and what was read waits for it', async () => {
    await open({ as: 'new' });
    let isAway = true;
    await page.route('**/__local/identity/token', (route) => (isAway ? route.fulfill({ status: 503 }) : route.continue()));
    await page.route('**/v1/api-tokens*', (route) =>
      isAway ? route.fulfill({ status: 401, json: { code: 'unauthenticated', message: '', request_id: 'r' } }) : route.continue(),
    );
    await atScreen(page, '/console/tokens');
    await failureNotice(page, 'issuer_unreachable').waitFor();
    expect(await failureNotice(page, 'unauthenticated').count()).toBe(0);
    isAway = false;
    await failureNotice(page, 'issuer_unreachable').waitFor({ state: 'detached' });
    expect(await page.locator('[role=alert]').count()).toBe(0);
  });
});
