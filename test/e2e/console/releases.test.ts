import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { settled } from '../../support/http/browser.ts';
import { page } from '../../support/http/in-browser.ts';
import {
  asAdmin,
  asSeller,
  describeConsole,
  dialog,
  expectFit,
  failure,
  field,
  go,
  harness,
  kept,
  open,
  openAsAdmin,
  operation,
  row,
  said,
  text,
  until,
  untilFocused,
  watch,
} from '../../support/scenes/console/console-desk.ts';
import { eventually, offerProduct, uploadFile } from '../../support/scenes/stack-harness.ts';

let product: string;
const filesOf = async () => (await asSeller('GET', `/v1/products/${product}/files?limit=100`)).items;
const reviewFile = (id: string, body: unknown) => asAdmin('PATCH', `/v1/admin/products/${product}/files/${id}/review`, body);

const releases = () => `/v1/products/${product}/releases`;
const readRelease = async (version: string) =>
  (await asSeller('GET', `${releases()}?limit=100`)).items.find((release: any) => release.version === version);

/** A version with a file that is checked, handed in. */
async function handIn(version: string, more: Record<string, unknown> = {}): Promise<{ id: string; fileId: string }> {
  const fileId = await uploadFile(harness, product, `app-${version}.zip`, Buffer.from(`app ${version}`), { purpose: 'release' });
  const artifacts = ['x64', 'arm64'].map((arch) => ({ file_id: fileId, platform: 'windows', arch, kind: 'full' }));
  const { id } = await asSeller('POST', releases(), { version, channel: 'stable', notes: `News of ${version}`, artifacts, ...more });
  await eventually('its file is checked', 60, async () => {
    const file = (await filesOf()).find((one: any) => one.id === fileId);
    return (file?.hash_status === 'verified' && file.scan_status !== 'not_scanned') || undefined;
  });
  await asSeller('POST', `${releases()}/${id}/submit`, {});
  return { id, fileId };
}

