import { beforeAll, describe, expect, test } from '@jest/globals';
import { page } from '../../support/http/in-browser.ts';
import * as desk from '../../support/scenes/console/console-desk.ts';
import { sell } from '../../support/scenes/sold-stock.ts';
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
  const { id } = await desk.asSeller('POST', '/v1/products', draft(name));
  await desk.asSeller('POST', `/v1/products/${id}/submit-review`);
  return id;
}

/** Changes a product on sale, and hands that in. */
async function change(id: string, values: object): Promise<void> {
  await desk.asSeller('PATCH', `/v1/products/${id}`, values);
  await desk.asSeller('POST', `/v1/products/${id}/submit-review`);
}

/** Somebody who applies to sell. */
const apply = (userId: string, email: string, displayName: string) =>
  desk.harness.call('POST', '/v1/sellers', {
    headers: { 'X-User-ID': userId, 'X-User-Email': email },
    body: { display_name: displayName, contact_email: email, support_email: email, site_url: 'https://shop.example/?a=1' },
  });

const decide = (value: string, within: Parameters<typeof desk.operation>[1] = page) =>
  within.locator(`button[name=decision][value=${value}]`);
const compared = (name: string) => page.locator(`[data-field="${name}"]`);
/** Waits until a decision led on from where it was taken. */
const leftFrom = (target: string) => page.waitForURL(({ pathname }) => !pathname.includes(target));
const at = (path: string) => page.waitForURL((url) => url.pathname === path);

