import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hasBrowser, launchBrowser, settled } from '../../support/http/browser.ts';
import { atScreen, failureNotice, faultsOf, openConsole, operation, shown } from '../../support/http/console.ts';
import { type ExampleScreen, hints, startExamples } from '../../support/scenes/console/example-screens.ts';

jest.setTimeout(300_000);

const whenBrowser = hasBrowser ? describe : describe.skip;

let browser: Browser;
let stack: Awaited<ReturnType<typeof startExamples>>;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  if (!hasBrowser) return;
  [browser, stack] = await Promise.all([launchBrowser(), startExamples()]);
});
afterAll(() => Promise.all([browser?.close(), stack?.stop()]));

/** Whose complaints are known, and how they read. */
let expected: RegExp | undefined;
beforeEach(() => {
  expected = undefined;
});
afterEach(async () => {
  await page?.context().close();
  expect(complaints.filter((complaint) => !expected?.test(complaint))).toEqual([]);
});

async function open(path: string, as = hints.seller): Promise<Page> {
  ({ page, complaints } = await openConsole(browser, stack, { as, path }));
  return page;
}

const draftPath = () => `/console/products/${stack.product('はやうち')}`;
const field = (name: string, where = page) => where.locator(`[name="${name}"]`);
const save = (where = page) => operation(where, 'updateProduct').click();
const stored = () => stack.call('seller', 'GET', `/v1/products/${stack.product('はやうち')}`);
/** Nothing that was typed waits any more. */
const isSaved = (where = page) => where.locator('[data-action=discard]').waitFor({ state: 'detached' });
const focused = (where = page): Promise<string> => where.evaluate('document.activeElement.tagName');

/** Another tab of the same browser, at the same screen. */
async function otherTab(context: BrowserContext, path: string): Promise<Page> {
  const other = await context.newPage();
  other.on('pageerror', (error) => complaints.push(error.message));
  await other.goto(stack.baseUrl + path);
  await shown(other);
  return other;
}

whenBrowser('an edit is not lost', () => {
  test('to another tab that changed something else, or the same', async () => {
    await open(draftPath());
    const other = await otherTab(page.context(), draftPath());
    await field('name', other).fill('はやうち練習帳 2');
    await field('description').fill('毎日15分の練習。');
    await save(other);
    await isSaved(other);
    await save();
    await isSaved();
    expect(await stored()).toMatchObject({ name: 'はやうち練習帳 2', description: '毎日15分の練習。' });

    await field('name', other).fill('はやうち練習帳 甲');
    await field('refund_policy', other).fill('返金は7日以内。');
    await field('name').fill('はやうち練習帳 乙');
    await save(other);
    await isSaved(other);
    await save();
    const conflict = page.locator('[data-conflict=name]');
    await conflict.waitFor();
    expect(await page.locator('[data-conflict]').count()).toBe(1);
    expect(await conflict.locator('[data-choice]').evaluateAll((all: any[]) => all.map((one) => one.dataset.choice))).toEqual([
      'base',
      'theirs',
      'mine',
    ]);
    expect(await faultsOf(page)).toEqual([]);
    await conflict.locator('[data-choice=mine]').click();
    await save();
    await isSaved();
    expect(await stored()).toMatchObject({ name: 'はやうち練習帳 乙', refund_policy: '返金は7日以内。' });
  });

  test('to a hand-in that had not seen it', async () => {
    await open(draftPath());
    const other = await otherTab(page.context(), draftPath());
    await field('description', other).fill('毎日20分の練習。');
    await save(other);
    await isSaved(other);
    const again = page.waitForResponse((reply) => reply.request().method() === 'GET' && reply.url().endsWith(draftPath().slice(8)));
    await operation(page, 'submitProduct').click();
    await failureNotice(page, 'stale_revision').waitFor();
    await again;
    await settled(page);
    expect(await field('description').inputValue()).toBe('毎日20分の練習。');
    expect(await stored()).toMatchObject({ status: 'draft' });
    await page.locator('[data-action=retry]').click();
    await page.locator('h2:focus').waitFor();
    expect(await stored()).toMatchObject({ status: 'pending_review', description: '毎日20分の練習。' });
    expect(await page.locator('[role=alert]').count()).toBe(0);

    await page.getByRole('button', { name: 'Take off sale' }).click();
    await operation(page.locator('dialog'), 'publishProduct').click();
    await operation(page, 'submitProduct').waitFor();
    await page.locator('h2:focus').waitFor();
    expect(await stored()).toMatchObject({ status: 'draft' });
  });

  test('to an end of the session, whose screen stays', async () => {
    await open(draftPath());
    await field('name').fill('はやうち練習帳 3');
    await fetch(`${stack.baseUrl}/__local/identity/end-sessions`, { method: 'POST' });
    await save();
    await failureNotice(page, 'unauthenticated').first().waitFor();
    expect(await field('name').inputValue()).toBe('はやうち練習帳 3');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.locator(`button[name=login_hint][value=${hints.seller}]`).click();
    await shown(page);
    expect(new URL(page.url()).pathname).toBe(draftPath());
    expect(await field('name').inputValue()).toBe('はやうち練習帳 3');
    await save();
    await isSaved();
    expect(await stored()).toMatchObject({ name: 'はやうち練習帳 3' });
  });

  test('to somebody else who signs in instead', async () => {
    await open(draftPath());
    await field('name').fill('Typed by Aoi');
    await fetch(`${stack.baseUrl}/__local/identity/end-sessions`, { method: 'POST' });
    await page.goto(`${stack.baseUrl}/console?login_hint=${hints.codesSeller}`);
    await shown(page);
    await atScreen(page, '/console/products/new');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Typed by Aoi');
    expect(await page.content()).not.toContain('Typed by Aoi');
  });

  test('to a network that is away, a reload, or a page that was left', async () => {
    await open(draftPath());
    await field('name').fill('はやうち練習帳 4');
    await page.context().setOffline(true);
    await save();
    await failureNotice(page, 'offline').waitFor();
    expect(await failureNotice(page, 'offline').textContent()).toMatch(/\S/);
    expect(await field('name').inputValue()).toBe('はやうち練習帳 4');
    await page.context().setOffline(false);
    await page.reload();
    await shown(page);
    expect(await field('name').inputValue()).toBe('はやうち練習帳 4');
    await atScreen(page, '/console/products');
    await page.goBack();
    await shown(page);
    expect(await field('name').inputValue()).toBe('はやうち練習帳 4');
    await save();
    await isSaved();
    expect(await stored()).toMatchObject({ name: 'はやうち練習帳 4' });
  });

  test('and is sent once, however often it is asked for', async () => {
    await open(draftPath());
    let sent = 0;
    page.on('request', (request) => {
      sent += Number(request.method() === 'PATCH');
    });
    let goOn = () => {};
    const asked = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // Not answered before it was asked for again.
    await page.route('**/v1/products/*', async (route) => {
      if (route.request().method() === 'PATCH') await asked;
      await route.continue();
    });
    await field('name').fill('はやうち練習帳 5');
    await operation(page, 'updateProduct').dblclick();
    await field('name').press('Enter');
    goOn();
    await isSaved();
    expect(sent).toBe(1);
  });
});

