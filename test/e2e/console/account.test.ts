import { describe, expect, test } from '@jest/globals';
import { settled } from '../../support/http/browser.ts';
import { hasFocus, shown } from '../../support/http/console.ts';
import { heading, page } from '../../support/http/in-browser.ts';
import * as desk from '../../support/scenes/console/console-desk.ts';
import { offerProduct, uploadFile } from '../../support/scenes/stack-harness.ts';

/** Opens the console as somebody who never was here; resolves to their id. */
async function openAsSomebodyNew(path = '/console', visit: Parameters<typeof desk.open>[1] = {}): Promise<string> {
  await desk.open(path, { as: 'new', ...visit });
  const [reply] = await Promise.all([page.waitForResponse(/\/v1\/me$/), page.reload()]);
  await shown(page);
  return (await reply.json()).user_id;
}

const review = (sellerId: string, body: object) => desk.asAdmin('PATCH', `/v1/admin/sellers/${sellerId}/review`, body);
const apply = (userId: string) =>
  desk.asUser(userId, 'POST', '/v1/sellers', {
    display_name: 'Kite',
    contact_email: 'kite@example.com',
    support_email: 'help@kite.example',
    site_url: 'https://kite.example',
  });
const contacts = () => page.locator('form:has([data-operation=updateOwnSeller])');
const support = () => desk.field('support_email', contacts());
const task = (id: string) => page.locator(`[data-task=${id}]`);
const at = () => page.url().slice(desk.harness.baseUrl.length);
const goTo = async (path: string) => {
  await page.goto(desk.harness.baseUrl + path);
  await shown(page);
};

