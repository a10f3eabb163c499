import { beforeAll, describe, expect, test } from '@jest/globals';
import { page } from '../../support/http/in-browser.ts';
import {
  asAdmin,
  asSeller,
  describeConsole,
  dialog,
  endSessions,
  expectFit,
  failure,
  field,
  go,
  harness,
  isFocused,
  once,
  openAsAdmin,
  operation,
  reload,
  row,
  said,
  text,
  until,
  untilFocused,
  watch,
} from '../../support/scenes/console/console-desk.ts';
import { eventually, offerProduct, uploadFile } from '../../support/scenes/stack-harness.ts';

const draft = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: 'Cuts sound.\nKeeps it.',
  price_amount: 4800,
  currency: 'JPY',
  support_email: 'support@minato.example',
  refund_policy: 'A full refund within 14 days.',
  software_operating_environment: 'Windows 11',
  ...more,
});

/** A product that waits for its first decision. */
async function waitingProduct(name: string): Promise<string> {
  const { id } = await asSeller('POST', '/v1/products', draft(name));
  await asSeller('POST', `/v1/products/${id}/submit-review`);
  return id;
}

/** Changes a product on sale, and hands that in. */
async function change(id: string, values: object): Promise<void> {
  await asSeller('PATCH', `/v1/products/${id}`, values);
  await asSeller('POST', `/v1/products/${id}/submit-review`);
}

/** Somebody who applies to sell. */
const apply = (userId: string, email: string, displayName: string) =>
  harness.call('POST', '/v1/sellers', {
    headers: { 'X-User-ID': userId, 'X-User-Email': email },
    body: { display_name: displayName, contact_email: email, support_email: email, site_url: 'https://shop.example/?a=1' },
  });

const decide = (value: string, within: Parameters<typeof operation>[1] = page) => within.locator(`button[name=decision][value=${value}]`);
const compared = (name: string) => page.locator(`[data-field="${name}"]`);
/** Waits until a decision led on from where it was taken. */
const leftFrom = (target: string) => page.waitForURL(({ pathname }) => !pathname.includes(target));
const at = (path: string) => page.waitForURL((url) => url.pathname === path);