/** What a page of ours keeps where scripts, other tabs, histories and logs could find it; but for the code it was opened with, which worked once. */
const keptBy = async (where: Page) => [
  ...(await where.evaluate<string[]>(
    `[JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href, JSON.stringify(history.state), window.name, document.referrer, ...performance.getEntries().filter(({ entryType }) => entryType !== 'navigation').map(({ name }) => name)]`,
  )),
  ...(await where.evaluate<string[]>('caches.keys()')),
  ...(await where.evaluate<string[]>(`indexedDB.databases().then((all) => all.map(({ name }) => name))`)),
];

whenBrowser('on no screen', () => {
  test.each(['seller', 'admin'] as const)('of a %s is a token kept, anything foreign loaded, or a complaint left', async (role) => {
    const { baseUrl } = stack;
    const theirs = (screen: ExampleScreen) => screen.path.startsWith('/console/admin') === (role === 'admin');
    const screens = stack.screens.filter(theirs);
    const bearers: string[] = [];
    const owned = Map.groupBy(screens, ({ as }) => as);
    for (const [as, mine] of owned) {
      await page?.context().close();
      ({ page, complaints } = await openConsole(browser, stack, { as, path: mine[0]?.path ?? '/console' }));
      const foreign: string[] = [];
      page.on('request', (request) => {
        const { origin } = new URL(request.url());
        const kind = request.resourceType();
        // Pictures and files come from the store, another port of this machine, and by fetch alone.
        const isOurs = origin === baseUrl || (kind === 'fetch' && new URL(request.url()).hostname === '127.0.0.1');
        if (!isOurs && !request.url().startsWith(`blob:${baseUrl}/`)) foreign.push(`${kind} ${request.url()}`);
        const bearer = request.headers()['authorization'];
        if (bearer !== undefined) bearers.push(bearer.replace('Bearer ', ''));
      });
      for (const { path } of mine) {
        await atScreen(page, path);
        const kept = await keptBy(page);
        expect([path, kept.filter((text) => /eyJ|refresh\.|[?&#](code|token|access_token)=/.test(text))]).toEqual([path, []]);
        for (const bearer of new Set(bearers)) expect([path, kept.some((text) => text.includes(bearer))]).toEqual([path, false]);
        expect([path, complaints, foreign]).toEqual([path, [], []]);
      }
      const cookies = await page.context().cookies();
      expect(cookies.map(({ path, httpOnly, sameSite }) => ({ path, httpOnly, sameSite }))).toEqual([
        { path: expect.stringContaining('/__local/identity'), httpOnly: true, sameSite: expect.stringMatching(/Lax|Strict/) },
      ]);
      expect(Object.keys(await page.evaluate<object>('({ ...localStorage })')).filter((key) => key !== 'console')).toEqual([]);
    }
    expect(bearers.length).toBeGreaterThan(0);
  });

  test('does a notice of a failure lack words, whatever the service answers', async () => {
    await open('/console/products');
    const replies: [number, string, Record<string, string>?][] = [
      [503, 'dependency_unavailable'],
      [429, 'rate_limited', { 'Retry-After': '60' }],
      [500, 'internal_error'],
      [403, 'seller_not_eligible'],
      [404, 'product_not_found'],
      [418, 'code_of_a_later_version'],
    ];
    for (const [status, code, headers = {}] of replies) {
      await page.route(/\/v1\/products(\?|$)/, (route) =>
        route.fulfill({ status, headers, json: { code, message: 'not for eyes', request_id: 'req-4711' } }),
      );
      await atScreen(page, '/console/tokens');
      await page.evaluate(`dispatchEvent(new Event('focus'))`);
      await page.goto(`${stack.baseUrl}/console/products`);
      const notice = failureNotice(page, code);
      await notice.waitFor();
      expect(await notice.locator('p').first().textContent()).toMatch(/\S.{9}/);
      expect([code, await notice.textContent()]).toEqual([code, expect.stringContaining('req-4711')]);
      expect(await faultsOf(page)).toEqual([]);
      await page.unroute(/\/v1\/products(\?|$)/);
    }
  });
});

whenBrowser('a secret', () => {
  test('is shown once, and is nowhere after', async () => {
    await open('/console/tokens');
    await field('name').fill('CI');
    await field('scopes').first().check();
    await operation(page, 'createApiToken').click();
    const secret = (await page.locator('[data-secret]').first().textContent()) ?? '';
    expect(secret.length).toBeGreaterThan(20);
    expect(await faultsOf(page)).toEqual([]);
    expect((await keptBy(page)).some((text) => text.includes(secret))).toBe(false);
    await atScreen(page, '/console/webhooks');
    await page.goBack();
    await shown(page);
    expect(await page.locator('[data-secret]').count()).toBe(0);
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await shown(page);
    expect(await page.content()).not.toContain(secret);
  });
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

whenBrowser('what sellers write to mislead', () => {
  test('is text on each screen, and shows what it hides', async () => {
    const draft = {
      ...{ price_amount: 1000, currency: 'JPY', support_email: 'aoi@example.com', activation_limit: 1 },
      ...{ license_issuance_mode: 'generated_server_validated', ...hostileTexts },
    };
    const { id } = await stack.call('seller', 'POST', '/v1/products', draft);
    await stack.call('seller', 'POST', `/v1/products/${id}/submit-review`);
    for (const width of [320, 1280]) {
      for (const [as, paths] of [
        [hints.admin, [`/console/admin/products/${id}`, '/console/admin']],
        [hints.seller, [`/console/products/${id}`, '/console/products', '/console']],
      ] as const) {
        await page?.context().close();
        ({ page, complaints } = await openConsole(browser, stack, { as, path: paths[0], width }));
        for (const path of paths) {
          await atScreen(page, path);
          await settled(page);
          expect([path, await faultsOf(page)]).toEqual([path, []]);
          expect([path, await page.title()]).toEqual([path, expect.not.stringMatching(/^(ran|1)$/)]);
          const texts = page.locator('main bdi');
          for (const text of await texts.allTextContents())
            expect([path, /[\u202a-\u202e\u2066-\u2069\u200b\u2060]/.exec(text)]).toEqual([path, null]);
        }
      }
    }
    await page.context().close();
    ({ page, complaints } = await openConsole(browser, stack, { as: hints.admin, path: `/console/admin/products/${id}` }));
    expect(await page.locator('.mark').count()).toBeGreaterThan(4);
    expect(await page.locator('.mixed').count()).toBeGreaterThan(0);
    expect(await page.locator('main a[href^="javascript:"]').count()).toBe(0);
    expect(await page.locator('main [data-field=description]').textContent()).toContain('<img src=x');
    expect(await focused()).not.toBe('BODY');
  });
});
