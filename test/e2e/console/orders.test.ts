import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { hasBrowser, settled } from '../../support/http/browser.ts';
import {
  api,
  complaints,
  failure,
  faults,
  field,
  focused,
  go,
  inDialog,
  kept,
  open,
  operation,
  page,
  refuse,
  reload,
  rows,
  said,
  startConsole,
  stopConsole,
  text,
  watch,
} from '../../support/scenes/console/console-scene.ts';
import { eventually } from '../../support/scenes/stack-harness.ts';

jest.setTimeout(120_000);

(hasBrowser ? describe : describe.skip)('the sales of a seller in the console', () => {
  let sold: { id: string; status: string; license_status?: string; license_id?: string }[];
  /** One whose license is active and has devices. */
  let withDevices: string;

  beforeAll(async () => {
    await startConsole();
    sold = (await api('GET', '/v1/orders')).items;
    for (const { id } of sold) {
      const { license } = await api('GET', `/v1/orders/${id}`);
      if (license?.activations.length > 0) withDevices = id;
    }
  });
  afterAll(stopConsole);
  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  const ofStatus = (status: string) => sold.find((order) => (order.license_status ?? order.status) === status)?.id ?? '';

  test('are listed, and sorted out by their state in the address', async () => {
    await open('/console/orders');
    expect(await rows()).toEqual(sold.map(({ id }) => id));
    expect(await faults()).toEqual([]);
    await field('status').selectOption('refunded');
    await settled(page);
    expect([await rows(), new URL(page.url()).search]).toEqual([[ofStatus('refunded')], '?status=refunded']);
    await field('status').selectOption('expired');
    await text('No order is like this.').waitFor();
    await page.getByRole('link', { name: 'Show all orders' }).click();
    await settled(page);
    expect(await rows()).toHaveLength(sold.length);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await faults()).toEqual([]);
  });

  test('are none before the first, with the way to it', async () => {
    await open('/console/orders', { as: 'new' });
    await text('No sales yet').waitFor();
    expect(await faults()).toEqual([]);
  });

  test('are found by what buyers tell, of which nothing stays', async () => {
    await open('/console/orders');
    await field('buyer_email').fill('hanako@example.com');
    await field('order_id').fill('ord_1');
    await operation('searchOrders').click();
    await failure('invalid_request').waitFor();
    expect(await focused()).toContain('exactly one');
    expect(await faults()).toEqual([]);
    await field('order_id').fill('');
    const searches = watch('POST', /search$/);
    await field('buyer_email').press('Enter');
    await said(/^1 order found$/);
    expect(searches).toEqual(['{"buyer_email":"hanako@example.com"}']);
    const found = page.locator('.card tr[data-id]');
    expect(await found.getAttribute('data-id')).toBe(withDevices);
    expect([await kept(), page.url()].join()).not.toContain('hanako');
    await field('buyer_email').fill('');
    await field('license_key').fill('LIC1-NOT-A-KEY');
    await operation('searchOrders').click();
    await said(/^No order is like this/);
    await field('license_key').fill('');
    await field('order_id').fill('  ');
    await refuse(/search$/, 429, { 'Retry-After': '1' });
    await field('order_id').fill((await api('GET', '/v1/orders', undefined, 'example-nora')).items[0].id);
    await operation('searchOrders').click();
    await failure('rate_limited').waitFor();
    // It is asked again by itself; another's sale is none.
    await failure('rate_limited').waitFor({ state: 'detached' });
    await said(/^No order is like this/);
    await reload();
    expect(await field('order_id').inputValue()).toBe('');
    const { items } = await api('GET', `/v1/admin/audit?target_id=${(await api('GET', '/v1/me')).seller_id}`, undefined, 'admin');
    expect(items.filter(({ action }: any) => action === 'order.search').length).toBeGreaterThan(2);
  });

  test('show license, seats and history; a seat is freed by keyboard, once', async () => {
    await open('/console/orders');
    await page.locator(`tr[data-id="${withDevices}"] a`).click();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    await settled(page);
    expect(await page.title()).toBe('Order | Console');
    expect(await faults()).toEqual([]);
    await text('2 of 3 taken').waitFor();
    const [activation] = (await api('GET', `/v1/orders/${withDevices}`)).license.activations;
    const releases = watch('POST', /release$/);
    await page.locator(`tr[data-id="${activation.id}"] button`).first().press('Enter');
    await page
      .locator('h2:focus')
      .getByText(`Free seat: Device ${activation.name.slice(7)}`)
      .waitFor();
    expect(await faults()).toEqual([]);
    // Enter alone does nothing, and Escape leads back.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.locator('button:focus').getByText('Free seat').waitFor();
    // The browser reports a closed dialog later than it closes it.
    await page.locator('dialog h2').first().waitFor({ state: 'detached' });
    expect([await page.locator(inDialog).count(), releases]).toEqual([0, []]);
    await page.keyboard.press('Enter');
    await refuse(/release$/, 503);
    await operation('releaseSoldActivation', inDialog).click();
    await failure('dependency_unavailable').waitFor();
    await operation('releaseSoldActivation', inDialog).dblclick();
    await said(/^Free seat.*done$/);
    await text('1 of 3 taken').waitFor();
    expect(releases).toHaveLength(2);
    await page.locator('h2:focus').getByText('Devices').waitFor();
    await text('Seat released').waitFor();
    const other = withDevices && (await api('GET', `/v1/orders/${withDevices}`)).license.activations;
    expect(other.filter(({ deactivated_at }: any) => deactivated_at === undefined)).toHaveLength(1);
  });

  test('have licenses that are suspended with a reason, and reinstated', async () => {
    await open(`/console/orders/${withDevices}`);
    await page.getByRole('button', { name: 'Suspend license' }).click();
    await field('reason').fill('The key was shared');
    await field('reason').press('Enter');
    const sent = watch('POST', /suspend$/);
    await reload();
    await page.getByRole('button', { name: 'Suspend license' }).click();
    expect([await field('reason').inputValue(), sent]).toEqual(['The key was shared', []]);
    await operation('suspendLicense', inDialog).dblclick();
    await operation('reinstateLicense', 'main').waitFor();
    expect(sent).toEqual(['{"reason":"The key was shared"}']);
    await page.locator('h2:focus').getByText('License Suspended').waitFor();
    expect(await kept()).not.toContain('shared');
    await settled(page);
    await text('License suspended').waitFor();
    expect(await faults()).toEqual([]);
    await page.context().setOffline(true);
    await operation('reinstateLicense', 'main').click();
    await failure('offline').waitFor();
    await page.context().setOffline(false);
    await operation('reinstateLicense', 'main').click();
    await page.getByRole('button', { name: 'Suspend license' }).waitFor();
    await page.locator('h2:focus').getByText('License Active').waitFor();
  });

  test('change what a license covers by what differs alone', async () => {
    await open(`/console/orders/${withDevices}`);
    const sent = watch('PATCH', /license$/);
    await field('activation_limit').fill('none');
    await operation('changeLicense').click();
    await failure('invalid_request').waitFor();
    await field('activation_limit').fill('５');
    await field('updates_until').fill('2020-01-01');
    await operation('changeLicense').click();
    await text('Updates until must be later than the present one').waitFor();
    await field('updates_until').fill('2040-01-31');
    // What was typed outlives a reload, and is merged with what another tab saved.
    await reload();
    await field('updates_until').waitFor();
    expect([await field('activation_limit').inputValue(), await field('updates_until').inputValue()]).toEqual(['５', '2040-01-31']);
    await field('activation_limit').fill('3');
    await operation('changeLicense').dblclick();
    await text(/^Saved at/).waitFor();
    expect(sent.at(-1)).toBe('{"updates_until":"2040-01-31T14:59:59.999Z"}');
    const license = async () => (await api('GET', `/v1/orders/${withDevices}`)).license;
    expect((await license()).updates_until).toBe('2040-01-31T14:59:59.999Z');
    await field('activation_limit').fill('4');
    await operation('changeLicense').click();
    await text(/ of 4 taken/).waitFor();
    expect(sent.at(-1)).toBe('{"activation_limit":4}');
    expect(sent).toHaveLength(3);
  });

  test('reach their buyers again, whose address is asked for and not kept', async () => {
    await open(`/console/orders/${withDevices}`, { width: 360 });
    await operation('resendSoldOrderLink', 'main').dblclick();
    await said(/^A fresh link is on its way/);
    await eventually('the mail', 10, async () => {
      const { items } = await api('GET', '/__local/outbox');
      return items.filter(({ to }: any) => to === 'hanako@example.com').length === 2 || undefined;
    });
    await field('buyer_email').fill('not an address');
    await operation('requestEmailCorrection').click();
    await text('must be an e-mail address').waitFor();
    expect(await faults()).toEqual([]);
    await field('buyer_email').fill('hanako@example.org');
    expect(await kept()).not.toContain('hanako');
    await operation('requestEmailCorrection').dblclick();
    await page.locator('.facts .state').filter({ hasText: 'In review' }).waitFor();
    expect(await field('buyer_email').inputValue()).toBe('');
    await api('POST', `/v1/admin/email-requests/${withDevices}/decide`, { decision: 'reject' }, 'admin');
    await reload();
    await page.locator('.facts .state').filter({ hasText: 'Rejected' }).waitFor();
    expect(await faults()).toEqual([]);
    // A mail waits while the order is held, and nothing else is said.
    await open(`/console/orders/${ofStatus('refunded')}`);
    await operation('resendSoldOrderLink', 'main').click();
    await said(/^Sent once it is neither refunded nor disputed/);
    expect(await text('A fresh link is on its way.').count()).toBe(0);
  });

  test('of others, and those that are none, are not shown', async () => {
    await open(`/console/orders/${withDevices}`, { as: 'example-nora' });
    await failure('forbidden').waitFor();
    await go('/console/orders/ord_nothing');
    await failure('order_not_found').waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole('link', { name: 'Orders' }).first().click();
    await settled(page);
    expect(await rows()).toHaveLength(2);
  });

  test('read in Japanese, refunded and suspended', async () => {
    await open(`/console/orders/${ofStatus('refunded')}`, { locale: 'ja', width: 360 });
    await text('返金済み').waitFor();
    await text('返金・異議申し立ての解消後に送信されます。').waitFor();
    expect(await faults()).toEqual([]);
    await go(`/console/orders/${ofStatus('suspended')}`);
    await text('ライセンスを再開').waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/undefined|NaN|[a-z]+_[a-z]+(?!\w*J)/);
  });
});
