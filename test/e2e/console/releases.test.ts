import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { settled } from '../../support/http/browser.ts';
import { page } from '../../support/http/in-browser.ts';
import * as desk from '../../support/scenes/console/console-desk.ts';
import { eventually, offerProduct, uploadFile } from '../../support/scenes/stack-harness.ts';

let product: string;
const filesOf = async () => (await desk.asSeller('GET', `/v1/products/${product}/files?limit=100`)).items;
const reviewFile = (id: string, body: unknown) => desk.asAdmin('PATCH', `/v1/admin/products/${product}/files/${id}/review`, body);

const releases = () => `/v1/products/${product}/releases`;
const readRelease = async (version: string) =>
  (await desk.asSeller('GET', `${releases()}?limit=100`)).items.find((release: any) => release.version === version);

/** A version with a file that is checked, handed in. */
async function handIn(version: string, more: Record<string, unknown> = {}): Promise<{ id: string; fileId: string }> {
  const fileId = await uploadFile(desk.harness, product, `app-${version}.zip`, Buffer.from(`app ${version}`), { purpose: 'release' });
  const artifacts = ['x64', 'arm64'].map((arch) => ({ file_id: fileId, platform: 'windows', arch, kind: 'full' }));
  const { id } = await desk.asSeller('POST', releases(), { version, channel: 'stable', notes: `News of ${version}`, artifacts, ...more });
  await eventually('its file is checked', 60, async () => {
    const file = (await filesOf()).find((one: any) => one.id === fileId);
    return (file?.hash_status === 'verified' && file.scan_status !== 'not_scanned') || undefined;
  });
  await desk.asSeller('POST', `${releases()}/${id}/submit`, {});
  return { id, fileId };
}

