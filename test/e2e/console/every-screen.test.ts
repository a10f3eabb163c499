import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { isDark, settled } from '../../support/http/browser.ts';
import { atScreen, type ConsoleVisit, faultsOf, openConsole } from '../../support/http/console.ts';
import { browser, closeWindow, complaints, describeInBrowser, page, takeWindow } from '../../support/http/in-browser.ts';
import { type ExampleScreen, hints, startExamples } from '../../support/scenes/console/example-screens.ts';

let stack: Awaited<ReturnType<typeof startExamples>>;

async function open(path: string, visit: Partial<ConsoleVisit> = {}): Promise<void> {
  await closeWindow();
  takeWindow(await openConsole(browser, stack, { as: hints.seller, path, ...visit }));
}

const roles = ['seller', 'admin'] as const;
/** The screens of a role, by who sees them. */
const screensOf = (role: (typeof roles)[number], screens: readonly ExampleScreen[]) =>
  Map.groupBy(
    screens.filter(({ path }) => path.startsWith('/console/admin') === (role === 'admin')),
    ({ as }) => as,
  );

/** All that a page of ours keeps where scripts, other tabs, histories and logs could find it; but for the code it was opened with, which worked once. */
const keptBy = async (where: Page) => [
  ...(await where.evaluate<string[]>(
    `[JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href, JSON.stringify(history.state), window.name, document.referrer, ...performance.getEntries().filter(({ entryType }) => entryType !== 'navigation').map(({ name }) => name)]`,
  )),
  ...(await where.evaluate<string[]>('caches.keys()')),
  ...(await where.evaluate<string[]>(`indexedDB.databases().then((all) => all.map(({ name }) => name))`)),
];

/** Pictures and files come from the store, another port of this machine, and by fetch alone. */
function isForeign(request: Request): boolean {
  const { origin, hostname } = new URL(request.url());
  const isOurs = origin === stack.baseUrl || (request.resourceType() === 'fetch' && hostname === '127.0.0.1');
  return !isOurs && !request.url().startsWith(`blob:${stack.baseUrl}/`);
}

describeInBrowser('every screen of the console', () => {
  beforeAll(async () => {
    stack = await startExamples();
  }, 240_000);
  afterAll(() => stack?.stop());

  // Widths and colours take turns between the languages.
  const looks = {
    ja: [
      [320, 'light'],
      [1280, 'dark'],
    ],
    en: [
      [320, 'dark'],
      [1280, 'light'],
    ],
  } as const;
  describe.each(['ja', 'en'] as const)('in its states, in %s', (locale) => {
    test.each(roles)(
      'is for everybody, narrow and wide, light and dark, keeps no token, and loads nothing foreign: a %s’s',
      async (role) => {
        const found: string[] = [];
        const bearers = new Set<string>();
        for (const [as, screens] of screensOf(role, [...stack.screens, ...stack.states])) {
          await open(screens[0]?.path ?? '/console', { as, locale });
          page.on('request', (request) => {
            if (isForeign(request)) found.push(`${request.resourceType()} ${request.url()}`);
            const bearer = request.headers()['authorization'];
            if (bearer !== undefined) bearers.add(bearer.replace('Bearer ', ''));
          });
          for (const { name, path } of screens) {
            await atScreen(page, path);
            for (const text of await keptBy(page)) {
              const isToken = /eyJ|refresh\.|[?&#](code|token|access_token)=/.test(text);
              if (isToken || [...bearers].some((bearer) => text.includes(bearer))) found.push(`${name} keeps ${text}`);
            }
            for (const [width, colorScheme] of looks[locale]) {
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
            if (/undefined|NaN|\[object/.test(letters)) found.push(`${name}: no words`);
          }
          const cookies = await page.context().cookies();
          expect(cookies.map(({ path, httpOnly, sameSite }) => ({ path, httpOnly, sameSite }))).toEqual([
            { path: expect.stringContaining('/__local/identity'), httpOnly: true, sameSite: expect.stringMatching(/Lax|Strict/) },
          ]);
          expect(Object.keys(await page.evaluate<object>('({ ...localStorage })')).filter((key) => key !== 'console')).toEqual([]);
        }
        expect([found, bearers.size > 0]).toEqual([[], true]);
      },
      900_000,
    );
  });

  /** What a seller could write to mislead or break who reads it. */
  const hostileTexts = {
    name: `<script>document.title='ran'</script> soft\u00ad ware\u200b`,
    description: [
      '<img src=x onerror="document.title=\'ran\'">',
      'Zero\u200bwidth\u2060words and\u00adsoft',
      '\u202eright to left\u202c and \u2067isolated\u2069',
      'P\u0430ypal with a Cyrillic letter',
      'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞',
      'W'.repeat(15_000),
    ].join('\n'),
    refund_policy: `javascript:document.title='ran'`,
    software_operating_environment: `{{7*7}} "'><svg onload=document.title=1>`,
  };

  test('takes what sellers write to mislead for text, and shows what it hides', async () => {
    const terms = { price_amount: 1000, currency: 'JPY', support_email: 'aoi@example.com', activation_limit: 1 };
    const draft = { ...terms, license_issuance_mode: 'generated_server_validated', ...hostileTexts };
    const { id } = await stack.call('seller', 'POST', '/v1/products', draft);
    await stack.call('seller', 'POST', `/v1/products/${id}/submit-review`);
    for (const [as, paths] of [
      [hints.seller, [`/console/products/${id}`, '/console/products', '/console']],
      [hints.admin, ['/console/admin', `/console/admin/products/${id}`]],
    ] as const) {
      await open(paths[0], { as });
      for (const path of paths) {
        await atScreen(page, path);
        for (const width of [320, 1280]) {
          await page.setViewportSize({ width, height: 740 });
          await settled(page);
          expect([path, width, await faultsOf(page)]).toEqual([path, width, []]);
        }
        expect([path, await page.title()]).toEqual([path, expect.not.stringMatching(/^(ran|1)$/)]);
        for (const text of await page.locator('main bdi').allTextContents())
          expect([path, /[\u202a-\u202e\u2066-\u2069\u200b\u2060]/.exec(text)]).toEqual([path, null]);
      }
    }
    expect(await page.locator('.mark').count()).toBeGreaterThan(4);
    expect(await page.locator('.mixed').count()).toBeGreaterThan(0);
    expect(await page.locator('main a[href^="javascript:"]').count()).toBe(0);
    expect(await page.locator('main [data-field=description]').textContent()).toContain('<img src=x');
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
  });
});
