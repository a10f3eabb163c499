import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, launchBrowser, settled } from '../../support/http/browser.ts';
import { atScreen, failureNotice, faultsOf, hasFocus, openConsole, operation, shown } from '../../support/http/console.ts';
import { offerProduct, type StackHarness, startStackHarness, uploadFile } from '../../support/scenes/stack-harness.ts';

jest.setTimeout(60_000);

let browser: Browser;
let harness: StackHarness;
let page: Page;
/** What the page asked of the API since the last screen was opened. */
let asked: string[];

interface Visit {
  as: string;
  path?: string;
  locale?: 'ja' | 'en';
  width?: number;
  scheme?: 'light' | 'dark';
}

async function open(visit: Visit): Promise<void> {
  ({ page } = await openConsole(browser, harness, visit));
  page.setDefaultTimeout(10_000);
  asked = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) asked.push(`${request.method()} ${pathname}`);
  });
}

/** Opens the console as somebody who never was here; resolves to their id. */
async function openAsSomebodyNew(visit: Omit<Visit, 'as'> = {}): Promise<string> {
  await open({ as: 'new', ...visit });
  const [reply] = await Promise.all([page.waitForResponse(/\/v1\/me$/), page.reload()]);
  await shown(page);
  return (await reply.json()).user_id;
}

/** Calls the API in the name of a user. */
const asUser = (userId: string, method: string, path: string, body?: unknown) =>
  harness.call(method, path, { headers: { 'X-User-ID': userId }, ...(body !== undefined && { body }) });
const review = (sellerId: string, body: object) => harness.call('PATCH', `/v1/admin/sellers/${sellerId}/review`, { as: 'admin', body });
const apply = (userId: string) =>
  asUser(userId, 'POST', '/v1/sellers', {
    display_name: 'Kite',
    contact_email: 'kite@example.com',
    support_email: 'help@kite.example',
    site_url: 'https://kite.example',
  });