desk.describeConsole('releases at the console', () => {
  // Before there are others that wait.
  describe('are reviewed by an admin', () => {
    const decide = (value: string, within: Parameters<typeof desk.operation>[1] = page) =>
      within.locator(`button[name=decision][value=${value}]`);
    const compared = (name: string) => page.locator(`[data-field="${name}"]`);
    const at = (path: string) => page.waitForURL((url) => url.pathname === path);
    const pathOf = (version: string) => `/console/admin/products/${product}/releases/${version}`;
    const statusOf = async (version: string) => (await readRelease(version))?.status;
    beforeAll(async () => {
      ({ id: product } = await offerProduct(desk.harness, { name: 'Reviewed' }));
    });

    test('vouched for and approved by keyboard, compared with the one before, and withdrawn for good', async () => {
      const first = await handIn('1.0.0');
      await desk.openAsAdmin(pathOf('1.0.0'));
      await desk.text('The first release of this product').waitFor();
      expect([await page.locator('[data-field] :is(ins, del)').count(), await decide('approve').isDisabled()]).toEqual([0, true]);
      await desk.text('app-1.0.0.zip: Nobody vouches for the file yet').waitFor();
      await page.keyboard.press('Alt+a');
      expect(await desk.dialog().count()).toBe(0);

      expect(await desk.row(first.fileId).locator('li', { hasText: 'Windows' }).count()).toBe(2);
      await decide('manual_clean', desk.row(first.fileId)).click();
      await desk.field('manual_scan_clean_reason').fill('Looked at by hand');
      await desk.operation('reviewProductFile').click();
      await decide('approve').and(page.locator(':enabled')).waitFor();
      const sent = desk.watch('PATCH', /review$/);
      await page.keyboard.press('Alt+a');
      await desk.text('the seller can publish it').waitFor();
      await desk.expectFit();
      // Enter alone decides nothing.
      await page.keyboard.press('Enter');
      expect(await statusOf('1.0.0')).toBe('pending_review');
      await desk.operation('reviewRelease').dblclick();
      await at('/console/admin');
      await desk.text('1.0.0 is approved.').waitFor();
      expect([await statusOf('1.0.0'), sent.length]).toEqual(['approved', 1]);
      await desk.asSeller('POST', `${releases()}/${first.id}/publish`, {});

      const news = { notes: 'News of 1.1.0\n<b>\u202Eevil</b>', critical: true, publish_on_approval: true, rollout_percent: 20 };
      const vouch = { decision: 'manual_clean', manual_scan_clean_reason: 'Made by this test.' };
      const { fileId } = await handIn('1.1.0', news);
      await desk.asAdmin('PATCH', `/v1/admin/products/${product}/files/${fileId}/review`, vouch);
      await handIn('1.2.0');
      await desk.openAsAdmin(pathOf('1.1.0'), { locale: 'ja', width: 1280 });
      await desk.text('直前に公開された 1.0.0 との比較').waitFor();
      expect(await compared('notes').locator('ins').first().textContent()).toContain('<b>U+202Eevil');
      expect(await compared('critical').locator('ins').textContent()).toContain('はい');
      expect(await compared('channel').locator('ins, del').count()).toBe(0);
      await decide('approve').click();
      await desk.text('デバイスの20%に向けてすぐに公開されます').waitFor();
      await desk.operation('reviewRelease').click();
      await at(pathOf('1.2.0'));
      await desk.text('1.1.0 を承認しました。').waitFor();
      await page.locator('h1:focus', { hasText: '1.2.0' }).waitFor();
      expect(await statusOf('1.1.0')).toBe('published');

      await desk.openAsAdmin(pathOf('1.1.0'));
      await page.keyboard.press('Alt+y');
      await desk.text('This cannot be undone.').waitFor();
      await desk.field('yank_reason').fill('Deletes projects');
      await desk.operation('reviewRelease').click();
      await desk.said('1.1.0 is withdrawn.');
      await page.locator('dd .state', { hasText: 'Withdrawn' }).waitFor();
      await desk.untilFocused();
      expect(await statusOf('1.1.0')).toBe('yanked');
      await desk.text('Deletes projects').waitFor();
    });

    test('and not one that changed since, with the reason that was written', async () => {
      const { id } = await handIn('2.0.0');
      await desk.openAsAdmin(pathOf('2.0.0'));
      await decide('reject').click();
      await desk.field('rejection_reason').fill('Says nothing');
      await desk.asSeller('POST', `${releases()}/${id}/withdraw`);
      await desk.asSeller('POST', releases(), { version: '2.0.0', notes: 'Says more' });
      await desk.asSeller('POST', `${releases()}/${id}/submit`, {});
      await desk.operation('reviewRelease').click();
      await desk.failure('stale_review').waitFor();
      await desk.until(`document.querySelector('[data-field=notes]').textContent.includes('Says more')`);
      expect([await desk.dialog().count(), await statusOf('2.0.0')]).toEqual([0, 'pending_review']);
      await decide('reject').click();
      await desk.operation('reviewRelease').click();
      await desk.text('2.0.0 is rejected.').waitFor();
      await page.goto(desk.harness.baseUrl + pathOf('2.0.0'));
      await desk.failure('release_not_found').waitFor();
      await page.getByRole('button', { name: 'Look among drafts' }).click();
      await desk.text('Says nothing').waitFor();
    });
  });

  describe('are made by their seller', () => {
    const pathOf = (version: string) => `/console/products/${product}/releases/${version}`;
    const form = (target: string) => page.locator(`form[data-target="${target}"]`);
    const state = (words: string) => page.locator('.lead .state', { hasText: words }).waitFor();
    const press = (id: string, within: Page | Locator = page) => desk.operation(id, within).click();
    const makeDraft = (version: string, more: Record<string, unknown> = {}) =>
      desk.asSeller('POST', releases(), { version, channel: 'stable', notes: 'News', ...more });

    /** A version that was handed in, as an admin decides on it. */
    async function decided(version: string, decision: Record<string, unknown>): Promise<any> {
      const { id, fileId } = await handIn(version);
      await reviewFile(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Made by this test.' });
      await desk.asAdmin('PATCH', `/v1/admin/products/${product}/releases/${id}/review`, decision);
      return readRelease(version);
    }

    beforeAll(async () => {
      ({ id: product } = await offerProduct(desk.harness, { name: 'Released', features: ['export', 'im\u200Bport'] }));
    });

    test('go from a version by keyboard to a review', async () => {
      await desk.open(`/console/products/${product}/releases`);
      await desk.text('No release yet').waitFor();
      await desk.field('version').focus();
      await page.keyboard.type('1.4.0-beta.2');
      expect(await desk.field('channel', form('new')).inputValue()).toBe('beta');
      await page.keyboard.press('Enter');
      await page.locator('h1:focus', { hasText: '1.4.0-beta.2' }).waitFor();
      expect(decodeURI(new URL(page.url()).pathname)).toBe(pathOf('1.4.0-beta.2'));
      await desk.text('A full file').waitFor();
      await desk.expectFit();

      await desk.field('notes').fill('# Ships\n<b>raw</b>');
      await page.locator('[data-operation=submitRelease]:disabled').waitFor();
      await press('saveRelease', form((await readRelease('1.4.0-beta.2')).id));
      await desk.said('Saved at');
      const dmg = { name: 'App-1.4.0-arm64.dmg', mimeType: 'application/octet-stream', buffer: Buffer.from('dmg') };
      await desk.operation('createProductFileUploadIntent', page.locator('form')).setInputFiles(dmg);
      const add = form('new');
      await add.locator('option', { hasText: dmg.name }).waitFor({ state: 'attached' });
      expect([await desk.field('platform', add).inputValue(), await desk.field('arch', add).inputValue()]).toEqual(['macos', 'arm64']);
      await add.getByText('Sparkle').click();
      await press('saveRelease', add);
      await page.locator('li[data-id]').waitFor();
      const { artifacts, notes } = await readRelease('1.4.0-beta.2');
      expect([notes, artifacts]).toMatchObject(['# Ships\n<b>raw</b>', [{ platform: 'macos', arch: 'arm64', feeds: ['appcast'] }]]);

      await desk.text('Build is missing').waitFor();
      await press('submitRelease');
      expect(await desk.failure('release_incomplete').locator('strong').textContent()).toBe('The release was not handed in. ');
      const item = page.locator(`li[data-id="${artifacts[0].file_id}"]`);
      await item.locator('summary').click();
      await desk.field('build', item).fill('140');
      await page.locator('[data-operation=submitRelease]:disabled').waitFor();
      await desk.field('ed25519_signature', item).fill(Buffer.alloc(64, 7).toString('base64'));
      await press('saveRelease', item.locator('form'));
      await desk.text('Nothing is missing').waitFor();
      await desk.operation('submitRelease').dblclick();
      await state('In review');
      await desk.untilFocused('h1');
      await desk.expectFit();
      expect(await readRelease('1.4.0-beta.2')).toMatchObject({ status: 'pending_review', artifacts: [{ build: '140' }] });
      await press('withdrawRelease');
      await state('Draft');
    });

    test('are published to a share, paused, and taken back for good with a reason', async () => {
      const { id } = await decided('2.0.0', { decision: 'approve' });
      await desk.open(pathOf('2.0.0'));
      await state('Approved');
      await desk.field('rollout_percent').fill('120');
      await press('publishRelease');
      await desk.failure('invalid_request').waitFor();
      await desk.field('rollout_percent').fill('25');
      await press('publishRelease');
      await state('Published');
      expect(await readRelease('2.0.0')).toMatchObject({ status: 'published', rollout_percent: 25 });
      await desk.field('rollout_percent').fill('0');
      await press('publishRelease');
      await page.locator('.lead', { hasText: '0 %' }).waitFor();
      expect((await readRelease('2.0.0')).rollout_percent).toBe(0);
      const buyers = await page.getByRole('link', { name: 'As buyers see it' }).getAttribute('href');
      expect((await fetch(new URL(buyers ?? '', desk.harness.baseUrl))).status).toBe(200);

      await page.getByRole('button', { name: 'Withdraw for good' }).click();
      await press('yankRelease');
      await page.locator('dialog [data-error=invalid_request]').waitFor();
      await desk.expectFit();
      await desk.field('reason').fill('Deletes files \u200B');
      await press('yankRelease');
      await state('Withdrawn');
      expect([await desk.dialog().count(), await page.locator('.mark').first().textContent()]).toEqual([0, 'U+200B']);
      expect(await readRelease('2.0.0')).toMatchObject({ id, status: 'yanked', yank_reason: 'Deletes files \u200B' });
    });

    test('show why they were rejected, and are deleted once that was confirmed', async () => {
      const { id } = await decided('3.0.0', { decision: 'reject', rejection_reason: 'Crashes at start <i>' });
      await desk.open(pathOf('3.0.0'));
      await desk.text('Crashes at start <i>').waitFor();
      await page.getByRole('button', { name: 'Delete draft' }).click();
      await press('deleteRelease');
      await page.waitForURL((url) => url.pathname === `/console/products/${product}/releases`);
      await expect(desk.asSeller('GET', `${releases()}/${id}`)).rejects.toThrow('404');
      await page.locator(`[data-id="${id}"]`).waitFor({ state: 'detached' });
    });

    test('lose nothing to another tab', async () => {
      const upload = (name: string) => uploadFile(desk.harness, product, `${name}.zip`, Buffer.from(name), { purpose: 'release' });
      const [own = '', theirs = ''] = [await upload('a'), await upload('b')];
      const { id } = await makeDraft('4.0.0');
      await desk.open(pathOf('4.0.0'));
      await desk.field('notes').fill('Typed');
      await desk.operation('saveRelease', form(id)).dblclick();
      await desk.said('Saved at');
      expect((await readRelease('4.0.0')).notes).toBe('Typed');

      // Files are added to what the release is then.
      await desk.field('file_id').selectOption(own);
      await makeDraft('4.0.0', { artifacts: [{ file_id: theirs, platform: 'linux', arch: 'any', kind: 'full' }] });
      await press('saveRelease', form('new'));
      await page.locator(`li[data-id="${own}"]`).waitFor();
      expect((await readRelease('4.0.0')).artifacts.map(({ file_id }: any) => file_id)).toEqual([theirs, own]);
      await desk
        .operation('saveRelease', page.locator(`li[data-id="${theirs}"]`))
        .last()
        .click();
      await desk.said('Take out: done');
      // Handed in elsewhere: it is made anew by nobody.
      const before = (await readRelease('4.0.0')).notes;
      await desk.field('notes').fill('Too late');
      await desk.asSeller('POST', `${releases()}/${id}/submit`, {});
      await press('saveRelease', form(id));
      await state('In review');
      expect((await readRelease('4.0.0')).notes).toBe(before);
    });

    test('that are taken, of others, further down or not there, are told of in words', async () => {
      await makeDraft('6.0.0');
      await desk.open(pathOf('9.9.9'));
      await page.locator('h1', { hasText: 'There is no such release' }).waitFor();
      await desk.expectFit();
      await page.route(/\/releases\?limit=100$/, (route) => route.fulfill({ json: { items: [], next_cursor: 'further' } }));
      await page.route(/cursor=further$/, async (route) => route.fulfill({ json: await desk.asSeller('GET', `${releases()}?limit=100`) }));
      await page.goto(desk.harness.baseUrl + pathOf('6.0.0'));
      await state('Draft');
      await page.unrouteAll();
      await desk.go(`/console/products/${product}/releases`);
      // It would take the place of the draft.
      await desk.field('version').fill('6.0.0');
      await press('saveRelease');
      await desk.text('Version is taken').waitFor();
      expect((await readRelease('6.0.0')).notes).toBe('News');
      await desk.open(`/console/products/${product}/releases`, { as: 'new' });
      await page.locator('[data-error]').first().waitFor();
      expect(await page.getByText('6.0.0').count()).toBe(0);
    });

    test('stay where they are when their product comes after them', async () => {
      await makeDraft('7.0.0');
      await desk.open(`/console/products/${product}/releases`, { width: 320 });
      await page.addInitScript(`
        window.moved = 0;
        new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.moved += value; }).observe({ type: 'layout-shift', buffered: true });
      `);
      const listed = page.waitForResponse(/\/releases\?/);
      await page.route(`**/v1/products/${product}`, (route) => listed.then(() => route.fallback()));
      await page.reload();
      await page.locator('main tr[data-id]').first().waitFor();
      await settled(page);
      expect(Number(await page.evaluate('window.moved'))).toBeLessThan(0.02);
    });
  });

  test('API tokens show once, open what they say, and end when that was confirmed', async () => {
    ({ id: product } = await offerProduct(desk.harness, { name: 'Built by machines' }));
    await desk.open('/console/tokens', { locale: 'ja' });
    await desk.text('トークンはまだありません').waitFor();
    await desk.operation('createApiToken').click();
    await desk.failure('invalid_request').waitFor();
    await desk.expectFit();
    await desk.field('name').fill('ビルド\u200B機');
    await page.locator('[name=scopes][value="releases:read"]').check();
    await page.locator(`[name=product_ids][value="${product}"]`).check();
    await desk.operation('createApiToken').dblclick();
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    expect([secret, await desk.kept()]).toEqual([expect.stringMatching(/^lst_/), expect.not.stringContaining(secret)]);
    await desk.expectFit();
    const { items } = await desk.asSeller('GET', '/v1/api-tokens');
    expect(items).toMatchObject([{ name: 'ビルド\u200B機', scopes: ['releases:read'], product_ids: [product], expires_in_days: 90 }]);
    const headers = { Authorization: `Bearer ${secret}` };
    const asMachine = async () => (await fetch(`${desk.harness.baseUrl}/v1/products/${product}/releases`, { headers })).status;
    expect(await asMachine()).toBe(200);
    await page.getByRole('button', { name: '完了' }).click();
    expect([await page.locator('[data-secret]').count(), await page.locator('tbody .mark').textContent()]).toEqual([0, 'U+200B']);
    await desk.row(items[0].id).locator('button').first().click();
    await desk.expectFit();
    await desk.operation('revokeApiToken').click();
    await desk.row(items[0].id).locator('.state', { hasText: '失効' }).waitFor();
    expect(await asMachine()).toBe(401);
    await desk.until('document.activeElement !== document.body');
  });
});
