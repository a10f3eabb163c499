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
import { eventually, offerProduct, uploadFile } from '../../support/scenes/stack-harness.ts';

const whenBrowser = hasBrowser ? describe : describe.skip;

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

/** A product on sale, with a change that waits. */
async function changedProduct(name: string, changes: Record<string, unknown>): Promise<string> {
  const { id } = await offerProduct(harness, draft(name));
  await change(id, draft(name, changes));
  return id;
}

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

/** The focus is somewhere. */
const expectFocus = () => until('document.activeElement !== document.body');
/** Waits until a decision led on from where it was taken. */
const leftFrom = (target: string) => page.waitForURL(({ pathname }) => !pathname.includes(target));
const waits = (kind: string, target: string) => page.locator(`[data-kind=${kind}][data-target="${target}"]`);

beforeAll(async () => {
  if (hasBrowser) await startAdminConsole();
}, 120_000);
afterAll(stopAdminConsole);
afterEach(() => expect(complaints).toEqual([]));

whenBrowser('reviews in the console', () => {
  test('show what waits, and lead from one decision to the next by keyboard', async () => {
    const { id: own } = await apply('other-account', 'admin@example.com', 'My own shop');
    const { id: first } = await apply('first-user', 'first@shop.example', 'First \u200Bshop');
    const { id: second } = await apply('second-user', 'second@shop.example', 'Second shop');
    await open('/console/admin');
    expect(asked.length).toBeLessThanOrEqual(5);
    const order = await page.locator('[data-kind]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-target')));
    expect(order).toEqual([own, first, second]);
    expect(await waits('seller', own).textContent()).toContain('Your own');
    expect(await waits('seller', first).textContent()).toContain('U+200B');
    await expectFit();
    await page.getByRole('link', { name: /^File/ }).click();
    await page.getByText('Nothing of this kind waits').waitFor();
    await page.getByRole('link', { name: 'Show everything that waits' }).click();

    await waits('seller', own).getByRole('link').click();
    await page.getByText('another admin has to decide').waitFor();
    expect(await page.locator('button[name=decision]').count()).toBe(0);
    await page.keyboard.press('Alt+a');
    expect(await page.locator('dialog[open]').count()).toBe(0);

    await show(`/console/admin/sellers/${first}`);
    expect(asked.length).toBeLessThanOrEqual(5);
    await expectFit();
    await page.keyboard.press('Alt+m');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Enter');
    await operation('reviewSeller').click();
    expect(await field('note').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type('What do you sell?');
    await expectFit();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.dataset.operation')).toBe('reviewSeller');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/sellers/${second}`);
    await page.getByText('is asked for more').first().waitFor();
    await page.locator('h1', { hasText: 'Second shop' }).waitFor();
    await until(`document.activeElement.tagName === 'H1'`);
    expect(await asAdmin('GET', `/v1/admin/sellers/${first}`)).toMatchObject({
      internal_review_status: 'draft',
      review_note: 'What do you sell?',
    });

    await decisionButton('approve_limited').click();
    await operation('reviewSeller').dblclick();
    await page.waitForURL('**/console/admin');
    await page.getByText('Nothing else can be decided now').waitFor();
    await until(`document.activeElement.tagName === 'H1'`);
    expect(asked.filter((one) => one.startsWith('PATCH'))).toHaveLength(2);

    // One that waited no more stays where it is, and the focus with it.
    await show(`/console/admin/sellers/${second}`);
    await decisionButton('suspend').click();
    await page.getByText('leave their pages and sale at once').waitFor();
    await operation('reviewSeller').click();
    await said('Second shop is suspended.');
    await decisionButton('suspend').waitFor({ state: 'detached' });
    await expectFocus();
    expect(await page.getByText('changed while you looked').count()).toBe(0);
    await show('/console/admin/sellers/sel_01M8AFZABQQJYDG73SMQ75X7AJ');
    await alert('seller_not_found').waitFor();
  });

  test('show each field against what buyers see, and decide nothing that was not looked at', async () => {
    const name = 'Wave editor';
    const product = await changedProduct(name, { description: 'Cuts sound.\nKeeps <b>\u202Eevil</b>.', price_amount: 5000 });
    await open(`/console/admin/products/${product}`, { language: 'ja' });
    expect(asked.length).toBeLessThanOrEqual(5);
    await expectFit();
    expect(await page.locator('[data-field]').first().getAttribute('data-field')).toBe('description');
    expect(await page.locator('[data-field]').count()).toBe(24);
    expect(await compared('price_amount').locator('del').textContent()).toContain('4,800');
    expect(await compared('price_amount').locator('ins').textContent()).toContain('5,000');
    expect(await compared('description').locator('ins').first().textContent()).toContain('<b>U+202Eevil');
    expect(await compared('name').locator('ins, del').count()).toBe(0);

    await change(product, draft(name, { description: 'Cuts sound.\nKeeps everything.', price_amount: 5000 }));
    await page.keyboard.press('Alt+a');
    await operation('reviewProduct').click();
    await alert('stale_review').waitFor();
    await until(`document.querySelector('[data-field=description]').textContent.includes('everything')`);
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await expectFocus();
    expect((await asAdmin('GET', `/v1/admin/products/${product}`)).pending.status).toBe('pending_review');
    await expectFit();

    await decisionButton('approve').click();
    await operation('reviewProduct').click();
    await leftFrom(product);
    expect(await asAdmin('GET', `/v1/admin/products/${product}`)).toMatchObject({ price_amount: 5000, status: 'approved' });
    expect(await asAdmin('GET', `/v1/admin/products/${product}`)).not.toHaveProperty('pending');
  });

  test('say what changed while the screen was open', async () => {
    const product = await changedProduct('Tuner', { price_amount: 1 });
    await open(`/console/admin/products/${product}`);
    await change(product, draft('Tuner', { price_amount: 2 }));
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 5100))`);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByText('changed while you looked').waitFor();
    await decisionButton('reject').click();
    await field('rejection_reason').fill('Too cheap');
    await operation('reviewProduct').click();
    await alert('stale_review').waitFor();
    await page.getByText('changed while you looked').waitFor({ state: 'detached' });
    await decisionButton('reject').click();
    expect(await field('rejection_reason').inputValue()).toBe('Too cheap');
    await operation('reviewProduct').click();
    await leftFrom(product);
    expect((await asAdmin('GET', `/v1/admin/products/${product}`)).pending).toMatchObject({
      status: 'rejected',
      rejection_reason: 'Too cheap',
    });
  });

  test('keep what was typed when the service does not answer', async () => {
    const product = await waitingProduct('Metronome');
    await open(`/console/admin/products/${product}`);
    await page.getByText('There is no earlier decision').waitFor();
    await decisionButton('reject').click();
    await field('rejection_reason').fill('No price');
    await field('note').fill('Seen before');
    await once('/review', (route) => route.abort());
    await operation('reviewProduct').click();
    await alert('offline').waitFor();
    await once('/review', failing(503, 'dependency_unavailable', { 'Retry-After': '1' }));
    await operation('reviewProduct').click();
    await alert('dependency_unavailable').waitFor();
    await once('/review', failing(429, 'rate_limited', { 'Retry-After': '1' }));
    await operation('reviewProduct').click();
    await alert('rate_limited').waitFor();
    await expectFit();
    await page.reload();
    await decisionButton('reject').click();
    expect(await field('rejection_reason').inputValue()).toBe('No price');
    await operation('reviewProduct').dblclick();
    await leftFrom(product);
    expect(await asAdmin('GET', `/v1/admin/products/${product}`)).toMatchObject({ status: 'rejected', rejection_reason: 'No price' });
    await show(`/console/admin/products/${product}`);
    expect(await page.locator('[data-field] :is(ins, del)').count()).toBe(0);
    await page.getByText('Last decision: Reject').waitFor();
  });

  test('decide on each file by what was found out about it', async () => {
    const product = await waitingProduct('Mixer');
    const file = await uploadFile(harness, product, 'mixer <1>.zip', Buffer.from('mixer'));
    const other = await uploadFile(harness, product, 'manual.pdf', Buffer.from('manual'));
    await eventually('the files are scanned', 30, async () => {
      const { files } = await asAdmin('GET', `/v1/admin/products/${product}`);
      return files.every((one: any) => one.hash_status === 'verified' && one.scan_status !== 'not_scanned') || undefined;
    });
    await open(`/console/admin/products/${product}`);
    const card = page.locator(`[data-id="${file}"]`);
    expect(await decisionButton('approve', card).isDisabled()).toBe(true);
    for (const one of [file, other]) expect(await decisionButton('reject', page.locator(`form[data-target="${one}"]`)).count()).toBe(1);
    await card.getByText('Nobody vouches for the file yet').waitFor();
    await expectFit();

    await decisionButton('manual_clean', card).click();
    expect(await operation('reviewProductFile', page.locator(`form[data-target="${file}"]`)).count()).toBe(1);
    await field('manual_scan_clean_reason').fill('See https://scanner.example/report');
    await operation('reviewProductFile').click();
    await alert('reason_contains_sensitive_data').waitFor();
    await field('manual_scan_clean_reason').fill('Looked at by hand');
    await operation('reviewProductFile').click();
    await said('counts as clean');
    await decisionButton('approve', card).and(page.locator(':enabled')).click();
    await field('visibility').selectOption('private');
    await expectFit();
    await operation('reviewProductFile').click();
    await card.getByText('Approved').waitFor();
    await expectFocus();
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await decisionButton('approve', card).click();
    expect(await field('visibility').inputValue()).toBe('buyer_visible');
    await operation('reviewProductFile').click();
    await said('Who sees');

    // Another admin was sooner.
    const rival = page.locator(`[data-id="${other}"]`);
    await decisionButton('reject', rival).click();
    await field('rejected_reason').fill('Not needed');
    await asAdmin('PATCH', `/v1/admin/products/${product}/files/${other}/review`, { decision: 'reject', rejected_reason: 'Too old' });
    await operation('reviewProductFile').click();
    await alert('file_state_conflict').waitFor();
    await rival.getByText('Too old').waitFor();
    await expectFocus();

    const download = page.waitForEvent('download');
    await operation('createReviewDownloadIntent', card).click();
    expect((await download).suggestedFilename()).toContain('mixer');

    const opened = page.context().waitForEvent('page');
    await operation('createReviewPreview').click();
    const preview = await opened;
    await preview.waitForURL('**/preview/**');
    expect(await preview.locator('h1').textContent()).toBe('Mixer');
    expect(await preview.evaluate('window.opener')).toBe(null);
    await preview.close();
    await page.getByRole('link', { name: 'Open the preview' }).waitFor();
    await asSeller('PATCH', `/v1/products/${product}`, draft('Mixer', { publish: false }));
  });

  test('lead back to the decision when the session is over', async () => {
    const product = await waitingProduct('Sampler');
    await open(`/console/admin/products/${product}`);
    await decisionButton('reject').click();
    await field('rejection_reason').fill('No sound');
    await fetch(`${harness.baseUrl}/__local/identity/end-sessions`, { method: 'POST' });
    // Admins' operations answer that it is forbidden.
    await operation('reviewProduct').click();
    await alert('unauthenticated').waitFor();
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await page.locator('[data-action=sign-in]').click();
    await page.locator('[name=login_hint][value="admin@example.com"]').locator('xpath=ancestor-or-self::form').locator('button').click();
    await page.waitForURL(`**/products/${product}`);
    await decisionButton('reject').click();
    expect(await field('rejection_reason').inputValue()).toBe('No sound');
    await operation('reviewProduct').click();
    await leftFrom(product);
    expect(await asAdmin('GET', `/v1/admin/products/${product}`)).toMatchObject({ status: 'rejected' });
  });

  test('suspend a product, and lift that again', async () => {
    const { id } = await offerProduct(harness, draft('Recorder'));
    await open(`/console/admin/products/${id}`, { width: 1280 });
    await decisionButton('suspend').click();
    await page.getByText('leaves its page and sale at once').waitFor();
    await operation('reviewProduct').click();
    await said('Recorder is suspended.');
    await decisionButton('suspend').waitFor({ state: 'detached' });
    await page.getByText('The product is suspended').waitFor();
    await page.keyboard.press('Alt+a');
    await operation('reviewProduct').click();
    await said('The suspension of Recorder is lifted.');
    expect(await asAdmin('GET', `/v1/admin/products/${id}`)).toMatchObject({ status: 'approved' });
    await show('/console/admin/products/prd_01M8AFZABQQJYDG73SMQ75X7AJ');
    await alert('product_not_found').waitFor();
  });
});