describeConsole('releases at the console', () => {
  // Before there are others that wait.
  describe('are reviewed by an admin', () => {
    const decide = (value: string, within: Parameters<typeof operation>[1] = page) =>
      within.locator(`button[name=decision][value=${value}]`);
    const compared = (name: string) => page.locator(`[data-field="${name}"]`);
    const at = (path: string) => page.waitForURL((url) => url.pathname === path);
    const pathOf = (version: string) => `/console/admin/products/${product}/releases/${version}`;
    const statusOf = async (version: string) => (await readRelease(version))?.status;
    beforeAll(async () => {
      ({ id: product } = await offerProduct(harness, { name: 'Reviewed' }));
    });

    test('vouched for and approved by keyboard, compared with the one before, and withdrawn for good', async () => {
      const first = await handIn('1.0.0');
      await openAsAdmin(pathOf('1.0.0'));
      await text('The first release of this product').waitFor();
      expect([await page.locator('[data-field] :is(ins, del)').count(), await decide('approve').isDisabled()]).toEqual([0, true]);
      await text('app-1.0.0.zip: Nobody vouches for the file yet').waitFor();
      await page.keyboard.press('Alt+a');
      expect(await dialog().count()).toBe(0);

      expect(await row(first.fileId).locator('li', { hasText: 'Windows' }).count()).toBe(2);
      await decide('manual_clean', row(first.fileId)).click();
      await field('manual_scan_clean_reason').fill('Looked at by hand');
      await operation('reviewProductFile').click();
      await decide('approve').and(page.locator(':enabled')).waitFor();
      const sent = watch('PATCH', /review$/);
      await page.keyboard.press('Alt+a');
      await text('the seller can publish it').waitFor();
      await expectFit();
      // Enter alone decides nothing.
      await page.keyboard.press('Enter');
      expect(await statusOf('1.0.0')).toBe('pending_review');
      await operation('reviewRelease').dblclick();
      await at('/console/admin');
      await text('1.0.0 is approved.').waitFor();
      expect([await statusOf('1.0.0'), sent.length]).toEqual(['approved', 1]);
      await asSeller('POST', `${releases()}/${first.id}/publish`, {});

      const news = { notes: 'News of 1.1.0\n<b>\u202Eevil</b>', critical: true, publish_on_approval: true, rollout_percent: 20 };
      const vouch = { decision: 'manual_clean', manual_scan_clean_reason: 'Made by this test.' };
      const { fileId } = await handIn('1.1.0', news);
      await asAdmin('PATCH', `/v1/admin/products/${product}/files/${fileId}/review`, vouch);
      await handIn('1.2.0');
      await openAsAdmin(pathOf('1.1.0'), { locale: 'ja', width: 1280 });
      await text('直前に公開された 1.0.0 との比較').waitFor();
      expect(await compared('notes').locator('ins').first().textContent()).toContain('<b>U+202Eevil');
      expect(await compared('critical').locator('ins').textContent()).toContain('はい');
      expect(await compared('channel').locator('ins, del').count()).toBe(0);
      await decide('approve').click();
      await text('デバイスの20%に向けてすぐに公開されます').waitFor();
      await operation('reviewRelease').click();
      await at(pathOf('1.2.0'));
      await text('1.1.0 を承認しました。').waitFor();
      await page.locator('h1:focus', { hasText: '1.2.0' }).waitFor();
      expect(await statusOf('1.1.0')).toBe('published');

      await openAsAdmin(pathOf('1.1.0'));
      await page.keyboard.press('Alt+y');
      await text('This cannot be undone.').waitFor();
      await field('yank_reason').fill('Deletes projects');
      await operation('reviewRelease').click();
      await said('1.1.0 is withdrawn.');
      await page.locator('dd .state', { hasText: 'Withdrawn' }).waitFor();
      await untilFocused();
      expect(await statusOf('1.1.0')).toBe('yanked');
      await text('Deletes projects').waitFor();
    });

    test('and not one that changed since, with the reason that was written', async () => {
      const { id } = await handIn('2.0.0');
      await openAsAdmin(pathOf('2.0.0'));
      await decide('reject').click();
      await field('rejection_reason').fill('Says nothing');
      await asSeller('POST', `${releases()}/${id}/withdraw`);
      await asSeller('POST', releases(), { version: '2.0.0', notes: 'Says more' });
      await asSeller('POST', `${releases()}/${id}/submit`, {});
      await operation('reviewRelease').click();
      await failure('stale_review').waitFor();
      await until(`document.querySelector('[data-field=notes]').textContent.includes('Says more')`);
      expect([await dialog().count(), await statusOf('2.0.0')]).toEqual([0, 'pending_review']);
      await decide('reject').click();
      await operation('reviewRelease').click();
      await text('2.0.0 is rejected.').waitFor();
      await page.goto(harness.baseUrl + pathOf('2.0.0'));
      await failure('release_not_found').waitFor();
      await page.getByRole('button', { name: 'Look among drafts' }).click();
      await text('Says nothing').waitFor();
    });
  });

  describe('are made by their seller', () => {
    const pathOf = (version: string) => `/console/products/${product}/releases/${version}`;
    const form = (target: string) => page.locator(`form[data-target="${target}"]`);
    const state = (words: string) => page.locator('.lead .state', { hasText: words }).waitFor();
    const press = (id: string, within: Page | Locator = page) => operation(id, within).click();
    const makeDraft = (version: string, more: Record<string, unknown> = {}) =>
      asSeller('POST', releases(), { version, channel: 'stable', notes: 'News', ...more });

    /** A version that was handed in, as an admin decides on it. */
    async function decided(version: string, decision: Record<string, unknown>): Promise<any> {
      const { id, fileId } = await handIn(version);
      await reviewFile(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Made by this test.' });
      await asAdmin('PATCH', `/v1/admin/products/${product}/releases/${id}/review`, decision);
      return readRelease(version);
    }

    beforeAll(async () => {
      ({ id: product } = await offerProduct(harness, { name: 'Released', features: ['export', 'im\u200Bport'] }));
    });

    test('go from a version by keyboard to a review', async () => {
      await open(`/console/products/${product}/releases`);
      await text('No release yet').waitFor();
      await field('version').focus();
      await page.keyboard.type('1.4.0-beta.2');
      expect(await field('channel', form('new')).inputValue()).toBe('beta');
      await page.keyboard.press('Enter');
      await page.locator('h1:focus', { hasText: '1.4.0-beta.2' }).waitFor();
      expect(decodeURI(new URL(page.url()).pathname)).toBe(pathOf('1.4.0-beta.2'));
      await text('A full file').waitFor();
      await expectFit();

      await field('notes').fill('# Ships\n<b>raw</b>');
      await page.locator('[data-operation=submitRelease]:disabled').waitFor();
      await press('saveRelease', form((await readRelease('1.4.0-beta.2')).id));
      await said('Saved at');
      const dmg = { name: 'App-1.4.0-arm64.dmg', mimeType: 'application/octet-stream', buffer: Buffer.from('dmg') };
      await operation('createProductFileUploadIntent', page.locator('form')).setInputFiles(dmg);
      const add = form('new');
      await add.locator('option', { hasText: dmg.name }).waitFor({ state: 'attached' });
      expect([await field('platform', add).inputValue(), await field('arch', add).inputValue()]).toEqual(['macos', 'arm64']);
      await add.getByText('Sparkle').click();
      await press('saveRelease', add);
      await page.locator('li[data-id]').waitFor();
      const { artifacts, notes } = await readRelease('1.4.0-beta.2');
      expect([notes, artifacts]).toMatchObject(['# Ships\n<b>raw</b>', [{ platform: 'macos', arch: 'arm64', feeds: ['appcast'] }]]);

      await text('Build is missing').waitFor();
      await press('submitRelease');
      expect(await failure('release_incomplete').locator('strong').textContent()).toBe('The release was not handed in. ');
      const item = page.locator(`li[data-id="${artifacts[0].file_id}"]`);
      await item.locator('summary').click();
      await field('build', item).fill('140');
      await page.locator('[data-operation=submitRelease]:disabled').waitFor();
      await field('ed25519_signature', item).fill(Buffer.alloc(64, 7).toString('base64'));
      await press('saveRelease', item.locator('form'));
      await text('Nothing is missing').waitFor();
      await operation('submitRelease').dblclick();
      await state('In review');
      await untilFocused('h1');
      await expectFit();
      expect(await readRelease('1.4.0-beta.2')).toMatchObject({ status: 'pending_review', artifacts: [{ build: '140' }] });
      await press('withdrawRelease');
      await state('Draft');
    });

    test('are published to a share, paused, and taken back for good with a reason', async () => {
      const { id } = await decided('2.0.0', { decision: 'approve' });
      await open(pathOf('2.0.0'));
      await state('Approved');
      await field('rollout_percent').fill('120');
      await press('publishRelease');
      await failure('invalid_request').waitFor();
      await field('rollout_percent').fill('25');
      await press('publishRelease');
      await state('Published');
      expect(await readRelease('2.0.0')).toMatchObject({ status: 'published', rollout_percent: 25 });
      await field('rollout_percent').fill('0');
      await press('publishRelease');
      await page.locator('.lead', { hasText: '0 %' }).waitFor();
      expect((await readRelease('2.0.0')).rollout_percent).toBe(0);
      const buyers = await page.getByRole('link', { name: 'As buyers see it' }).getAttribute('href');
      expect((await fetch(new URL(buyers ?? '', harness.baseUrl))).status).toBe(200);

      await page.getByRole('button', { name: 'Withdraw for good' }).click();
      await press('yankRelease');
      await page.locator('dialog [data-error=invalid_request]').waitFor();
      await expectFit();
      await field('reason').fill('Deletes files \u200B');
      await press('yankRelease');
      await state('Withdrawn');
      expect([await dialog().count(), await page.locator('.mark').first().textContent()]).toEqual([0, 'U+200B']);
      expect(await readRelease('2.0.0')).toMatchObject({ id, status: 'yanked', yank_reason: 'Deletes files \u200B' });
    });

    test('show why they were rejected, and are deleted once that was confirmed', async () => {
      const { id } = await decided('3.0.0', { decision: 'reject', rejection_reason: 'Crashes at start <i>' });
      await open(pathOf('3.0.0'));
      await text('Crashes at start <i>').waitFor();
      await page.getByRole('button', { name: 'Delete draft' }).click();
      await press('deleteRelease');
      await page.waitForURL((url) => url.pathname === `/console/products/${product}/releases`);
      await expect(asSeller('GET', `${releases()}/${id}`)).rejects.toThrow('404');
      await page.locator(`[data-id="${id}"]`).waitFor({ state: 'detached' });
    });

    test('lose nothing to another tab', async () => {
      const upload = (name: string) => uploadFile(harness, product, `${name}.zip`, Buffer.from(name), { purpose: 'release' });
      const [own = '', theirs = ''] = [await upload('a'), await upload('b')];
      const { id } = await makeDraft('4.0.0');
      await open(pathOf('4.0.0'));
      await field('notes').fill('Typed');
      await operation('saveRelease', form(id)).dblclick();
      await said('Saved at');
      expect((await readRelease('4.0.0')).notes).toBe('Typed');

      // Files are added to what the release is then.
      await field('file_id').selectOption(own);
      await makeDraft('4.0.0', { artifacts: [{ file_id: theirs, platform: 'linux', arch: 'any', kind: 'full' }] });
      await press('saveRelease', form('new'));
      await page.locator(`li[data-id="${own}"]`).waitFor();
      expect((await readRelease('4.0.0')).artifacts.map(({ file_id }: any) => file_id)).toEqual([theirs, own]);
      await operation('saveRelease', page.locator(`li[data-id="${theirs}"]`))
        .last()
        .click();
      await said('Take out: done');
      // Handed in elsewhere: it is made anew by nobody.
      const before = (await readRelease('4.0.0')).notes;
      await field('notes').fill('Too late');
      await asSeller('POST', `${releases()}/${id}/submit`, {});
      await press('saveRelease', form(id));
      await state('In review');
      expect((await readRelease('4.0.0')).notes).toBe(before);
    });

    test('that are taken, of others, further down or not there, are told of in words', async () => {
      await makeDraft('6.0.0');
      await open(pathOf('9.9.9'));
      await page.locator('h1', { hasText: 'There is no such release' }).waitFor();
      await expectFit();
      await page.route(/\/releases\?limit=100$/, (route) => route.fulfill({ json: { items: [], next_cursor: 'further' } }));
      await page.route(/cursor=further$/, async (route) => route.fulfill({ json: await asSeller('GET', `${releases()}?limit=100`) }));
      await page.goto(harness.baseUrl + pathOf('6.0.0'));
      await state('Draft');
      await page.unrouteAll();
      await go(`/console/products/${product}/releases`);
      // It would take the place of the draft.
      await field('version').fill('6.0.0');
      await press('saveRelease');
      await text('Version is taken').waitFor();
      expect((await readRelease('6.0.0')).notes).toBe('News');
      await open(`/console/products/${product}/releases`, { as: 'new' });
      await page.locator('[data-error]').first().waitFor();
      expect(await page.getByText('6.0.0').count()).toBe(0);
    });

    test('stay where they are when their product comes after them', async () => {
      await makeDraft('7.0.0');
      await open(`/console/products/${product}/releases`, { width: 320 });
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
    ({ id: product } = await offerProduct(harness, { name: 'Built by machines' }));
    await open('/console/tokens', { locale: 'ja' });
    await text('トークンはまだありません').waitFor();
    await operation('createApiToken').click();
    await failure('invalid_request').waitFor();
    await expectFit();
    await field('name').fill('ビルド\u200B機');
    await page.locator('[name=scopes][value="releases:read"]').check();
    await page.locator(`[name=product_ids][value="${product}"]`).check();
    await operation('createApiToken').dblclick();
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    expect([secret, await kept()]).toEqual([expect.stringMatching(/^lst_/), expect.not.stringContaining(secret)]);
    await expectFit();
    const { items } = await asSeller('GET', '/v1/api-tokens');
    expect(items).toMatchObject([{ name: 'ビルド\u200B機', scopes: ['releases:read'], product_ids: [product], expires_in_days: 90 }]);
    const headers = { Authorization: `Bearer ${secret}` };
    const asMachine = async () => (await fetch(`${harness.baseUrl}/v1/products/${product}/releases`, { headers })).status;
    expect(await asMachine()).toBe(200);
    await page.getByRole('button', { name: '完了' }).click();
    expect([await page.locator('[data-secret]').count(), await page.locator('tbody .mark').textContent()]).toEqual([0, 'U+200B']);
    await row(items[0].id).locator('button').first().click();
    await expectFit();
    await operation('revokeApiToken').click();
    await row(items[0].id).locator('.state', { hasText: '失効' }).waitFor();
    expect(await asMachine()).toBe(401);
    await until('document.activeElement !== document.body');
  });
});