desk.describeConsole('an account at the console', () => {
  describe('of a seller', () => {
    test('begins with an application, by keyboard alone', async () => {
      await openAsSomebodyNew();
      expect(await heading()).toBe('Sell your software here');
      const tasks = await page
        .locator('[data-task]')
        .evaluateAll((rows) => rows.map((row: any) => `${row.dataset.task} ${row.dataset.state}`));
      expect(tasks).toEqual(['apply todo', 'payments blocked', 'product blocked', 'delivery blocked', 'review blocked', 'sale blocked']);
      expect(await page.locator('main a').count()).toBe(1);
      await task('apply').locator('a').press('Enter');
      await shown(page);
      expect([at(), await desk.isFocused('h1'), await desk.field('contact_email').inputValue()]).toEqual([
        '/console/seller',
        true,
        expect.stringMatching(/@/),
      ]);

      await desk.field('site_url').fill('javascript:alert(1)');
      await desk.field('site_url').press('Enter');
      const faults = desk.failure('invalid_request').locator('a');
      expect(await faults.allTextContents()).toEqual([
        'Name is missing',
        'Website must be an http or https URI without spaces, quotes, backslashes or credentials',
        'E-mail address for buyers is missing',
      ]);
      await desk.expectFit();
      await desk.field('site_url').fill('https://kite.example');
      await desk.field('support_email').fill('help@kite.example');
      // Which the service alone knows.
      await desk.field('display_name').fill('凧\u202Eshop');
      await desk.field('display_name').press('Enter');
      await desk.text('Name must not hold marks that change the reading order').waitFor();
      await desk.field('display_name').fill('凧 <b>shop</b>');
      const sent = desk.watch('POST', /sellers$/);
      await desk.operation('createSeller').dblclick();
      await desk.said('The application was handed in.');
      await desk.text('In review').waitFor();
      expect([sent.length, await desk.isFocused('h2'), await page.locator('main dd bdi').first().textContent()]).toEqual([
        1,
        true,
        '凧 <b>shop</b>',
      ]);
      expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
    });

    test('says why an application came back, keeps what is typed, and hands it in again', async () => {
      const user = await openAsSomebodyNew('/console', { locale: 'ja', width: 320, scheme: 'dark' });
      const { id } = await apply(user);
      await review(id, { decision: 'needs_more_info', note: '<img src=x onerror=alert(1)>\u202Ecod.exe\nhttps://kite.example' });
      await desk.reload();
      const attention = page.locator('[data-kind=application_returned]');
      expect([await attention.getAttribute('data-target'), await task('apply').getAttribute('data-state')]).toEqual([id, 'action']);
      await attention.locator('a').click();
      await shown(page);
      expect(await page.locator('.notice bdi').textContent()).toContain('<img src=x onerror=alert(1)>U+202Ecod.exe');
      await desk.expectFit();
      await desk.field('display_name').fill('凧あげ');
      await desk.reload();
      expect(await desk.field('display_name').inputValue()).toBe('凧あげ');
      await desk.operation('createSeller').click();
      await desk.text('審査待ち').waitFor();
      expect(await page.locator('main .notice').count()).toBe(0);
    });

    test('leads to the payment provider and back, asks what came of it, and offers nothing more once it is closed', async () => {
      const user = await openAsSomebodyNew('/console/seller');
      const { id } = await apply(user);
      await review(id, { decision: 'approve' });
      await desk.reload();
      await support().fill('typed@kite.example');
      const [links, refreshes] = [desk.watch('POST', /account-link$/), desk.watch('POST', /refresh$/)];
      await desk.operation('createAccountLink').dblclick();
      await page.waitForURL((url) => url.origin !== desk.harness.baseUrl);
      await page.locator('button[value=needs_information]').click();
      await page.waitForURL((url) => url.href === `${desk.harness.baseUrl}/console/seller`);
      await desk.said('Payments: Information needed');
      await shown(page);
      expect([links.length, refreshes.length]).toEqual([1, 1]);
      expect(await page.locator('dd li').allTextContents()).toEqual(['A document that proves who you are']);
      expect([await page.getByText('Information is missing').count(), await support().inputValue()]).toEqual([1, 'typed@kite.example']);
      await desk.expectFit();
      await desk.go('/console');
      expect(await page.locator('[data-kind=payment_due]').getAttribute('data-target')).toBe(id);
      expect(await task('payments').getAttribute('data-state')).toBe('action');

      const { payment_connected_account_id: account } = await desk.asUser(user, 'GET', '/v1/sellers/me');
      await desk.go('/console/seller');
      await desk.harness.provider(`/test/accounts/${account}/state`, { state: 'rejected' });
      await desk.operation('refreshPayment').click();
      await desk.said('Payments: Refused by the provider');
      expect([await desk.operation('createAccountLink').count(), await hasFocus(page)]).toEqual([0, true]);

      // Who is closed is offered nothing that cannot be done: no more than to ask again.
      await review(id, { decision: 'suspend', note: 'Not told.' });
      await goTo('/console');
      expect(await page.locator('main .notice').textContent()).toMatch(/^Your account is suspended/);
      expect(await page.locator('main ol a').count()).toBe(1);
      await desk.expectFit();
      await desk.go('/console/seller');
      const offered = await page.locator('[data-operation]').evaluateAll((all) => all.map((one) => one.getAttribute('data-operation')));
      expect(offered).toEqual(['refreshPayment']);
    });

    test('saves of the addresses what was changed, whatever another tab does or the network', async () => {
      await desk.open('/console/seller');
      const sent = desk.watch('PATCH', /me$/);
      await support().fill('new@minato.example');
      await page.context().setOffline(true);
      await desk.operation('updateOwnSeller').click();
      await desk.failure('offline').waitFor();
      await page.context().setOffline(false);
      await desk.asSeller('PATCH', '/v1/sellers/me', { contact_email: 'other@minato.example' });
      await contacts().locator('[data-action=retry]').click();
      await desk.text(/^Saved at/).waitFor();
      expect(JSON.parse(sent.at(-1) ?? '')).toEqual({ support_email: 'new@minato.example' });
      const addresses = { contact_email: 'other@minato.example', support_email: 'new@minato.example' };
      expect(await desk.asSeller('GET', '/v1/sellers/me')).toMatchObject(addresses);
      expect(await desk.field('contact_email', contacts()).inputValue()).toBe('other@minato.example');
    });

    test('shows what sells, and leads to the file that was rejected, of whichever product it is', async () => {
      const first = await offerProduct(desk.harness);
      const product = await offerProduct(desk.harness, { name: 'Zeichner' });
      const fileId = await uploadFile(desk.harness, product.id, 'app.zip', Buffer.from('app'));
      const decision = { decision: 'reject', rejected_reason: 'It does not start.' };
      await desk.asAdmin('PATCH', `/v1/admin/products/${product.id}/files/${fileId}/review`, decision);
      await desk.open('/console');
      expect([await task('review').getAttribute('data-target'), await task('sale').getAttribute('data-state')]).toEqual([
        first.id,
        'waiting',
      ]);
      const item = page.locator('[data-kind=file_rejected]');
      expect(await item.getAttribute('data-target')).toBe(fileId);
      await item.locator('a').click();
      await page.waitForURL((url) => url.pathname === `/console/products/${product.id}/files`);
    });
  });

  describe('signed in', () => {
    test('keeps the language chosen last, whatever an address says, and leads from an address that is none to the first screen', async () => {
      await desk.open('/console', { as: 'new', width: 1280 });
      for (const path of ['/console/products/%', '/console/products/%E3%81/files', '/console/orders/%zz']) {
        await goTo(path);
        expect([at(), await page.locator('[data-task]').count()]).toEqual(['/console', 6]);
      }
      await page.locator('[data-action=language]').click();
      await page.waitForURL(/lang=ja/);
      await shown(page);
      for (const path of ['/console/orders', '/console/orders?lang=en', '/console/orders?lang=ja']) {
        await goTo(path);
        expect([at(), await page.locator('html').getAttribute('lang')]).toEqual(['/console/orders?lang=ja', 'ja']);
      }
    });

    test('in a tab of a version that is gone goes on in the present one, and tells of a script that cannot be loaded', async () => {
      await desk.open('/console', { as: 'new', width: 1280 });
      await page.evaluate('window.isOld = true');
      const goLate = () => page.locator('nav a[href="/console/webhooks"]').click();
      // What the service answers by then: no part of a script fits another version.
      await desk.once(/\/console\/assets\/seller-late-/, (route) => route.fulfill({ status: 404, json: { code: 'route_not_found' } }));
      await goLate();
      await page.locator('form [name=url]').waitFor();
      await shown(page);
      expect([at(), await page.evaluate('window.isOld')]).toEqual(['/console/webhooks', undefined]);

      await desk.open('/console', { as: 'new', width: 1280 });
      await page.route(/\/console\//, (route) => route.abort());
      await goLate();
      for (let press = 0; press < 2; press += 1) {
        await desk.failure('offline').waitFor();
        if (press === 1) await page.unroute(/\/console\//);
        await desk.failure('offline').getByRole('button').click();
      }
      await page.locator('form [name=url]').waitFor();
    });

    test('asks the issuer where a page is shown again as it was left, and while that is away what is read waits for it', async () => {
      await desk.open('/console', { as: 'new' });
      await page.evaluate('window.mark = 1');
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
      await page.waitForFunction('window.mark === undefined').catch(() => page.waitForLoadState());
      await shown(page);
      expect(await page.evaluate('window.mark')).toBeUndefined();
      let isAway = true;
      await page.route('**/__local/identity/token', (route) => (isAway ? route.fulfill({ status: 503 }) : route.continue()));
      await page.route('**/v1/api-tokens*', (route) => (isAway ? desk.failing(401, 'unauthenticated')(route) : route.continue()));
      await desk.go('/console/tokens');
      await desk.failure('issuer_unreachable').waitFor();
      expect(await desk.failure('unauthenticated').count()).toBe(0);
      isAway = false;
      await desk.failure('issuer_unreachable').waitFor({ state: 'detached' });
      expect(await page.locator('[role=alert]').count()).toBe(0);
    });

    test('is told what could not be loaded, and tries again, and that the other role’s screens are not theirs', async () => {
      await desk.open('/console', { as: 'new', width: 320 });
      await page.route('**/v1/overview', desk.failing(503, 'dependency_unavailable'));
      await page.reload();
      await desk.failure('dependency_unavailable').waitFor();
      expect(await page.getByText('request-1').count()).toBe(1);
      await desk.expectFit();
      await page.unroute('**/v1/overview');
      await page.locator('[data-action=retry]').click();
      await page.locator('[data-task]').first().waitFor();
      expect(await page.locator('[role=alert]').count()).toBe(0);
      await page.goto(`${desk.harness.baseUrl}/console/admin/jobs`);
      await desk.failure('forbidden').waitFor();
      expect([await page.locator('nav a').count(), await desk.isFocused('h1')]).toEqual([0, true]);
      await desk.expectFit();
      await page.locator('main a').click();
      await page.locator('[data-task]').first().waitFor();
    });
  });

  describe('whose session is over', () => {
    test('keeps the screen with what was typed, and gets it back', async () => {
      await desk.open('/console/seller');
      await support().fill('typed@minato.example');
      // Where it stands on the page, however far that is scrolled.
      const place = () =>
        desk
          .operation('updateOwnSeller')
          .evaluate((button: any) => button.getBoundingClientRect().top + button.ownerDocument.defaultView.scrollY);
      const before = await place();
      await desk.endSessions();
      await desk.operation('refreshPayment').click();
      const alert = desk.failure('unauthenticated');
      await alert.waitFor();
      await settled(page);
      expect([await place(), await alert.isVisible()]).toEqual([before, true]);
      await desk.operation('updateOwnSeller').click();
      await desk.text('The changes were not saved.').waitFor();
      expect([await alert.count(), await page.getByRole('button', { name: 'Sign in' }).count()]).toEqual([1, 1]);
      await desk.expectFit();
      await alert.getByRole('button').press('Enter');
      await page.locator(`button[value="${desk.owner}"]`).click();
      await page.waitForURL(`${desk.harness.baseUrl}/console/seller`);
      await shown(page);
      expect([await support().inputValue(), await alert.count()]).toEqual(['typed@minato.example', 0]);
    });

    test('is told so after signing out, in every tab, and signs in by hand', async () => {
      await desk.open('/console', { as: 'new', locale: 'ja', width: 320 });
      const other = await desk.otherTab('/console/orders');
      await other.evaluate('sessionStorage.setItem("draft:a", "typed")');
      await page.locator('button[aria-controls=menu]').click();
      // By the issuer, and back.
      await Promise.all([page.waitForRequest('**/console/config.json'), page.locator('[data-action=sign-out]').first().click()]);
      for (const tab of [other, page]) await tab.getByRole('heading', { level: 1, name: 'サインアウトしました' }).waitFor();
      await settled(page);
      expect([await page.locator('[data-action=sign-out]').count(), await desk.isFocused('h1')]).toEqual([0, true]);
      expect([await page.title(), await page.context().cookies()]).toEqual([expect.stringContaining('サインアウトしました'), []]);
      expect(await other.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('typed');
      await desk.expectFit();
      await page.reload();
      await page.getByRole('button', { name: 'サインイン' }).click();
      await page.waitForURL((url) => url.pathname.startsWith('/__local/identity'));
    });

    test('is told what failed as they came back, and tries again', async () => {
      await desk.open('/console', { as: 'new', width: 320 });
      await page.goto(`${desk.harness.baseUrl}/console/callback?code=x&state=y`);
      await desk.failure('sign_in_unfinished').waitFor();
      expect([await heading(), await desk.isFocused('h1')]).toEqual(['The sign-in was not finished', true]);
      await desk.expectFit();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('[data-task]').first().waitFor();
      await page.route('**/console/config.json', (route) => route.abort());
      await page.reload();
      await desk.failure('offline').waitFor();
      await page.unroute('**/console/config.json');
      await page.locator('[data-action=retry]').click();
      await page.locator('[data-task]').first().waitFor();
    });
  });
});
