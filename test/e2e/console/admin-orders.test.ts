import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hasBrowser } from '../../support/http/browser.ts';
import {
  alert,
  asAdmin,
  asked,
  asSeller,
  compared,
  complaints,
  decisionButton,
  expectFit,
  failing,
  field,
  harness,
  once,
  open,
  operation,
  page,
  said,
  show,
  startAdminConsole,
  stopAdminConsole,
  until,
} from '../../support/scenes/console/admin-console.ts';
import { sell } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct, uploadFile } from '../../support/scenes/stack-harness.ts';

const whenBrowser = hasBrowser ? describe : describe.skip;

let product: { id: string; slug: string };

const dialog = () => page.locator('dialog[open]');

const pathOf = (version: string) => `/console/admin/products/${product.id}/releases/${version}`;
const releasesOf = (id: string) => `/v1/products/${id}/releases`;
const statusOf = async (version: string) =>
  (await asSeller('GET', `${releasesOf(product.id)}?limit=100`)).items.find((one: any) => one.version === version)?.status;

/** A version with a file that is checked, handed in. */
async function handIn(version: string, more: Record<string, unknown> = {}): Promise<{ id: string; fileId: string }> {
  const fileId = await uploadFile(harness, product.id, `app-${version}.zip`, Buffer.from(`app ${version}`), { purpose: 'release' });
  const artifacts = [
    { file_id: fileId, platform: 'windows', arch: 'x64', kind: 'full' },
    { file_id: fileId, platform: 'windows', arch: 'arm64', kind: 'full' },
  ];
  const { id } = await asSeller('POST', releasesOf(product.id), {
    version,
    channel: 'stable',
    notes: `News of ${version}`,
    artifacts,
    ...more,
  });
  await eventually('its file is checked', 30, async () => {
    const { items } = await asSeller('GET', `/v1/products/${product.id}/files?limit=100`);
    const file = items.find((one: any) => one.id === fileId);
    return (file?.hash_status === 'verified' && file.scan_status !== 'not_scanned') || undefined;
  });
  await asSeller('POST', `${releasesOf(product.id)}/${id}/submit`, {});
  return { id, fileId };
}

const vouch = (fileId: string) =>
  asAdmin('PATCH', `/v1/admin/products/${product.id}/files/${fileId}/review`, {
    decision: 'manual_clean',
    manual_scan_clean_reason: 'Made by this test.',
  });

beforeAll(async () => {
  if (!hasBrowser) return;
  await startAdminConsole();
  product = await offerProduct(harness);
}, 120_000);
afterAll(stopAdminConsole);
afterEach(() => expect(complaints).toEqual([]));