describeConsole('an admin at the console', () => {
  describe('reviews sellers and products', () => {
    const waits = (kind: string, target: string) => page.locator(`[data-kind=${kind}][data-target="${target}"]`);

    test('from one decision to the next by keyboard, but for their own', async () => {
      const { id: own } = await apply('other-account', 'admin@example.com', 'My own shop');
      const { id: first } = await apply('first-user', 'first@shop.example', 'First \u200Bshop');
      const { id: second } = await apply('second-user', 'second@shop.example', 'Second shop');
      await openAsAdmin('/console/admin');
      const order = await page.locator('[data-kind]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-target')));
      expect(order).toEqual([own, first, second]);
      expect(await waits('seller', own).textContent()).toContain('Your own');
      expect(await waits('seller', first).textContent()).toContain('U+200B');
      await waits('seller', own).getByRole('link').click();
      await text('another admin has to decide').waitFor();
      expect(await page.locator('button[name=decision]').count()).toBe(0);
      await page.keyboard.press('Alt+a');
      expect(await dialog().count()).toBe(0);

      await go(`/console/admin/sellers/${first}`);
      const sent = watch('PATCH', /review$/);
      await page.keyboard.press('Alt+m');
      await dialog().waitFor();
      await page.keyboard.press('Enter');
      await operation('reviewSeller').click();
      expect(await field('note').getAttribute('aria-invalid')).toBe('true');
      await page.keyboard.type('What do you sell?');
      await expectFit();
      await page.keyboard.press('Tab');
      expect(await isFocused('[data-operation=reviewSeller]')).toBe(true);
      await page.keyboard.press('Enter');
      await at(`/console/admin/sellers/${second}`);
      await text('is asked for more').waitFor();
      await page.locator('h1:focus', { hasText: 'Second shop' }).waitFor();
      expect(await asAdmin('GET', `/v1/admin/sellers/${first}`)).toMatchObject({
        internal_review_status: 'draft',
        review_note: 'What do you sell?',
      });

      await decide('approve_limited').click();
      await operation('reviewSeller').dblclick();
      await at('/console/admin');
      await text('Nothing else can be decided now').waitFor();
      await untilFocused('h1');
      expect(sent).toHaveLength(2);

      // One that waited no more stays where it is, and the focus with it.
      await go(`/console/admin/sellers/${second}`);
      await decide('suspend').click();
      await text('leave their pages and sale at once').waitFor();
      await operation('reviewSeller').click();
      await said('Second shop is suspended.');
      await decide('suspend').waitFor({ state: 'detached' });
      await untilFocused();
      expect(await page.getByText('changed while you looked').count()).toBe(0);
    });

    test('against what buyers see, deciding nothing that was not looked at, and losing no reason', async () => {
      const { id } = await offerProduct(harness, draft('Wave editor'));
      await change(id, draft('Wave editor', { description: 'Cuts sound.\nKeeps <b>\u202Eevil</b>.', price_amount: 5000 }));
      await openAsAdmin(`/console/admin/products/${id}`, { locale: 'ja' });
      expect([await page.locator('[data-field]').first().getAttribute('data-field'), await page.locator('[data-field]').count()]).toEqual([
        'description',
        24,
      ]);
      expect(await compared('price_amount').locator('del').textContent()).toContain('4,800');
      expect(await compared('price_amount').locator('ins').textContent()).toContain('5,000');
      expect(await compared('description').locator('ins').first().textContent()).toContain('<b>U+202Eevil');
      expect(await compared('name').locator('ins, del').count()).toBe(0);

      await change(id, draft('Wave editor', { description: 'Cuts sound.\nKeeps everything.', price_amount: 5000 }));
      // Who comes back to the tab later is told, and decides on what was seen all the same.
      await page.evaluate(
        `{ const { now } = Date; Date.now = () => now() + 10_000; document.dispatchEvent(new Event('visibilitychange', { bubbles: true })); }`,
      );
      await text('表示中に内容が変わりました').waitFor();
      await decide('reject').click();
      await field('rejection_reason').fill('Too cheap');
      await operation('reviewProduct').click();
      await failure('stale_review').waitFor();
      await until(`document.querySelector('[data-field=description]').textContent.includes('everything')`);
      await untilFocused();
      expect([await dialog().count(), (await asAdmin('GET', `/v1/admin/products/${id}`)).pending.status]).toEqual([0, 'pending_review']);
      await expectFit();

      await decide('reject').click();
      expect(await field('rejection_reason').inputValue()).toBe('Too cheap');
      await operation('reviewProduct').click();
      await leftFrom(id);
      expect((await asAdmin('GET', `/v1/admin/products/${id}`)).pending).toMatchObject({
        status: 'rejected',
        rejection_reason: 'Too cheap',
      });
    });

    test('keeping what was typed through failures, a reload and the end of the session', async () => {
      const id = await waitingProduct('Metronome');
      await openAsAdmin(`/console/admin/products/${id}`);
      await text('There is no earlier decision').waitFor();
      await decide('reject').click();
      await operation('reviewProduct').click();
      expect([await field('rejection_reason').getAttribute('aria-invalid'), await isFocused('[name=rejection_reason]')]).toEqual([
        'true',
        true,
      ]);
      await field('rejection_reason').fill('No price');
      await once(/review$/, (route) => route.abort());
      await operation('reviewProduct').click();
      await failure('offline').waitFor();
      await expectFit();
      await reload();
      await decide('reject').click();
      await endSessions();
      // Admins' operations answer that it is forbidden.
      await operation('reviewProduct').click();
      await failure('unauthenticated').waitFor();
      expect(await dialog().count()).toBe(0);
      await page.locator('[data-action=sign-in]').click();
      await page.locator('button[value="admin@example.com"]').click();
      await at(`/console/admin/products/${id}`);
      await decide('reject').click();
      expect(await field('rejection_reason').inputValue()).toBe('No price');
      await operation('reviewProduct').dblclick();
      await leftFrom(id);
      expect(await asAdmin('GET', `/v1/admin/products/${id}`)).toMatchObject({ status: 'rejected', rejection_reason: 'No price' });
      await go(`/console/admin/products/${id}`);
      expect(await page.locator('[data-field] :is(ins, del)').count()).toBe(0);
      await text('Last decision: Reject').waitFor();
    });

    test('with their files, by what was found out about each', async () => {
      const product = await waitingProduct('Mixer');
      const file = await uploadFile(harness, product, 'mixer <1>.zip', Buffer.from('mixer'));
      const other = await uploadFile(harness, product, 'manual.pdf', Buffer.from('manual'));
      await eventually('the files are scanned', 60, async () => {
        const { files } = await asAdmin('GET', `/v1/admin/products/${product}`);
        return files.every((one: any) => one.hash_status === 'verified' && one.scan_status !== 'not_scanned') || undefined;
      });
      await openAsAdmin(`/console/admin/products/${product}`);
      const card = page.locator(`[data-id="${file}"]`);
      expect(await decide('approve', card).isDisabled()).toBe(true);
      await card.getByText('Nobody vouches for the file yet').waitFor();
      await decide('manual_clean', card).click();
      await field('manual_scan_clean_reason').fill('See https://scanner.example/report');
      await operation('reviewProductFile').click();
      await failure('reason_contains_sensitive_data').waitFor();
      await field('manual_scan_clean_reason').fill('Looked at by hand');
      await operation('reviewProductFile').click();
      await said('counts as clean');
      await decide('approve', card).and(page.locator(':enabled')).click();
      await field('visibility').selectOption('private');
      await expectFit();
      await operation('reviewProductFile').click();
      await card.getByText('Approved').waitFor();
      await decide('approve', card).click();
      await operation('reviewProductFile').click();
      await said('Who sees');

      // Another admin was sooner.
      const rival = page.locator(`[data-id="${other}"]`);
      await decide('reject', rival).click();
      await field('rejected_reason').fill('Not needed');
      await asAdmin('PATCH', `/v1/admin/products/${product}/files/${other}/review`, { decision: 'reject', rejected_reason: 'Too old' });
      await operation('reviewProductFile').click();
      await failure('file_state_conflict').waitFor();
      await rival.getByText('Too old').waitFor();

      const [download] = await Promise.all([page.waitForEvent('download'), operation('createReviewDownloadIntent', card).click()]);
      expect(download.suggestedFilename()).toContain('mixer');
      const [preview] = await Promise.all([page.context().waitForEvent('page'), operation('createReviewPreview').click()]);
      await preview.waitForURL('**/preview/**');
      expect([await preview.locator('h1').textContent(), await preview.evaluate('window.opener')]).toEqual(['Mixer', null]);
      await asSeller('POST', `/v1/products/${product}/publish`, { publish: false });
    });
  });

  describe('reviews releases', () => {
    let product: { id: string; slug: string };
    const pathOf = (version: string) => `/console/admin/products/${product.id}/releases/${version}`;
    const releases = () => `/v1/products/${product.id}/releases`;
    const statusOf = async (version: string) =>
      (await asSeller('GET', `${releases()}?limit=100`)).items.find((one: any) => one.version === version)?.status;
    beforeAll(async () => {
      product = await offerProduct(harness, { name: 'Released' });
    });

    /** A version with a file that is checked, handed in. */
    async function handIn(version: string, more: Record<string, unknown> = {}): Promise<{ id: string; fileId: string }> {
      const fileId = await uploadFile(harness, product.id, `app-${version}.zip`, Buffer.from(`app ${version}`), { purpose: 'release' });
      const artifacts = ['x64', 'arm64'].map((arch) => ({ file_id: fileId, platform: 'windows', arch, kind: 'full' }));
      const { id } = await asSeller('POST', releases(), { version, channel: 'stable', notes: `News of ${version}`, artifacts, ...more });
      await eventually('its file is checked', 60, async () => {
        const { items } = await asSeller('GET', `/v1/products/${product.id}/files?limit=100`);
        const file = items.find((one: any) => one.id === fileId);
        return (file?.hash_status === 'verified' && file.scan_status !== 'not_scanned') || undefined;
      });
      await asSeller('POST', `${releases()}/${id}/submit`, {});
      return { id, fileId };
    }

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
      await asAdmin('PATCH', `/v1/admin/products/${product.id}/files/${fileId}/review`, vouch);
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
});
