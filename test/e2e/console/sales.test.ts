import { beforeAll, describe, expect, test } from '@jest/globals';
import { settled } from '../../support/http/browser.ts';
import { page } from '../../support/http/in-browser.ts';
import * as desk from '../../support/scenes/console/console-desk.ts';
import { sell } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct } from '../../support/scenes/stack-harness.ts';

const rows = () => page.locator('tr[data-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-id')));
const search = () => new URL(page.url()).search;

// More than ten new endpoints, tests and replays a minute.
desk.describeConsole(
  'what a seller sells, at the console',
  () => {
    describe('orders', () => {
      type Sale = Awaited<ReturnType<typeof sell>>;
      let sold: Sale;
      let refunded: Sale;
      const path = () => `/console/orders/${sold.orderId}`;
      const licenseOf = async () => (await desk.asSeller('GET', `/v1/orders/${sold.orderId}`)).license;
      beforeAll(async () => {
        const product = await offerProduct(desk.harness, { updates_days: 365 });
        sold = await sell(desk.harness, product.slug);
        refunded = await sell(desk.harness, product.slug);
        await desk.harness.provider(`/test/payments/${refunded.session}/refund`);
        for (const device_fingerprint of ['desktop', 'laptop'])
          await desk.harness.call('POST', '/v1/licenses/activate', {
            body: { product_id: product.id, license_key: sold.key, device_fingerprint },
          });
        await eventually('the order is refunded', 60, async () => {
          const { status } = await desk.asSeller('GET', `/v1/orders/${refunded.orderId}`);
          return status === 'refunded' || undefined;
        });
      });

      test('are listed, sorted out by their state in the address, and found by what buyers tell, of which nothing stays', async () => {
        await desk.open('/console/orders', { width: 1280 });
        expect(await rows()).toEqual([refunded.orderId, sold.orderId]);
        await desk.field('status').selectOption('refunded');
        await settled(page);
        expect([await rows(), search()]).toEqual([[refunded.orderId], '?status=refunded']);
        await desk.field('status').selectOption('expired');
        await desk.text('No order is like this.').waitFor();
        await page.getByRole('link', { name: 'Show all orders' }).click();
        await desk.row(sold.orderId).waitFor();
        await desk.field('buyer_email').fill(sold.email);
        await desk.field('order_id').fill('ord_1');
        await desk.operation('searchOrders').click();
        await desk.failure('invalid_request').waitFor();
        await desk.expectFit();
        await desk.field('order_id').fill('');
        const searches = desk.watch('POST', /search$/);
        await desk.field('buyer_email').press('Enter');
        await desk.said(/^1 order found$/);
        expect(searches).toEqual([JSON.stringify({ buyer_email: sold.email })]);
        expect(await page.locator('.card tr[data-id]').getAttribute('data-id')).toBe(sold.orderId);
        expect(await desk.kept()).not.toContain(sold.email);
        await desk.field('buyer_email').fill('');
        await desk.field('license_key').fill('LIC1-NOT-A-KEY');
        await desk.once(/search$/, desk.failing(429, 'rate_limited', { 'Retry-After': '1' }));
        await desk.operation('searchOrders').click();
        // It is asked again by itself.
        await desk.failure('rate_limited').waitFor();
        await desk.failure('rate_limited').waitFor({ state: 'detached' });
        await desk.said(/^No order is like this/);
        await desk.reload();
        expect(await desk.field('license_key').inputValue()).toBe('');
        await desk.open('/console/orders', { as: 'new' });
        await desk.text('No sales yet').waitFor();
        await desk.go(path());
        await desk.failure('forbidden').waitFor();
      });

      test('show seats and history; a seat is freed by keyboard, once, and the license suspended, reinstated and changed', async () => {
        await desk.open('/console/orders');
        await page.locator(`tr[data-id="${sold.orderId}"] a`).first().click();
        await desk.text('2 of 3 taken').waitFor();
        await settled(page);
        expect(await page.title()).toBe('Order | Console');
        const [activation] = (await licenseOf()).activations;
        const releases = desk.watch('POST', /release$/);
        await desk.row(activation.id).locator('button').first().press('Enter');
        await page.locator('h2:focus', { hasText: 'Free seat' }).waitFor();
        await desk.expectFit();
        // Enter alone does nothing, and Escape leads back.
        await page.keyboard.press('Enter');
        await page.keyboard.press('Escape');
        await page.locator('button:focus', { hasText: 'Free seat' }).waitFor();
        // The browser reports a closed dialog later than it closes it.
        await page.locator('dialog h2').first().waitFor({ state: 'detached' });
        expect([await desk.dialog().count(), releases]).toEqual([0, []]);
        await page.keyboard.press('Enter');
        await desk.operation('releaseSoldActivation', desk.dialog()).dblclick();
        await desk.said(/^Free seat.*done$/);
        await desk.text('1 of 3 taken').waitFor();
        await page.locator('h2:focus', { hasText: 'Devices' }).waitFor();
        await desk.text('Seat released').waitFor();
        expect(releases).toHaveLength(1);

        await page.getByRole('button', { name: 'Suspend license' }).click();
        await desk.field('reason').fill('The key was shared');
        const suspended = desk.watch('POST', /suspend$/);
        await desk.operation('suspendLicense', desk.dialog()).dblclick();
        await page.locator('h2:focus', { hasText: 'License Suspended' }).waitFor();
        expect([suspended, (await desk.kept()).includes('shared')]).toEqual([['{"reason":"The key was shared"}'], false]);
        await desk.text('License suspended').waitFor();
        await desk.operation('reinstateLicense').click();
        await page.locator('h2:focus', { hasText: 'License Active' }).waitFor();

        const sent = desk.watch('PATCH', /license$/);
        await desk.field('activation_limit').fill('５');
        await desk.field('updates_until').fill('2020-01-01');
        await desk.operation('changeLicense').click();
        await desk.text('Updates until must be later than the present one').waitFor();
        await desk.field('updates_until').fill('2040-01-31');
        await desk.field('activation_limit').fill('3');
        await desk.operation('changeLicense').dblclick();
        await desk.text(/^Saved at/).waitFor();
        expect((await licenseOf()).updates_until).toBe('2040-01-31T14:59:59.999Z');
        expect(sent).toEqual(['{"updates_until":"2040-01-31T14:59:59.999Z"}']);
      });

      test('reach their buyers again, whose address is asked for and not kept', async () => {
        await desk.open(path());
        await desk.operation('resendSoldOrderLink').dblclick();
        await desk.said(/^A fresh link is on its way/);
        await desk.harness.mailTo(sold.email, 2);
        await desk.field('buyer_email').fill('not an address');
        await desk.operation('requestEmailCorrection').click();
        await desk.text('must be an e-mail address').waitFor();
        await desk.expectFit();
        await desk.field('buyer_email').fill('right@example.org');
        expect(await desk.kept()).not.toContain('right@');
        await desk.operation('requestEmailCorrection').dblclick();
        const state = (words: string) => page.locator('.facts .state', { hasText: words }).waitFor();
        await state('In review');
        expect(await desk.field('buyer_email').inputValue()).toBe('');
        await desk.asAdmin('POST', `/v1/admin/email-requests/${sold.orderId}/decide`, { decision: 'reject' });
        await desk.reload();
        await state('Rejected');
        // A mail waits while the order is held, and nothing else is said.
        await desk.go(`/console/orders/${refunded.orderId}`);
        await desk.operation('resendSoldOrderLink').click();
        await desk.said(/^Sent once it is neither refunded nor disputed/);
        expect(await page.getByText('A fresh link is on its way.').count()).toBe(0);
      });
    });

    describe('webhooks', () => {
      const receiver = (query = '') => `${desk.harness.baseUrl}/__local/receiver/shop${query}`;
      const endpoints = async (): Promise<any[]> => (await desk.asSeller('GET', '/v1/webhook-endpoints')).items;
      const make = (query: string) => desk.asSeller('POST', '/v1/webhook-endpoints', { url: receiver(query) });
      const end = (id: string) => desk.asSeller('POST', `/v1/webhook-endpoints/${id}/delete`);
      const secret = () => page.locator('[data-secret]');
      const type = (name: string) => page.locator(`[name=event_types][value="${name}"]`);

      test('are added once, with a secret that is shown once and kept nowhere', async () => {
        await desk.open('/console/webhooks');
        const sent = desk.watch('POST', /webhook-endpoints$/);
        await desk.field('url').fill('http://shop.example/hook');
        await desk.field('description').fill('\u202eShop\u200b <b>backend</b>');
        await type('order.paid').check();
        await type('license.issued').check();
        await desk.operation('createWebhookEndpoint').click();
        await desk.failure('invalid_request').waitFor();
        expect(await desk.failure('invalid_request').locator('a').allInnerTexts()).toEqual([
          expect.stringContaining('URL must be an https URL'),
          expect.stringContaining('Description must not hold marks'),
        ]);
        await desk.field('url').fill(receiver());
        await desk.field('description').fill('Shop\u200b <b>backend</b>');
        await desk.operation('createWebhookEndpoint').dblclick();
        await page.locator(':focus [data-secret]').waitFor();
        await desk.expectFit();
        const [made, ...others] = await endpoints();
        expect([made.event_types, others, sent.length]).toEqual([['license.issued', 'order.paid'], [], 2]);
        const shown = await secret().textContent();
        expect([shown, await desk.kept()]).toEqual([expect.stringMatching(/^whsec_/), expect.not.stringMatching(/whsec_|shop\.example/)]);
        // What cannot be seen is shown, and nothing of it is markup.
        await page.locator('td .mark').getByText('U+200B').waitFor();
        expect([await page.locator('td b').count(), await desk.field('url').inputValue(), await rows()]).toEqual([0, '', [made.id]]);
        await desk.reload();
        expect(await page.content()).not.toContain(shown);
        await end(made.id);
      });

      test('of every event are those with none ticked, and those with all; they get a new secret, and are deleted', async () => {
        const made = await make('?all');
        await desk.open(`/console/webhooks/${made.id}`);
        const sent = desk.watch('PATCH', /webhook-endpoints/);
        expect(await page.locator('[name=event_types]:checked').count()).toBe(made.event_types.length);
        await type('test').uncheck();
        await desk.operation('updateWebhookEndpoint').click();
        await desk.text(/^Saved at/).waitFor();
        for (const name of made.event_types) await type(name).uncheck();
        await desk.operation('updateWebhookEndpoint').click();
        await page.locator('[name=event_types]:checked').first().waitFor();
        const bodies = sent.map((body) => JSON.parse(body).event_types.length);
        expect(bodies).toEqual([made.event_types.length - 1, made.event_types.length]);

        await page.getByRole('button', { name: 'New signing secret' }).click();
        await desk.expectFit();
        await desk.operation('rotateWebhookSecret', desk.dialog()).dblclick();
        await page.locator(':focus [data-secret]').waitFor();
        expect(await secret().textContent()).not.toBe(made.secret);
        await page.getByRole('button', { name: 'Done' }).click();
        expect(await secret().count()).toBe(0);
        await page.getByRole('button', { name: 'Delete' }).click();
        await desk.operation('deleteWebhookEndpoint', desk.dialog()).click();
        await page.waitForURL(/webhooks$/);
        await desk.said(/^Delete: done$/);
        await page.locator('h1:focus', { hasText: 'Webhooks' }).waitFor();
        expect([(await endpoints()).some(({ id }) => id === made.id), await desk.failure('endpoint_not_found').count()]).toEqual([
          false,
          0,
        ]);
      });

      test('are tried, and show by themselves how that went, or why it did not arrive', async () => {
        const { id } = await make('?tried');
        await desk.open(`/console/webhooks/${id}`);
        await desk.text('Nothing was sent yet.').waitFor();
        const tests = desk.watch('POST', /test$/);
        await desk.operation('sendTestEvent').dblclick();
        await desk.said(/^Test: Delivered$/);
        expect([tests.length, (await rows()).length]).toEqual([1, 1]);
        await desk.text('HTTP 200').waitFor();
        const again = desk.watch('POST', /replay$/);
        await desk.once(/replay$/, desk.failing(503, 'dependency_unavailable', { 'Retry-After': '1' }));
        await desk.operation('replayEvents', page.locator('tr')).click();
        await desk.failure('dependency_unavailable').locator('[data-action=retry]').click();
        await desk.said(/^Send again: 1$/);
        // One event stays one, however it is tried again.
        expect(again.map((body) => Object.keys(JSON.parse(body)))).toEqual([['event_id'], ['event_id']]);
        const replay = desk.operation('replayEvents', page.locator('form'));
        await desk.field('event_id').fill('evt_nothing');
        await replay.click();
        await desk.failure('event_not_found').waitFor();
        await desk.field('event_id').fill('');
        await replay.click();
        await desk.said(/^Send again: \d+$/);
        expect(JSON.parse(again.at(-1) ?? '{}')).toEqual({});
        await end(id);
        const [failed, gone] = [await make('?status=500'), await make('?status=410')];
        await desk.open(`/console/webhooks/${failed.id}`, { locale: 'ja' });
        await desk.operation('sendTestEvent').click();
        await desk.text('拒否, HTTP 500').waitFor();
        await desk.expectFit();
        await desk.go(`/console/webhooks/${gone.id}`);
        await desk.operation('sendTestEvent').click();
        await desk.text(/^何も送信していません。/).waitFor();
        expect(await desk.operation('sendTestEvent').isDisabled()).toBe(true);
        await end(failed.id);
        await desk.field('enabled').check();
        await desk.operation('updateWebhookEndpoint').click();
        await desk.text('有効').waitFor();
        await end(gone.id);
      });

      test('are five at most, and of others are none', async () => {
        const made = await Promise.all(['?1', '?2', '?3', '?4', '?5'].map(make));
        await desk.open('/console/webhooks');
        await desk.text('There are at most 5').waitFor();
        expect([(await rows()).length, await desk.operation('createWebhookEndpoint').count()]).toEqual([5, 0]);
        await desk.open(`/console/webhooks/${made[0].id}`, { as: 'new' });
        await page.locator('[role=alert]').waitFor();
        expect(await page.content()).not.toContain(receiver());
      });
    });

    describe('discounts', () => {
      test('are made of what fits the price, keep their code for good, and end once that is confirmed', async () => {
        const { id: product } = await offerProduct(desk.harness, { name: 'Discounted', price_amount: 3200 });
        const discounts = async () => (await desk.asSeller('GET', `/v1/products/${product}/discounts`)).items;
        await desk.open(`/console/products/${product}/discounts`);
        await desk.text('no discount yet').waitFor();
        await desk.field('code').fill('spring-26');
        await desk.operation('createDiscount').click();
        await desk.failure('invalid_request').waitFor();
        expect(await page.evaluate('document.activeElement.textContent')).toContain('amount off');
        await desk.field('percent_off').fill('15');
        await desk.field('max_redemptions').fill('100');
        await desk.field('ends_at').fill('2001-01-31T10:00');
        await desk.operation('createDiscount').click();
        await page.locator('[name=ends_at][aria-invalid=true]').waitFor();
        await desk.expectFit();
        await desk.field('ends_at').fill('2099-01-31T10:00');
        await desk.operation('createDiscount').click();
        await page.locator('tr[data-id]').first().waitFor();
        const [made] = await discounts();
        const endsAt: string = await page.evaluate(`new Date('2099-01-31T10:00').toISOString()`);
        expect(made).toMatchObject({ code: 'SPRING-26', percent_off: 15, max_redemptions: 100, ends_at: endsAt });
        await desk.row(made.id).getByText('Holds').waitFor();
        expect(await desk.field('code').inputValue()).toBe('');

        await desk.open(`/console/products/${product}/discounts`, { locale: 'ja', width: 320 });
        await desk.field('code').fill('Spring-26');
        await desk.field('amount_off').fill('1');
        await desk.operation('createDiscount').click();
        await desk.failure('discount_code_taken').waitFor();
        await desk.expectFit();
        await desk.row(made.id).getByRole('button').click();
        await desk.operation('endDiscount', desk.dialog()).click();
        await desk.row(made.id).locator('.state', { hasText: '終了' }).waitFor();
        expect((await discounts())[0]).toMatchObject({ id: made.id, ended_at: expect.any(String) });
        await desk.row(made.id).getByRole('link').click();
        await desk.text('条件に合う注文はありません。').waitFor();
        expect([search(), await desk.isFocused('body')]).toEqual([`?discount_id=${made.id}`, false]);
      });
    });
  },
  { RATE_LIMIT_ENDPOINT_CALLS: '1000', RATE_LIMIT_CHECKOUT: '0', RATE_LIMIT_COMPLETE: '0' },
);
