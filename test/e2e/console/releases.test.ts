import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { accessibilityFaults, hasBrowser, launchBrowser, openPage, overflowOf, settled, smallTargets } from '../../support/http/browser.ts';
import { eventually, offerProduct, type StackHarness, startStackHarness, uploadFile } from '../../support/scenes/stack-harness.ts';

const whenBrowser = hasBrowser ? describe : describe.skip;

let browser: Browser;
let harness: StackHarness;
let owner: string;
let product: string;
let page: Page;
let complaints: string[];

const seller = (method: string, path: string, body?: unknown) =>
  harness.call(method, path, { as: 'seller', ...(body !== undefined && { body }) });
const releasesOf = (id: string) => `/v1/products/${id}/releases`;
const readRelease = async (version: string) =>
  (await seller('GET', `${releasesOf(product)}?limit=100`)).items.find((release: any) => release.version === version);

/** Signs in and opens a screen. */
async function open(path: string, { hint = owner, width = 360, language = 'en' } = {}): Promise<void> {
  await page?.context().close();
  ({ page, complaints } = await openPage(browser, { locale: language, viewport: { width, height: 740 } }));
  page.setDefaultTimeout(10_000);
  await page.goto(`${harness.baseUrl}/console?login_hint=${encodeURIComponent(hint)}`);
  await page.locator('nav a').first().waitFor({ state: 'attached' });
  await show(path);
}

/** Opens a screen of who is signed in. */
async function show(path: string): Promise<void> {
  await page.goto(harness.baseUrl + path);
  await page.waitForURL((url) => url.pathname === path);
  await page.locator('main h1').waitFor();
  await settled(page);
}

const draftPath = (version: string) => `/console/products/${product}/releases/${version}`;
const field = (name: string, within: Page | Locator = page) => within.locator(`[name="${name}"]`);
const operation = (id: string, within: Page | Locator = page) => within.locator(`[data-operation=${id}]`);
const form = (target: string) => page.locator(`form[data-target="${target}"]`);
const said = (text: string) => page.locator('[role=status]', { hasText: text }).first().waitFor({ state: 'attached' });
const state = (words: string) => page.locator('.lead .state', { hasText: words }).waitFor();

/** The screen is fit for everybody, in this state too. */
async function expectFit(): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
}

async function makeDraft(version: string, more: Record<string, unknown> = {}): Promise<any> {
  return seller('POST', releasesOf(product), { version, channel: version.includes('-') ? 'beta' : 'stable', notes: 'News', ...more });
}

/** A draft with a file, handed in, and as an admin decides on it. */
async function handedIn(version: string, decision?: Record<string, unknown>): Promise<any> {
  const file_id = await uploadFile(harness, product, `app-${version}.zip`, Buffer.from(`app ${version}`), { purpose: 'release' });
  const { id } = await makeDraft(version, { artifacts: [{ file_id, platform: 'any', arch: 'any', kind: 'full' }] });
  await seller('POST', `${releasesOf(product)}/${id}/submit`, {});
  if (decision) {
    await eventually('its file is verified', 30, async () => {
      const { items } = await seller('GET', `/v1/products/${product}/files?limit=100`);
      return items.find((file: any) => file.id === file_id)?.hash_status === 'verified' ? true : undefined;
    });
    const vouch = { decision: 'manual_clean', manual_scan_clean_reason: 'Made by this test.' };
    await harness.call('PATCH', `/v1/admin/products/${product}/files/${file_id}/review`, { as: 'admin', body: vouch });
    await harness.call('PATCH', `/v1/admin/products/${product}/releases/${id}/review`, { as: 'admin', body: decision });
  }
  return readRelease(version);
}

beforeAll(async () => {
  if (!hasBrowser) return;
  [browser, harness] = await Promise.all([launchBrowser(), startStackHarness()]);
  ({ id: product } = await offerProduct(harness, { features: ['export', 'im\u200Bport'] }));
  owner = (await seller('GET', '/v1/me')).user_id;
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await harness?.stop();
});
afterEach(() => expect(complaints ?? []).toEqual([]));