desk.describeConsole('an admin at the console', () => {
  describe('reviews sellers and products', () => {
    const waits = (kind: string, target: string) => page.locator(`[data-kind=${kind}][data-target="${target}"]`);

    test('from one decision to the next by keyboard, but for their own', async () => {
      const { id: own } = await apply('other-account', 'admin@example.com', 'My own shop');
      const { id: first } = await apply('first-user', 'first@shop.example', 'First \u200Bshop');
      const { id: second } = await apply('second-user', 'second@shop.example', 'Second shop');
      await desk.openAsAdmin('/console/admin');
      const order = await page.locator('[data-kind]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-target')));
      expect(order).toEqual([own, first, second]);
      expect(await waits('seller', own).textContent()).toContain('Your own');
      expect(await waits('seller', first).textContent()).toContain('U+200B');
      await waits('seller', own).getByRole('link').click();
      await desk.text('another admin has to decide').waitFor();
      expect(await page.locator('button[name=decision]').count()).toBe(0);
      await page.keyboard.press('Alt+a');
      expect(await desk.dialog().count()).toBe(0);

      await desk.go(`/console/admin/sellers/${first}`);
      const sent = desk.watch('PATCH', /review$/);
      await page.keyboard.press('Alt+m');
      await desk.dialog().waitFor();
      await page.keyboard.press('Enter');
      await desk.operation('reviewSeller').click();
      expect(await desk.field('note').getAttribute('aria-invalid')).toBe('true');
      await page.keyboard.type('What do you sell?');
      await desk.expectFit();
      await page.keyboard.press('Tab');
      expect(await desk.isFocused('[data-operation=reviewSeller]')).toBe(true);
      await page.keyboard.press('Enter');
      await at(`/console/admin/sellers/${second}`);
      await desk.text('is asked for more').waitFor();
      await page.locator('h1:focus', { hasText: 'Second shop' }).waitFor();
      expect(await desk.asAdmin('GET', `/v1/admin/sellers/${first}`)).toMatchObject({
        internal_review_status: 'draft',
        review_note: 'What do you sell?',
      });

      await decide('approve_limited').click();
      await desk.operation('reviewSeller').dblclick();
      await at('/console/admin');
      await desk.text('Nothing else can be decided now').waitFor();
      await desk.untilFocused('h1');
      expect(sent).toHaveLength(2);

      // One that waited no more stays where it is, and the focus with it.
      await desk.go(`/console/admin/sellers/${second}`);
      await decide('suspend').click();
      await desk.text('leave their pages and sale at once').waitFor();
      await desk.operation('reviewSeller').click();
      await desk.said('Second shop is suspended.');
      await decide('suspend').waitFor({ state: 'detached' });
      await desk.untilFocused();
      expect(await page.getByText('changed while you looked').count()).toBe(0);
    });

    test('against what buyers see, deciding nothing that was not looked at, and losing no reason', async () => {
      const { id } = await offerProduct(desk.harness, draft('Wave editor'));
      await change(id, draft('Wave editor', { description: 'Cuts sound.\nKeeps <b>\u202Eevil</b>.', price_amount: 5000 }));
      await desk.openAsAdmin(`/console/admin/products/${id}`, { locale: 'ja' });
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
      await desk.text('表示中に内容が変わりました').waitFor();
      await decide('reject').click();
      await desk.field('rejection_reason').fill('Too cheap');
      await desk.operation('reviewProduct').click();
      await desk.failure('stale_review').waitFor();
      await desk.until(`document.querySelector('[data-field=description]').textContent.includes('everything')`);
      await desk.untilFocused();
      expect([await desk.dialog().count(), (await desk.asAdmin('GET', `/v1/admin/products/${id}`)).pending.status]).toEqual([
        0,
        'pending_review',
      ]);
      await desk.expectFit();

      await decide('reject').click();
      expect(await desk.field('rejection_reason').inputValue()).toBe('Too cheap');
      await desk.operation('reviewProduct').click();
      await leftFrom(id);
      expect((await desk.asAdmin('GET', `/v1/admin/products/${id}`)).pending).toMatchObject({
        status: 'rejected',
        rejection_reason: 'Too cheap',
      });
    });

    test('keeping what was typed through failures, a reload and the end of the session', async () => {
      const id = await waitingProduct('Metronome');
      await desk.openAsAdmin(`/console/admin/products/${id}`);
      await desk.text('There is no earlier decision').waitFor();
      await decide('reject').click();
      await desk.operation('reviewProduct').click();
      expect([await desk.field('rejection_reason').getAttribute('aria-invalid'), await desk.isFocused('[name=rejection_reason]')]).toEqual([
        'true',
        true,
      ]);
      await desk.field('rejection_reason').fill('No price');
      await desk.once(/review$/, (route) => route.abort());
      await desk.operation('reviewProduct').click();
      await desk.failure('offline').waitFor();
      await desk.expectFit();
      await desk.reload();
      await decide('reject').click();
      await desk.endSessions();
      // Admins' operations answer that it is forbidden.
      await desk.operation('reviewProduct').click();
      await desk.failure('unauthenticated').waitFor();
      await desk.dialog().waitFor({ state: 'detached' });
      await page.locator('[data-action=sign-in]').click();
      await page.locator('button[value="admin@example.com"]').click();
      await at(`/console/admin/products/${id}`);
      await decide('reject').click();
      expect(await desk.field('rejection_reason').inputValue()).toBe('No price');
      await desk.operation('reviewProduct').dblclick();
      await leftFrom(id);
      expect(await desk.asAdmin('GET', `/v1/admin/products/${id}`)).toMatchObject({ status: 'rejected', rejection_reason: 'No price' });
      await desk.go(`/console/admin/products/${id}`);
      expect(await page.locator('[data-field] :is(ins, del)').count()).toBe(0);
      await desk.text('Last decision: Reject').waitFor();
    });

    test('with their files, by what was found out about each', async () => {
      const product = await waitingProduct('Mixer');
      const file = await uploadFile(desk.harness, product, 'mixer <1>.zip', Buffer.from('mixer'));
      const other = await uploadFile(desk.harness, product, 'manual.pdf', Buffer.from('manual'));
      const eicar = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*');
      const suspect = await uploadFile(desk.harness, product, 'suspect.zip', eicar);
      await eventually('the files are scanned', 60, async () => {
        const { files } = await desk.asAdmin('GET', `/v1/admin/products/${product}`);
        return files.every((one: any) => one.hash_status === 'verified' && one.scan_status !== 'not_scanned') || undefined;
      });
      await desk.openAsAdmin(`/console/admin/products/${product}`);
      const card = page.locator(`[data-id="${file}"]`);
      expect(await decide('approve', card).isDisabled()).toBe(true);
      await card.getByText('Nobody vouches for the file yet').waitFor();
      await decide('manual_clean', card).click();
      await desk.field('manual_scan_clean_reason').fill('See https://scanner.example/report');
      await desk.operation('reviewProductFile').click();
      await desk.failure('reason_contains_sensitive_data').waitFor();
      await desk.field('manual_scan_clean_reason').fill('Looked at by hand');
      await desk.operation('reviewProductFile').click();
      await desk.said('counts as clean');
      await decide('approve', card).and(page.locator(':enabled')).click();
      await desk.field('visibility').selectOption('private');
      await desk.expectFit();
      await desk.operation('reviewProductFile').click();
      await card.getByText('Approved').waitFor();
      await decide('approve', card).click();
      await desk.operation('reviewProductFile').click();
      await desk.said('Who sees');

      const suspectCard = page.locator(`[data-id="${suspect}"]`);
      await suspectCard.getByText('EICAR test file').waitFor();
      const rescan = desk.operation('rescanProductFile');
      expect(await rescan.count()).toBe(1);
      const heard = desk.hear('suspect.zip is scanned again');
      await rescan.click();
      await heard;
      await suspectCard.getByText('EICAR test file').waitFor();
      expect((await desk.asAdmin('GET', `/v1/admin/audit?target_id=${suspect}`)).items.map((one: any) => one.action)).toContain(
        'product_file.rescan',
      );

      // Another admin was sooner.
      const rival = page.locator(`[data-id="${other}"]`);
      await decide('reject', rival).click();
      await desk.field('rejected_reason').fill('Not needed');
      await desk.asAdmin('PATCH', `/v1/admin/products/${product}/files/${other}/review`, {
        decision: 'reject',
        rejected_reason: 'Too old',
      });
      await desk.operation('reviewProductFile').click();
      await desk.failure('file_state_conflict').waitFor();
      await rival.getByText('Too old').waitFor();

      const [download] = await Promise.all([page.waitForEvent('download'), desk.operation('createReviewDownloadIntent', card).click()]);
      expect(download.suggestedFilename()).toContain('mixer');
      const [preview] = await Promise.all([page.context().waitForEvent('page'), desk.operation('createReviewPreview').click()]);
      await preview.waitForURL('**/preview/**');
      expect([await preview.locator('h1').textContent(), await preview.evaluate('window.opener')]).toEqual(['Mixer', null]);
      await desk.asSeller('POST', `/v1/products/${product}/publish`, { publish: false });
    });
  });

  describe('looks after orders', () => {
    let product: { id: string; slug: string };
    beforeAll(async () => {
      product = await offerProduct(desk.harness, { name: 'Sold' });
    });

    test('found by what people tell, which stays nowhere, with license, devices, mails and records', async () => {
      const [sale] = [await sell(desk.harness, product.slug), await sell(desk.harness, product.slug)];
      const device = { device_fingerprint: 'first'.padEnd(16, '0'), device_label: 'Lap\u200Btop' };
      await desk.harness.call('POST', '/v1/licenses/activate', { body: { product_id: product.id, license_key: sale.key, ...device } });
      await desk.openAsAdmin('/console/admin/orders');
      await desk.text('No seller asks for another address.').waitFor();
      const searches = desk.watch('POST', /search$/);
      await desk.field('buyer_email').fill(sale.email);
      await desk.field('license_key').fill(sale.key);
      await desk.operation('searchAllOrders').click();
      await desk.text('Fill in exactly one of the fields.').waitFor();
      expect(searches).toEqual([]);
      await desk.field('license_key').fill('');
      await desk.operation('searchAllOrders').dblclick();
      await desk.said('1 order found');
      expect([searches.length, await page.locator(`section.card tr[data-id="${sale.orderId}"]`).count()]).toEqual([1, 1]);
      await desk.expectFit();
      expect(await desk.kept()).not.toContain(sale.email);

      await page.locator(`section:not(.card) tr[data-id="${sale.orderId}"] a`).first().click();
      await at(`/console/admin/orders/${sale.orderId}`);
      await desk.untilFocused('h1');
      for (const secret of [sale.email, sale.key]) expect(await page.content()).not.toContain(secret);

      await page.getByRole('button', { name: /^Free seat: / }).click();
      expect(await desk.dialog().locator('h2').textContent()).toContain('LapU+200Btop');
      await desk.expectFit();
      await desk.operation('releaseActivation').dblclick();
      await desk.text(/^0 of \d taken/).waitFor();
      await desk.untilFocused();
      await page.locator('td, th').filter({ hasText: 'Seat released' }).first().waitFor();

      await desk.operation('resendOrderLink').click();
      await desk.said('A fresh link is on its way.');
      await desk.harness.mailTo(sale.email, 2);
      const right = `right-${sale.orderId}@example.com`.toLowerCase();
      await desk.field('buyer_email').fill('no address');
      await desk.operation('correctOrderEmail').click();
      await page.getByRole('link', { name: /Right e-mail address/ }).waitFor();
      await desk.field('buyer_email').fill(right);
      expect(await desk.kept()).not.toContain(right);
      await desk.operation('correctOrderEmail').dblclick();
      await desk.said('The address is corrected.');
      expect(await desk.field('buyer_email').inputValue()).toBe('');
      await desk.harness.mailTo(right);

      await desk.operation('createCompletionToken').click();
      const token = (await page.locator('[data-secret]').textContent()) ?? '';
      await desk.expectFit();
      const { license } = await desk.harness.call('POST', '/v1/purchases/complete', { body: { token } });
      expect([license.license_key, (await desk.kept()).includes(token)]).toEqual([sale.key, false]);

      await page.getByRole('button', { name: 'Revoke license' }).click();
      await desk.text('It cannot be undone.').waitFor();
      await desk.field('reason').fill('Bought with a stolen card');
      await desk.reload();
      expect(await page.locator('[data-secret]').count()).toBe(0);
      await page.getByRole('button', { name: 'Revoke license' }).click();
      expect(await desk.field('reason').inputValue()).toBe('Bought with a stolen card');
      await desk.operation('revokeLicense').click();
      await page.locator('h2 .state', { hasText: 'Revoked' }).waitFor();
      await desk.untilFocused();
      expect(await desk.asAdmin('GET', `/v1/admin/licenses/${sale.licenseId}`)).toMatchObject({
        status: 'revoked',
        revoked_reason: 'Bought with a stolen card',
      });
      await page.locator('th', { hasText: 'License revoked' }).waitFor();
      // One that was never paid is without what only paid ones have.
      const { order_id } = await desk.harness.call('POST', `/v1/public/products/${product.slug}/checkout`, { body: {} });
      await desk.go(`/console/admin/orders/${order_id}`);
      await desk.text('It was not paid').waitFor();
      expect(await page.locator('main [data-operation]').count()).toBe(0);
    });

    test('whose sellers ask for another address, unless another admin was sooner', async () => {
      const [sale, other] = [await sell(desk.harness, product.slug), await sell(desk.harness, product.slug)];
      const wanted = `wanted-${sale.orderId}@example.com`.toLowerCase();
      for (const [id, buyer_email] of [
        [sale.orderId, wanted],
        [other.orderId, 'nobody@example.com'],
      ])
        await desk.asSeller('POST', `/v1/orders/${id}/buyer-email-request`, { buyer_email });
      await desk.openAsAdmin('/console/admin/orders', { locale: 'ja' });
      const sent = desk.watch('POST', /decide$/);
      const card = (id: string) => page.locator(`li[data-id="${id}"]`);
      await decide('approve', card(sale.orderId)).click();
      await desk.expectFit();
      await desk.operation('decideEmailRequest').dblclick();
      await desk.said('アドレスを訂正しました。');
      await card(sale.orderId).waitFor({ state: 'detached' });
      await desk.untilFocused();
      await desk.harness.mailTo(wanted);
      await decide('reject', card(other.orderId)).click();
      await desk.asAdmin('POST', `/v1/admin/email-requests/${other.orderId}/decide`, { decision: 'reject' });
      await desk.operation('decideEmailRequest').click();
      await desk.text('訂正の依頼はありません。').waitFor();
      await desk.failure('request_not_found').waitFor();
      await desk.untilFocused();
      expect(sent).toHaveLength(2);
    });
  });

  test('reads records by what they are about', async () => {
    const { id } = await offerProduct(desk.harness, { name: 'Recorded' });
    for (let made = 0; made < 50; made += 1)
      await desk.asSeller('PATCH', '/v1/sellers/me', { contact_email: `seller-${made}@example.com` });
    await desk.openAsAdmin('/console/admin/audit', { locale: 'ja' });
    await page.getByRole('button', { name: 'さらに表示' }).click();
    await desk.until(`document.querySelectorAll('tbody tr').length > 50`);
    await desk.field('target_id').fill(id);
    await page.keyboard.press('Enter');
    await desk.text(`${id} の記録`).waitFor();
    await desk.untilFocused('h1');
    await page.locator('th', { hasText: '商品の承認' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'すべての記録を表示' }).click();
    await desk.field('target_id').fill('\u202Ex<b>');
    await desk.operation('listAudit').click();
    await desk.text('このIDの記録はありません').waitFor();
    await desk.expectFit();
  });

  test('starts jobs again once, and is told when there is nothing to start', async () => {
    const target_id = 'ord_01M8AFZABQQJYDG73SMQ75X7AJ';
    const times = { created_at: '2026-01-01T00:00:00.000Z', due_at: '2026-01-02T00:00:00.000Z' };
    const job = { target_id, attempts: 12, last_failure: 'dependency_\u202Eunavailable', ...times };
    let dead = [
      { id: `send-mail:${target_id}/issuance`, kind: 'send-mail', ...job },
      { id: 'a-later-kind:x', kind: 'a-later-kind', ...job },
    ];
    await desk.openAsAdmin('/console/admin/jobs');
    await desk.text('Nothing was given up.').waitFor();
    await page.route(
      (url) => url.pathname === '/v1/admin/jobs' && url.searchParams.get('state') === 'dead',
      (route) => route.fulfill({ json: { items: dead } }),
    );
    await desk.reload();
    await desk.row('a-later-kind:x').waitFor();
    await desk.expectFit();
    const [first, second] = dead.map(({ id }) => desk.operation('redriveJob').and(page.locator(`[data-target="${id}"]`)));
    await first?.click();
    // The service knows of no such job.
    await desk.failure('job_not_found').waitFor();
    await desk.untilFocused();
    await desk.once(/redrive$/, (route) => {
      dead = dead.slice(0, 1);
      return route.fulfill({ status: 202, json: {} });
    });
    const sent = desk.watch('POST', /redrive$/);
    await second?.dblclick();
    await desk.said('a-later-kind: it is done now');
    await desk.row('a-later-kind:x').waitFor({ state: 'detached' });
    expect(sent).toHaveLength(1);
    await desk.untilFocused();
  });
});