whenBrowser('releases before an admin', () => {
  test('are compared with the one before, vouched for and approved by keyboard, and lead on in the queue', async () => {
    const first = await handIn('1.0.0');
    await open(pathOf('1.0.0'));
    expect(asked.length).toBeLessThanOrEqual(5);
    await page.getByText('The first release of this product').waitFor();
    expect(await page.locator('[data-field] :is(ins, del)').count()).toBe(0);
    expect(await decisionButton('approve').isDisabled()).toBe(true);
    await page.getByText('app-1.0.0.zip: Nobody vouches for the file yet').waitFor();
    await expectFit();
    await page.keyboard.press('Alt+a');
    expect(await dialog().count()).toBe(0);

    const row = page.locator(`tr[data-id="${first.fileId}"]`);
    expect(await row.locator('li', { hasText: 'Windows' }).count()).toBe(2);
    await decisionButton('manual_clean', row).click();
    await operation('reviewProductFile').click();
    expect(await field('manual_scan_clean_reason').getAttribute('aria-invalid')).toBe('true');
    await field('manual_scan_clean_reason').fill('Looked at by hand');
    await operation('reviewProductFile').click();
    await said('counts as clean');
    await decisionButton('approve').and(page.locator(':enabled')).waitFor();
    await until('document.activeElement !== document.body');

    const download = page.waitForEvent('download');
    await operation('createReviewDownloadIntent').click();
    expect((await download).suggestedFilename()).toContain('app-1.0.0.zip');

    await page.keyboard.press('Alt+a');
    await page.getByText('the seller can publish it').waitFor();
    await expectFit();
    // Enter alone decides nothing.
    await page.keyboard.press('Enter');
    expect(await statusOf('1.0.0')).toBe('pending_review');
    await operation('reviewRelease').dblclick();
    await page.waitForURL('**/console/admin');
    await page.getByText('1.0.0 is approved.').first().waitFor();
    expect(await statusOf('1.0.0')).toBe('approved');
    expect(asked.filter((one) => one.endsWith(`/releases/${first.id}/review`))).toHaveLength(1);
    await asSeller('POST', `${releasesOf(product.id)}/${first.id}/publish`, {});

    await vouch(
      (await handIn('1.1.0', { notes: 'News of 1.1.0\n<b>\u202Eevil</b>', critical: true, publish_on_approval: true, rollout_percent: 20 }))
        .fileId,
    );
    await handIn('1.2.0');
    await open(pathOf('1.1.0'), { language: 'ja', width: 1280 });
    expect(asked.length).toBeLessThanOrEqual(5);
    await page.getByText('直前に公開された 1.0.0 との比較').waitFor();
    expect(await compared('notes').locator('ins').first().textContent()).toContain('<b>U+202Eevil');
    expect(await compared('critical').locator('ins').textContent()).toContain('はい');
    expect(await compared('artifacts').locator('ins').count()).toBeGreaterThan(0);
    expect(await compared('channel').locator('ins, del').count()).toBe(0);
    await expectFit();
    await decisionButton('approve').click();
    await page.getByText('デバイスの20%に向けてすぐに公開されます').waitFor();
    await operation('reviewRelease').click();
    await page.waitForURL((url) => url.pathname === pathOf('1.2.0'));
    await page.getByText('1.1.0 を承認しました。').first().waitFor();
    await until(`document.activeElement.tagName === 'H1' && document.activeElement.textContent.includes('1.2.0')`);
    expect(await statusOf('1.1.0')).toBe('published');
  });

  test('are not decided on where they changed since, and keep the reason that was written', async () => {
    const { id } = await handIn('2.0.0');
    await open(pathOf('2.0.0'));
    await decisionButton('reject').click();
    await operation('reviewRelease').click();
    expect(await field('rejection_reason').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.name')).toBe('rejection_reason');
    await field('rejection_reason').fill('Says nothing \u202E');
    await operation('reviewRelease').click();
    await page.getByText('marks that change the reading order').waitFor();
    await field('rejection_reason').fill('Says nothing');
    await once('/review', (route) => route.abort());
    await operation('reviewRelease').click();
    await alert('offline').waitFor();
    await once('/review', failing(503, 'dependency_unavailable'));
    await operation('reviewRelease').click();
    await alert('dependency_unavailable').waitFor();
    await once('/review', failing(429, 'rate_limited', { 'Retry-After': '1' }));
    await operation('reviewRelease').click();
    await alert('rate_limited').waitFor();
    await expectFit();

    await asSeller('POST', `${releasesOf(product.id)}/${id}/withdraw`);
    await operation('reviewRelease').click();
    await alert('stale_review').waitFor();
    await page.getByText('There is nothing to decide in this state.').waitFor();
    expect(await alert('stale_review').count()).toBe(1);
    await asSeller('POST', `${releasesOf(product.id)}/${id}/submit`, {});
    await show(pathOf('2.0.0'));
    await decisionButton('reject').click();
    await asSeller('POST', `${releasesOf(product.id)}/${id}/withdraw`);
    await asSeller('POST', releasesOf(product.id), { version: '2.0.0', notes: 'Says more' });
    await asSeller('POST', `${releasesOf(product.id)}/${id}/submit`, {});
    await operation('reviewRelease').click();
    await alert('stale_review').waitFor();
    await until(`document.querySelector('[data-field=notes]').textContent.includes('Says more')`);
    expect(await dialog().count()).toBe(0);
    await until('document.activeElement !== document.body');
    expect(await statusOf('2.0.0')).toBe('pending_review');

    // A reload keeps what was written, and the decision takes it.
    await page.reload();
    await decisionButton('reject').click();
    expect(await field('rejection_reason').inputValue()).toBe('Says nothing');
    await operation('reviewRelease').click();
    await page.getByText('2.0.0 is rejected.').first().waitFor();
    const { items } = await asSeller('GET', `${releasesOf(product.id)}?status=draft`);
    expect(items).toMatchObject([{ version: '2.0.0', rejection_reason: 'Says nothing' }]);

    await show(pathOf('2.0.0'));
    await alert('release_not_found').waitFor();
    await expectFit();
    await page.getByRole('button', { name: 'Look among drafts' }).click();
    await page.getByText('Says nothing').waitFor();
    await page.getByText('There is nothing to decide in this state.').waitFor();
    await show(`/console/admin/products/prd_01M8AFZABQQJYDG73SMQ75X7AJ/releases/1.0.0`);
    await alert('product_not_found').waitFor();
  });

  test('can be withdrawn for good once they are published', async () => {
    await open(pathOf('1.1.0'));
    await page.getByText('Against 1.0.0, which was published last').waitFor();
    await page.keyboard.press('Alt+y');
    await page.getByText('This cannot be undone.').waitFor();
    await field('yank_reason').fill('Deletes projects');
    await operation('reviewRelease').click();
    await said('1.1.0 is withdrawn.');
    await page.locator('dd .state', { hasText: 'Withdrawn' }).waitFor();
    await until('document.activeElement !== document.body');
    expect(await statusOf('1.1.0')).toBe('yanked');
    await page.getByText('Deletes projects').waitFor();
  });

  test('of the admin’s own say why they cannot be decided on', async () => {
    await open('/console/admin');
    await page.route(
      (url) => url.pathname === `/v1/admin/products/${product.id}`,
      async (route) => route.fulfill({ json: { ...(await (await route.fetch()).json()), own: true } }),
    );
    await show(pathOf('1.2.0'));
    await page.getByText('another admin has to decide').waitFor();
    expect(await page.locator('button[name=decision]').count()).toBe(0);
    await page.keyboard.press('Alt+r');
    expect(await dialog().count()).toBe(0);
  });
});

whenBrowser('orders before an admin', () => {
  const deviceName = 'Lap\u200Btop';
  const activate = (key: string, device: string) =>
    harness.call('POST', '/v1/licenses/activate', {
      body: { product_id: product.id, license_key: key, device_fingerprint: device.padEnd(16, '0'), device_label: deviceName },
    });

  test('are found by what people tell, which stays nowhere', async () => {
    const sale = await sell(harness, product.slug);
    await sell(harness, product.slug);
    await open('/console/admin/orders');
    expect(asked.length).toBeLessThanOrEqual(5);
    await page.getByText('No seller asks for another address.').waitFor();
    await expectFit();
    await operation('searchAllOrders').click();
    await page.getByText('Fill in exactly one of the fields.').waitFor();
    await field('buyer_email').fill(sale.email);
    await field('license_key').fill(sale.key);
    await operation('searchAllOrders').click();
    await page.getByText('Fill in exactly one of the fields.').waitFor();
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([]);
    await field('license_key').fill('');
    await operation('searchAllOrders').dblclick();
    await said('1 order found');
    expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
    expect(await page.locator(`section.card tr[data-id="${sale.orderId}"]`).count()).toBe(1);
    await expectFit();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage }) + location.href')).not.toContain(sale.email);

    await page.getByRole('button', { name: 'Clear the search' }).click();
    await field('license_key').fill(sale.key);
    await once('/search', failing(429, 'rate_limited', { 'Retry-After': '30' }));
    await operation('searchAllOrders').click();
    await alert('rate_limited').waitFor();
    await operation('searchAllOrders').click();
    await said('1 order found');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(sale.key);

    await field('status').selectOption('refunded');
    await page.getByText('No order is like this.').waitFor();
    await page.getByRole('link', { name: 'Show all orders' }).click();
    await page.locator(`section:not(.card) tr[data-id="${sale.orderId}"] a`).first().click();
    await page.waitForURL(`**/orders/${sale.orderId}`);
    await until(`document.activeElement.tagName === 'H1'`);
    await page.goBack();
    await page.locator('h1', { hasText: 'Orders' }).waitFor();
    expect(await field('license_key').inputValue()).toBe('');
  });

  test('show license, devices, mails and records, and what an admin does about them', async () => {
    const sale = await sell(harness, product.slug);
    await activate(sale.key, 'first');
    await open(`/console/admin/orders/${sale.orderId}`);
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(await page.content()).not.toContain(sale.email);
    expect(await page.content()).not.toContain(sale.key);
    await expectFit();

    await page.getByRole('button', { name: /^Free seat: / }).click();
    expect(await dialog().locator('h2').textContent()).toContain('LapU+200Btop');
    await expectFit();
    await once('/release', (route) => route.abort());
    await operation('releaseActivation').click();
    await alert('offline').waitFor();
    await operation('releaseActivation').dblclick();
    await page.getByText(/^0 of \d taken/).waitFor();
    await until('document.activeElement !== document.body');
    await page
      .locator('td', { hasText: 'Seat released' })
      .or(page.locator('th', { hasText: 'Seat released' }))
      .first()
      .waitFor();

    await operation('resendOrderLink').click();
    await said('A fresh link is on its way.');
    await harness.mailTo(sale.email, 2);

    await field('buyer_email').fill('no address');
    await operation('correctOrderEmail').click();
    await page.getByRole('link', { name: /Right e-mail address/ }).waitFor();
    const right = `right-${sale.orderId}@example.com`.toLowerCase();
    await field('buyer_email').fill(right);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage }) + location.href')).not.toContain(right);
    await operation('correctOrderEmail').dblclick();
    await said('The address is corrected.');
    expect(await field('buyer_email').inputValue()).toBe('');
    await harness.mailTo(right);

    await once('/completion-token', failing(403, 'disabled_in_production'));
    await operation('createCompletionToken').click();
    await alert('disabled_in_production').waitFor();
    await operation('createCompletionToken').click();
    const token = (await page.locator('[data-secret]').textContent()) ?? '';
    await expectFit();
    const { license } = await harness.call('POST', '/v1/purchases/complete', { body: { token } });
    expect(license.license_key).toBe(sale.key);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage }) + location.href')).not.toContain(token);

    await page.getByRole('button', { name: 'Revoke license' }).click();
    await page.getByText('It cannot be undone.').waitFor();
    await page.keyboard.press('Enter');
    await field('reason').fill('Bought with a stolen card');
    await page.reload();
    expect(await page.locator('[data-secret]').count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke license' }).click();
    expect(await field('reason').inputValue()).toBe('Bought with a stolen card');
    await operation('revokeLicense').click();
    await page.locator('h2 .state', { hasText: 'Revoked' }).waitFor();
    await until('document.activeElement !== document.body');
    expect(await asAdmin('GET', `/v1/admin/licenses/${sale.licenseId}`)).toMatchObject({
      status: 'revoked',
      revoked_reason: 'Bought with a stolen card',
    });
    await expectFit();
    await page.locator('th', { hasText: 'License revoked' }).waitFor();
    await show('/console/admin/orders/ord_01M8AFZABQQJYDG73SMQ75X7AJ');
    await alert('order_not_found').waitFor();
  });

  test('get another address where a seller asks for it and an admin agrees', async () => {
    const [sale, other] = [await sell(harness, product.slug), await sell(harness, product.slug)];
    const ask = (id: string, email: string) => asSeller('POST', `/v1/orders/${id}/buyer-email-request`, { buyer_email: email });
    await ask(sale.orderId, `wanted-${sale.orderId}@example.com`.toLowerCase());
    await ask(other.orderId, 'nobody@example.com');
    await open('/console/admin/orders', { language: 'ja' });
    await expectFit();
    const card = (id: string) => page.locator(`li[data-id="${id}"]`);
    await decisionButton('approve', card(sale.orderId)).click();
    await expectFit();
    await operation('decideEmailRequest').dblclick();
    await said('アドレスを訂正しました。');
    await card(sale.orderId).waitFor({ state: 'detached' });
    await until('document.activeElement !== document.body');
    await harness.mailTo(`wanted-${sale.orderId}@example.com`.toLowerCase());

    // Another admin was sooner.
    await decisionButton('reject', card(other.orderId)).click();
    await asAdmin('POST', `/v1/admin/email-requests/${other.orderId}/decide`, { decision: 'reject' });
    await operation('decideEmailRequest').click();
    await page.getByText('訂正の依頼はありません。').waitFor();
    await alert('request_not_found').waitFor();
    await until('document.activeElement !== document.body');
    expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(2);
  });

  test('show an order that was never paid without what only paid ones have', async () => {
    const { order_id } = await harness.call('POST', `/v1/public/products/${product.slug}/checkout`, { body: {} });
    await open(`/console/admin/orders/${order_id}`, { width: 1280 });
    await page.getByText('It was not paid').waitFor();
    expect(await page.locator('[data-operation]').count()).toBe(0);
    await expectFit();
  });
});