whenBrowser('releases in the console', () => {
  test('go from a version by keyboard to a review', async () => {
    await open(`/console/products/${product}/releases`);
    await page.getByText('No release yet').waitFor();
    await expectFit();
    await field('version').focus();
    await page.keyboard.type('1.4.0-beta.2');
    expect(await field('channel', form('new')).inputValue()).toBe('beta');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === draftPath('1.4.0-beta.2'));
    await page.locator('h1', { hasText: '1.4.0-beta.2' }).waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.getByText('A full file').waitFor();
    await expectFit();

    await field('notes').fill('# Ships\n<b>raw</b>');
    await page.locator('[data-operation=submitRelease]:disabled').waitFor();
    await operation('saveRelease', form((await readRelease('1.4.0-beta.2')).id)).click();
    await said('Saved at');
    await operation('createProductFileUploadIntent', page.locator('form')).setInputFiles({
      name: 'App-1.4.0-arm64.dmg',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('dmg'),
    });
    const add = form('new');
    await add.locator('option', { hasText: 'App-1.4.0-arm64.dmg' }).waitFor({ state: 'attached' });
    expect(await field('platform', add).inputValue()).toBe('macos');
    expect(await field('arch', add).inputValue()).toBe('arm64');
    await add.getByText('Sparkle').click();
    await operation('saveRelease', add).click();
    await page.locator('li[data-id]').waitFor();
    const { artifacts, notes } = await readRelease('1.4.0-beta.2');
    expect({ artifacts, notes }).toMatchObject({
      artifacts: [{ platform: 'macos', arch: 'arm64', feeds: ['appcast'] }],
      notes: '# Ships\n<b>raw</b>',
    });

    await page.getByText('Build is missing').waitFor();
    await operation('submitRelease').click();
    const notice = page.locator('[role=alert][data-error=release_incomplete]');
    await notice.waitFor();
    expect(await notice.locator('strong').textContent()).toBe('The release was not handed in. ');
    const row = page.locator(`li[data-id="${artifacts[0].file_id}"]`);
    await row.locator('summary').click();
    await field('build', row).fill('140');
    await page.locator('[data-operation=submitRelease]:disabled').waitFor();
    await field('ed25519_signature', row).fill(Buffer.alloc(64, 7).toString('base64'));
    await operation('saveRelease', row.locator('form')).click();
    await page.getByText('Nothing is missing').waitFor();
    await expectFit();
    await operation('submitRelease').dblclick();
    await state('In review');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await expectFit();
    expect(await readRelease('1.4.0-beta.2')).toMatchObject({ status: 'pending_review', artifacts: [{ build: '140' }] });

    await operation('withdrawRelease').click();
    await state('Draft');
  });

  test('are published to a share, paused, and taken back for good with a reason', async () => {
    const { id } = await handedIn('2.0.0', { decision: 'approve' });
    await open(draftPath('2.0.0'));
    await state('Approved');
    await expectFit();
    await field('rollout_percent').fill('120');
    await operation('publishRelease').click();
    await page.locator('[data-error=invalid_request]').waitFor();
    await field('rollout_percent').fill('25');
    await operation('publishRelease').click();
    await state('Published');
    expect(await readRelease('2.0.0')).toMatchObject({ status: 'published', rollout_percent: 25 });
    await field('rollout_percent').fill('0');
    await operation('publishRelease').click();
    await page.locator('.lead', { hasText: '0 %' }).waitFor();
    expect((await readRelease('2.0.0')).rollout_percent).toBe(0);
    const buyers = page.getByRole('link', { name: 'As buyers see it' });
    expect((await fetch(new URL((await buyers.getAttribute('href')) ?? '', harness.baseUrl))).status).toBe(200);

    await page.getByRole('button', { name: 'Withdraw for good' }).click();
    await expectFit();
    await operation('yankRelease').click();
    await page.locator('dialog [data-error=invalid_request]').waitFor();
    await field('reason').fill('Deletes files \u200B');
    await operation('yankRelease').click();
    await state('Withdrawn');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    expect(await page.locator('.mark').first().textContent()).toBe('U+200B');
    expect(await readRelease('2.0.0')).toMatchObject({ id, status: 'yanked', yank_reason: 'Deletes files \u200B' });
    await expectFit();
  });

  test('show why they were rejected, and are deleted once that was confirmed', async () => {
    const { id } = await handedIn('3.0.0', { decision: 'reject', rejection_reason: 'Crashes at start <i>' });
    await open(draftPath('3.0.0'));
    await page.getByText('Crashes at start <i>').waitFor();
    await expectFit();
    await page.getByRole('button', { name: 'Delete draft' }).click();
    await operation('deleteRelease').click();
    await page.waitForURL((url) => url.pathname === `/console/products/${product}/releases`);
    await expect(harness.call('GET', `${releasesOf(product)}/${id}`, { as: 'seller' })).rejects.toThrow('404');
    await page.locator(`[data-id="${id}"]`).waitFor({ state: 'detached' });
  });

  test('lose nothing to another tab: files are added to what the release is then', async () => {
    const files = await Promise.all(
      ['a', 'b'].map((name) => uploadFile(harness, product, `${name}.zip`, Buffer.from(name), { purpose: 'release' })),
    );
    const { id } = await makeDraft('4.0.0');
    await open(draftPath('4.0.0'));
    await field('file_id').selectOption(files[0] ?? '');
    await makeDraft('4.0.0', { artifacts: [{ file_id: files[1], platform: 'linux', arch: 'any', kind: 'full' }] });
    await operation('saveRelease', form('new')).click();
    await page.locator(`li[data-id="${files[0]}"]`).waitFor();
    expect((await readRelease('4.0.0')).artifacts.map(({ file_id }: any) => file_id)).toEqual([files[1], files[0]]);
    await operation('saveRelease', page.locator(`li[data-id="${files[1]}"]`))
      .last()
      .click();
    await said('Take out: done');

    // Handed in elsewhere: it is made anew by nobody.
    await field('notes').fill('Too late');
    await seller('POST', `${releasesOf(product)}/${id}/submit`, {});
    await operation('saveRelease', form(id)).click();
    await state('In review');
    expect((await readRelease('4.0.0')).notes).toBe('News');
  });

  test('keep what was typed through failures and reloads, and send it once', async () => {
    const { id } = await makeDraft('5.0.0');
    await open(draftPath('5.0.0'));
    await field('notes').fill('Typed');
    await page.context().setOffline(true);
    await operation('saveRelease', form(id)).click();
    await page.locator('[data-error=offline]').waitFor();
    await page.context().setOffline(false);
    await show(draftPath('5.0.0'));
    expect(await field('notes').inputValue()).toBe('Typed');
    let sent = 0;
    await page.route(`**${releasesOf(product)}`, (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      sent += 1;
      return sent === 1
        ? route.fulfill({ status: 503, json: { code: 'dependency_unavailable', message: 'x', request_id: 'r-1' } })
        : route.fallback();
    });
    await operation('saveRelease', form(id)).dblclick();
    await page.locator('[data-error=dependency_unavailable]').waitFor();
    expect(sent).toBe(1);
    await page.locator('[data-action=retry]').click();
    await said('Saved at');
    expect((await readRelease('5.0.0')).notes).toBe('Typed');
  });

  test('stay where they are when their product comes after them', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.addInitScript(`
      window.moved = 0;
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.moved += value; }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.route(`**/v1/products/${product}`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.fallback();
    });
    await show(`/console/products/${product}/releases`);
    await page.locator('main tr[data-id]').first().waitFor();
    await settled(page);
    expect(Number(await page.evaluate('window.moved'))).toBeLessThan(0.02);
  });

  test('of others, and those that are not there, are told of in words', async () => {
    await open(draftPath('9.9.9'));
    await page.locator('h1', { hasText: 'There is no such release' }).waitFor();
    await expectFit();
    // One that is further down than the first page is found all the same.
    await page.route(/\/releases\?limit=100$/, (route) => route.fulfill({ json: { items: [], next_cursor: 'further' } }));
    await page.route(/cursor=further$/, async (route) => route.fulfill({ json: await seller('GET', `${releasesOf(product)}?limit=100`) }));
    await show(draftPath('4.0.0'));
    await state('In review');
    await page.unrouteAll();
    await show(`/console/products/prd_none/releases/1.0.0`);
    await page.locator('[data-error=product_not_found]').waitFor();
    await makeDraft('6.0.0');
    await show(`/console/products/${product}/releases`);
    await field('version').fill('4.0.0');
    await operation('saveRelease').click();
    await page.locator('[data-error=version_taken]').waitFor();
    // It would take the place of the draft.
    await field('version').fill('6.0.0');
    await operation('saveRelease').click();
    await page.getByText('Version is taken').first().waitFor();
    expect((await readRelease('6.0.0')).notes).toBe('News');
    await open(`/console/products/${product}/releases`, { hint: 'new' });
    await page.locator('[data-error]').first().waitFor();
    expect(await page.getByText('4.0.0').count()).toBe(0);
  });
});

whenBrowser('releases of a suspended product', () => {
  test('can be read, and taken back', async () => {
    const { id } = await offerProduct(harness, { name: 'Suspended' });
    await seller('POST', releasesOf(id), { version: '1.0.0', channel: 'stable', notes: '' });
    await harness.call('PATCH', `/v1/admin/products/${id}/review`, {
      as: 'admin',
      body: { decision: 'suspend', rejection_reason: 'Reports of malware' },
    });
    await open(`/console/products/${id}/releases`);
    await page.getByText('The product is suspended').waitFor();
    expect(await operation('saveRelease').count()).toBe(0);
    await page.getByRole('link', { name: '1.0.0' }).click();
    await page.locator('h1', { hasText: '1.0.0' }).waitFor();
    await page.getByText('The product is suspended').waitFor();
    expect(await page.locator('[data-operation]').count()).toBe(0);
    await expectFit();
  });
});

whenBrowser('API tokens in the console', () => {
  test('show once, open what they say, and end when that was confirmed', async () => {
    await open('/console/tokens', { language: 'ja' });
    await page.getByText('トークンはまだありません').waitFor();
    await expectFit();
    await operation('createApiToken').click();
    await page.locator('[data-error=invalid_request]').waitFor();
    await expectFit();
    await field('name').fill('ビルド\u200B機');
    await page.locator('[name=scopes][value="releases:read"]').check();
    await page.locator(`[name=product_ids][value="${product}"]`).check();
    await operation('createApiToken').dblclick();
    const secret = await page.locator('[data-secret]').textContent();
    expect(secret).toMatch(/^lst_/);
    await expectFit();
    expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state, location.href])')).not.toContain(
      secret,
    );
    const { items } = await seller('GET', '/v1/api-tokens');
    expect(items).toMatchObject([{ name: 'ビルド\u200B機', scopes: ['releases:read'], product_ids: [product], expires_in_days: 90 }]);
    const asMachine = () => fetch(harness.baseUrl + releasesOf(product), { headers: { Authorization: `Bearer ${secret}` } });
    expect((await asMachine()).status).toBe(200);
    await page.getByRole('button', { name: '完了' }).click();
    expect(await page.locator('[data-secret]').count()).toBe(0);
    expect(await page.locator('tbody .mark').textContent()).toBe('U+200B');

    await page.locator(`tr[data-id="${items[0].id}"] button`).first().click();
    await expectFit();
    await operation('revokeApiToken').click();
    await page.locator(`tr[data-id="${items[0].id}"] .state`, { hasText: '失効' }).waitFor();
    expect((await asMachine()).status).toBe(401);
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
  });
});