const heading = () => page.locator('main h1').textContent();
const field = (name: string, form = 'main') => page.locator(`${form} [name="${name}"]`);
const contacts = 'form:has([data-operation=updateOwnSeller])';
const isFocused = (selector: string): Promise<boolean> => page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`);
const said = (text: string) => page.locator('[role=status]', { hasText: text }).first().waitFor({ state: 'attached' });
const failing = (status: number, code: string) => ({ status, json: { code, message: 'It failed.', request_id: 'request-1' } });
/** The present screen, loaded anew. */
async function reload(): Promise<void> {
  await page.reload();
  await shown(page);
}

beforeAll(async () => {
  if (!hasBrowser) return;
  [browser, harness] = await Promise.all([launchBrowser(), startStackHarness({ ADMIN_ALLOWLIST: 'admin@example.com' })]);
});
afterAll(async () => {
  await browser?.close();
  await harness?.stop();
});
afterEach(() => page?.context().close());

(hasBrowser ? describe : describe.skip)('the first screens of a seller', () => {
  test('lead somebody new to an application, by keyboard alone', async () => {
    await openAsSomebodyNew({ width: 360 });
    expect(await heading()).toBe('Sell your software here');
    const tasks = await page
      .locator('[data-task]')
      .evaluateAll((rows) => rows.map((row: any) => `${row.dataset.task} ${row.dataset.state}`));
    expect(tasks).toEqual(['apply todo', 'payments blocked', 'product blocked', 'delivery blocked', 'review blocked', 'sale blocked']);
    expect(await page.locator('main a').count()).toBe(1);
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('[data-task=apply] a').press('Enter');
    await shown(page);
    expect([new URL(page.url()).pathname, await isFocused('h1')]).toEqual(['/console/seller', true]);
    expect(await field('contact_email').inputValue()).toMatch(/@/);

    await field('site_url').fill('javascript:alert(1)');
    await field('site_url').press('Enter');
    const faults = failureNotice(page, 'invalid_request').locator('a');
    expect(await faults.allTextContents()).toEqual([
      'Name is missing',
      'Website must be an http or https URI without spaces, quotes, backslashes or credentials',
      'E-mail address for buyers is missing',
    ]);
    expect(await faultsOf(page)).toEqual([]);
    await field('display_name').fill('凧\u202Eshop');
    await field('site_url').fill('https://kite.example');
    await field('support_email').fill('help@kite.example');
    await field('support_email').press('Enter');
    // Which the service alone knows.
    await page.getByText('Name must not hold marks that change the reading order').first().waitFor();
    expect(await faults.count()).toBe(1);
    await field('display_name').fill('凧 <b>shop</b>');
    asked = [];
    await operation(page, 'createSeller').dblclick();
    await said('The application was handed in.');
    await page.getByText('In review').first().waitFor();
    expect(asked.filter((one) => one === 'POST /v1/sellers')).toHaveLength(1);
    expect(await isFocused('h2')).toBe(true);
    expect(await page.locator('main dd bdi').first().textContent()).toBe('凧 <b>shop</b>');
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('say why an application came back, keep what is typed, and hand it in again', async () => {
    const user = await openAsSomebodyNew({ locale: 'ja', width: 320, scheme: 'dark' });
    const { id } = await apply(user);
    await review(id, { decision: 'needs_more_info', note: '<img src=x onerror=alert(1)>\u202Ecod.exe\nhttps://kite.example' });
    await reload();
    const attention = page.locator('[data-kind=application_returned]');
    expect(await attention.getAttribute('data-target')).toBe(id);
    expect(await page.locator('[data-task=apply]').getAttribute('data-state')).toBe('action');
    expect(await faultsOf(page)).toEqual([]);
    await attention.locator('a').click();
    await shown(page);
    expect(await page.locator('.notice bdi').textContent()).toContain('<img src=x onerror=alert(1)>U+202Ecod.exe');
    expect(await faultsOf(page)).toEqual([]);
    await field('display_name').fill('凧あげ');
    await reload();
    expect(await field('display_name').inputValue()).toBe('凧あげ');
    await operation(page, 'createSeller').click();
    await page.getByText('審査待ち').first().waitFor();
    expect(await page.locator('main .notice').count()).toBe(0);
    // While it waits it can be changed, which begins its review anew.
    await page.locator('summary').click();
    await field('display_name').fill('凧あげ会');
    await operation(page, 'createSeller').click();
    await page.locator('dd', { hasText: '凧あげ会' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  test('lead to the payment provider and back, and then ask what came of it', async () => {
    const user = await openAsSomebodyNew({ path: '/console/seller' });
    const { id } = await apply(user);
    await review(id, { decision: 'approve' });
    await reload();
    await field('support_email', contacts).fill('typed@kite.example');
    // Somebody else is making one.
    await page.route('**/v1/sellers/payment/account-link', (route) => route.fulfill(failing(409, 'onboarding_link_conflict')), {
      times: 1,
    });
    await operation(page, 'createAccountLink').click();
    await failureNotice(page, 'onboarding_link_conflict').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    asked = [];
    await operation(page, 'createAccountLink').dblclick();
    await page.waitForURL((url) => url.origin !== harness.baseUrl);
    expect(asked.filter((one) => one.endsWith('/account-link'))).toHaveLength(1);
    asked = [];
    await page.locator('button[value=needs_information]').click();
    await page.waitForURL((url) => url.href === `${harness.baseUrl}/console/seller`);
    await said('Payments: Information needed');
    await shown(page);
    expect(asked.filter((one) => one.endsWith('/refresh'))).toHaveLength(1);
    expect(asked.filter((one) => one !== 'GET /v1/overview').length).toBeLessThanOrEqual(3);
    expect(await page.locator('dd li').allTextContents()).toEqual(['A document that proves who you are']);
    expect(await page.getByText('Information is missing').count()).toBe(1);
    expect(await field('support_email', contacts).inputValue()).toBe('typed@kite.example');
    expect(await faultsOf(page)).toEqual([]);
    await atScreen(page, '/console');
    expect(await page.locator('[data-kind=payment_due]').getAttribute('data-target')).toBe(id);
    expect(await page.locator('[data-task=payments]').getAttribute('data-state')).toBe('action');

    const { payment_connected_account_id: account } = await asUser(user, 'GET', '/v1/sellers/me');
    await harness.provider(`/test/accounts/${account}/state`, { state: 'enabled' });
    await atScreen(page, '/console/seller');
    await operation(page, 'refreshPayment').click();
    await said('Payments: Can take payments and payouts');
    expect(await page.locator('dd li').count()).toBe(0);
    expect(await hasFocus(page)).toBe(true);
    await harness.provider(`/test/accounts/${account}/state`, { state: 'rejected' });
    await operation(page, 'refreshPayment').click();
    await said('Payments: Refused by the provider');
    expect(await operation(page, 'createAccountLink').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('save of the addresses what was changed, whatever goes wrong on the way', async () => {
    const { user_id: as } = await harness.call('GET', '/v1/me', { as: 'seller' });
    await open({ as, path: '/console/seller' });
    const bodies: unknown[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && bodies.push(request.postDataJSON()));
    await field('support_email', contacts).fill('no address');
    await operation(page, 'updateOwnSeller').click();
    await failureNotice(page, 'invalid_request').waitFor();
    await field('support_email', contacts).fill('new@minato.example');
    await page.context().setOffline(true);
    await operation(page, 'updateOwnSeller').click();
    await failureNotice(page, 'offline').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.context().setOffline(false);
    // Meanwhile another tab changes the other address.
    await harness.call('PATCH', '/v1/sellers/me', { as: 'seller', body: { contact_email: 'other@minato.example' } });
    await page.locator(`${contacts} [data-action=retry]`).click();
    await page.getByText(/^Saved at/).waitFor();
    expect(bodies.at(-1)).toEqual({ support_email: 'new@minato.example' });
    const seller = await harness.call('GET', '/v1/sellers/me', { as: 'seller' });
    expect([seller.contact_email, seller.support_email]).toEqual(['other@minato.example', 'new@minato.example']);
    expect(await field('contact_email', contacts).inputValue()).toBe('other@minato.example');
  });

  test('show what sells, and lead to the file that was rejected, of whichever product it is', async () => {
    const { user_id: as } = await harness.call('GET', '/v1/me', { as: 'seller' });
    const first = await offerProduct(harness);
    const product = await offerProduct(harness, { name: 'Zeichner' });
    const fileId = await uploadFile(harness, product.id, 'app.zip', Buffer.from('app'));
    const reviewed = { as: 'admin', body: { decision: 'reject', rejected_reason: 'It does not start.' } } as const;
    await harness.call('PATCH', `/v1/admin/products/${product.id}/files/${fileId}/review`, reviewed);
    await open({ as });
    await reload();
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(await page.locator('[data-task=review]').getAttribute('data-target')).toBe(first.id);
    expect(await page.locator('[data-task=sale]').getAttribute('data-state')).toBe('waiting');
    expect(await faultsOf(page)).toEqual([]);
    const item = page.locator('[data-kind=file_rejected]');
    expect(await item.getAttribute('data-target')).toBe(fileId);
    await item.locator('a').click();
    await page.waitForURL((url) => url.pathname === `/console/products/${product.id}/files`);
  });

  test('offer nothing that a closed seller cannot do', async () => {
    const user = await openAsSomebodyNew({ width: 320 });
    const { id } = await apply(user);
    await review(id, { decision: 'suspend', note: 'Not told.' });
    await reload();
    expect(await page.locator('main .notice').textContent()).toMatch(/^Your account is suspended/);
    expect(await page.locator('main ol a').count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
    await atScreen(page, '/console/seller');
    expect(await page.locator('[data-operation]').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  });

  test.each([
    ['dependency_unavailable', 503],
    ['internal_error', 500],
  ])('say what could not be loaded, and try again: %s', async (code, status) => {
    await openAsSomebodyNew();
    let isDown = true;
    await page.route('**/v1/overview', (route) => (isDown ? route.fulfill(failing(status, code)) : route.continue()));
    await page.reload();
    await failureNotice(page, code).waitFor();
    expect(await page.getByText('request-1').count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
    isDown = false;
    await page.locator('[data-action=retry]').click();
    await page.locator('[data-task]').first().waitFor();
    expect(await failureNotice(page, code).count()).toBe(0);
  });
});

(hasBrowser ? describe : describe.skip)('who is not signed in', () => {
  test('keeps the screen with what was typed when the session is over, and gets it back', async () => {
    const { user_id: as } = await harness.call('GET', '/v1/me', { as: 'seller' });
    await open({ as, path: '/console/seller', width: 360 });
    await field('support_email', contacts).fill('typed@minato.example');
    // Where it stands on the page, however far that is scrolled.
    const place = () =>
      operation(page, 'updateOwnSeller').evaluate(
        (button: any) => button.getBoundingClientRect().top + button.ownerDocument.defaultView.scrollY,
      );
    const before = await place();
    await harness.call('POST', '/__local/identity/end-sessions');
    await operation(page, 'refreshPayment').click();
    const alert = failureNotice(page, 'unauthenticated');
    await alert.waitFor();
    await settled(page);
    expect(await place()).toEqual(before);
    expect(await alert.isVisible()).toBe(true);
    await operation(page, 'updateOwnSeller').click();
    await page.getByText('The changes were not saved.').waitFor();
    expect([await alert.count(), await page.getByRole('button', { name: 'Sign in' }).count()]).toEqual([1, 1]);
    expect(await field('support_email', contacts).inputValue()).toBe('typed@minato.example');
    expect(await faultsOf(page)).toEqual([]);
    await alert.getByRole('button').press('Enter');
    await page.locator(`button[value="${as}"]`).click();
    await page.waitForURL(`${harness.baseUrl}/console/seller`);
    await shown(page);
    expect(await field('support_email', contacts).inputValue()).toBe('typed@minato.example');
    expect(await alert.count()).toBe(0);
  });

  test('is told so after signing out, and signs in by hand', async () => {
    await openAsSomebodyNew({ locale: 'ja', width: 320 });
    await page.locator('button[aria-controls=menu]').click();
    // By the issuer, and back.
    await Promise.all([page.waitForRequest('**/console/config.json'), page.locator('[data-action=sign-out]').first().click()]);
    await page.getByRole('heading', { level: 1, name: 'サインアウトしました' }).waitFor();
    await settled(page);
    expect([await page.locator('[data-action=sign-out]').count(), await isFocused('h1')]).toEqual([0, true]);
    expect(await page.title()).toContain('サインアウトしました');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'サインイン' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/__local/identity'));
  });

  test('is told what failed, and tries again', async () => {
    await openAsSomebodyNew({ width: 320 });
    await page.goto(`${harness.baseUrl}/console/callback?code=x&state=y`);
    await failureNotice(page, 'sign_in_unfinished').waitFor();
    expect([await heading(), await isFocused('h1')]).toEqual(['The sign-in was not finished', true]);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-task]').first().waitFor();
    let isDown = true;
    await page.route('**/console/config.json', (route) => (isDown ? route.abort() : route.continue()));
    await page.reload();
    await failureNotice(page, 'offline').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    isDown = false;
    await page.locator('[data-action=retry]').click();
    await page.locator('[data-task]').first().waitFor();
  });

  test.each(['ja', 'en'] as const)('is told that the other role’s screens are not theirs: %s', async (locale) => {
    await openAsSomebodyNew({ locale, width: 320 });
    await page.goto(`${harness.baseUrl}/console/admin/jobs`);
    await failureNotice(page, 'forbidden').waitFor();
    expect([await page.locator('nav a').count(), await isFocused('h1')]).toEqual([0, true]);
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('main a').click();
    await page.locator('[data-task]').first().waitFor();
  });
});