whenBrowser('records and jobs before an admin', () => {
  test('are read by what they are about', async () => {
    await open('/console/admin/audit', { language: 'ja' });
    expect(asked.length).toBeLessThanOrEqual(5);
    await expectFit();
    await page.getByRole('button', { name: 'さらに表示' }).click();
    await until(`document.querySelectorAll('tbody tr').length > 50`);
    await field('target_id').fill(product.id);
    await page.keyboard.press('Enter');
    await page.getByText(`${product.id} の記録`).waitFor();
    await until(`document.activeElement.tagName === 'H1'`);
    await page.locator('th', { hasText: '商品の承認' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'すべての記録を表示' }).click();
    await field('target_id').fill('\u202Ex<b>');
    await operation('listAudit').click();
    await page.getByText('このIDの記録はありません').waitFor();
    await expectFit();
    await once('/v1/admin/audit', failing(503, 'dependency_unavailable'));
    await show('/console/admin/audit');
    await page.locator('tbody tr').first().waitFor();
  });

  test('are started again once, and say when there is nothing to start', async () => {
    const job = (id: string) => ({
      id,
      kind: id.split(':')[0],
      target_id: 'ord_01M8AFZABQQJYDG73SMQ75X7AJ',
      attempts: 12,
      last_failure: 'dependency_\u202Eunavailable',
      created_at: '2026-01-01T00:00:00.000Z',
      due_at: '2026-01-02T00:00:00.000Z',
    });
    let dead = [job('send-mail:ord_01M8AFZABQQJYDG73SMQ75X7AJ/issuance'), job('a-later-kind:x')];
    await open('/console/admin/jobs');
    await page.getByText('Nothing was given up.').waitFor();
    await expectFit();
    await page.route(
      (url) => url.pathname === '/v1/admin/jobs' && url.searchParams.get('state') === 'dead',
      (route) => route.fulfill({ json: { items: dead } }),
    );
    await show('/console/admin/jobs');
    expect(asked.length).toBeLessThanOrEqual(5);
    await page.locator('tr[data-id="a-later-kind:x"]').waitFor();
    await expectFit();
    const [first, second] = dead.map(({ id }) => operation('redriveJob').and(page.locator(`[data-target="${id}"]`)));
    await first?.click();
    // The service knows of no such job.
    await alert('job_not_found').waitFor();
    await until('document.activeElement !== document.body');
    await once('/redrive', (route) => {
      dead = dead.slice(0, 1);
      return route.fulfill({ status: 202, json: {} });
    });
    asked.length = 0;
    await second?.dblclick();
    await said('a-later-kind: it is done now');
    await page.locator('tr[data-id="a-later-kind:x"]').waitFor({ state: 'detached' });
    expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
    await until('document.activeElement !== document.body');
  });
});
