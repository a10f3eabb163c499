import { beforeAll, describe, expect, test } from '@jest/globals';
import { settled } from '../../support/http/browser.ts';
import { page } from '../../support/http/in-browser.ts';
import {
  asAdmin,
  asSeller,
  describeConsole,
  dialog,
  expectFit,
  failing,
  failure,
  field,
  go,
  harness,
  isFocused,
  kept,
  once,
  open,
  operation,
  reload,
  row,
  said,
  text,
  watch,
} from '../../support/scenes/console/console-desk.ts';
import { sell } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct } from '../../support/scenes/stack-harness.ts';

const rows = () => page.locator('tr[data-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-id')));
const search = () => new URL(page.url()).search;

// More than ten new endpoints, tests and replays a minute.
describeConsole(
  'what a seller sells, at the console',
  () => {
    describe('orders', () => {
      type Sale = Awaited<ReturnType<typeof sell>>;
      let sold: Sale;
      let refunded: Sale;
      const path = () => `/console/orders/${sold.orderId}`;
      const licenseOf = async () => (await asSeller('GET', `/v1/orders/${sold.orderId}`)).license;
      beforeAll(async () => {
        const product = await offerProduct(harness, { updates_days: 365 });
        sold = await sell(harness, product.slug);
        refunded = await sell(harness, product.slug);
        await harness.provider(`/test/payments/${refunded.session}/refund`);
        for (const device_fingerprint of ['desktop', 'laptop'])
          await harness.call('POST', '/v1/licenses/activate', {
            body: { product_id: product.id, license_key: sold.key, device_fingerprint },
          });
        await eventually('the order is refunded', 60, async () => {
          const { status } = await asSeller('GET', `/v1/orders/${refunded.orderId}`);
          return status === 'refunded' || undefined;
        });
      });

      test('are listed, sorted out by their state in the address, and found by what buyers tell, of which nothing stays', async () => {
        await open('/console/orders', { width: 1280 });
        expect(await rows()).toEqual([refunded.orderId, sold.orderId]);
        await field('status').selectOption('refunded');
        await settled(page);
        expect([await rows(), search()]).toEqual([[refunded.orderId], '?status=refunded']);
        await field('status').selectOption('expired');
        await text('No order is like this.').waitFor();
        await page.getByRole('link', { name: 'Show all orders' }).click();
        await row(sold.orderId).waitFor();
        await field('buyer_email').fill(sold.email);
        await field('order_id').fill('ord_1');
        await operation('searchOrders').click();
        await failure('invalid_request').waitFor();
        await expectFit();
        await field('order_id').fill('');
        const searches = watch('POST', /search$/);
        await field('buyer_email').press('Enter');
        await said(/^1 order found$/);
        expect(searches).toEqual([JSON.stringify({ buyer_email: sold.email })]);
        expect(await page.locator('.card tr[data-id]').getAttribute('data-id')).toBe(sold.orderId);
        expect(await kept()).not.toContain(sold.email);
        await field('buyer_email').fill('');
        await field('license_key').fill('LIC1-NOT-A-KEY');
        await once(/search$/, failing(429, 'rate_limited', { 'Retry-After': '1' }));
        await operation('searchOrders').click();
        // It is asked again by itself.
        await failure('rate_limited').waitFor();
        await failure('rate_limited').waitFor({ state: 'detached' });
        await said(/^No order is like this/);
        await reload();
        expect(await field('license_key').inputValue()).toBe('');
        await open('/console/orders', { as: 'new' });
        await text('No sales yet').waitFor();
        await go(path());
        await failure('forbidden').waitFor();
      });

      test('show seats and history; a seat is freed by keyboard, once, and the license suspended, reinstated and changed', async () => {
        await open('/console/orders');
        await page.locator(`tr[data-id="${sold.orderId}"] a`).first().click();
        await text('2 of 3 taken').waitFor();
        await settled(page);
        expect(await page.title()).toBe('Order | Console');
        const [activation] = (await licenseOf()).activations;
        const releases = watch('POST', /release$/);
        await row(activation.id).locator('button').first().press('Enter');
        await page.locator('h2:focus', { hasText: 'Free seat' }).waitFor();
        await expectFit();
        // Enter alone does nothing, and Escape leads back.
        await page.keyboard.press('Enter');
        await page.keyboard.press('Escape');
        await page.locator('button:focus', { hasText: 'Free seat' }).waitFor();
        // The browser reports a closed dialog later than it closes it.
        await page.locator('dialog h2').first().waitFor({ state: 'detached' });
        expect([await dialog().count(), releases]).toEqual([0, []]);
        await page.keyboard.press('Enter');
        await operation('releaseSoldActivation', dialog()).dblclick();
        await said(/^Free seat.*done$/);
        await text('1 of 3 taken').waitFor();
        await page.locator('h2:focus', { hasText: 'Devices' }).waitFor();
        await text('Seat released').waitFor();
        expect(releases).toHaveLength(1);

        await page.getByRole('button', { name: 'Suspend license' }).click();
        await field('reason').fill('The key was shared');
        const suspended = watch('POST', /suspend$/);
        await operation('suspendLicense', dialog()).dblclick();
        await page.locator('h2:focus', { hasText: 'License Suspended' }).waitFor();
        expect([suspended, (await kept()).includes('shared')]).toEqual([['{"reason":"The key was shared"}'], false]);
        await text('License suspended').waitFor();
        await operation('reinstateLicense').click();
        await page.locator('h2:focus', { hasText: 'License Active' }).waitFor();

        const sent = watch('PATCH', /license$/);
        await field('activation_limit').fill('５');
        await field('updates_until').fill('2020-01-01');
        await operation('changeLicense').click();
        await text('Updates until must be later than the present one').waitFor();
        await field('updates_until').fill('2040-01-31');
        await field('activation_limit').fill('3');
        await operation('changeLicense').dblclick();
        await text(/^Saved at/).waitFor();
        expect((await licenseOf()).updates_until).toBe('2040-01-31T14:59:59.999Z');
        expect(sent).toEqual(['{"updates_until":"2040-01-31T14:59:59.999Z"}']);
      });

      test('reach their buyers again, whose address is asked for and not kept', async () => {
        await open(path());
        await operation('resendSoldOrderLink').dblclick();
        await said(/^A fresh link is on its way/);
        await harness.mailTo(sold.email, 2);
        await field('buyer_email').fill('not an address');
        await operation('requestEmailCorrection').click();
        await text('must be an e-mail address').waitFor();
        await expectFit();
        await field('buyer_email').fill('right@example.org');
        expect(await kept()).not.toContain('right@');
        await operation('requestEmailCorrection').dblclick();
        const state = (words: string) => page.locator('.facts .state', { hasText: words }).waitFor();
        await state('In review');
        expect(await field('buyer_email').inputValue()).toBe('');
        await asAdmin('POST', `/v1/admin/email-requests/${sold.orderId}/decide`, { decision: 'reject' });
        await reload();
        await state('Rejected');
        // A mail waits while the order is held, and nothing else is said.
        await go(`/console/orders/${refunded.orderId}`);
        await operation('resendSoldOrderLink').click();
        await said(/^Sent once it is neither refunded nor disputed/);
        expect(await page.getByText('A fresh link is on its way.').count()).toBe(0);
      });
    });

    describe('webhooks', () => {
      const receiver = (query = '') => `${harness.baseUrl}/__local/receiver/shop${query}`;
      const endpoints = async (): Promise<any[]> => (await asSeller('GET', '/v1/webhook-endpoints')).items;
      const make = (query: string) => asSeller('POST', '/v1/webhook-endpoints', { url: receiver(query) });
      const end = (id: string) => asSeller('POST', `/v1/webhook-endpoints/${id}/delete`);
      const secret = () => page.locator('[data-secret]');
      const type = (name: string) => page.locator(`[name=event_types][value="${name}"]`);

      test('are added once, with a secret that is shown once and kept nowhere', async () => {
        await open('/console/webhooks');
        const sent = watch('POST', /webhook-endpoints$/);
        await field('url').fill('http://shop.example/hook');
        await field('description').fill('\u202eShop\u200b <b>backend</b>');
        await type('order.paid').check();
        await type('license.issued').check();
        await operation('createWebhookEndpoint').click();
        await failure('invalid_request').waitFor();
        expect(await failure('invalid_request').locator('a').allInnerTexts()).toEqual([
          expect.stringContaining('URL must be an https URL'),
          expect.stringContaining('Description must not hold marks'),
        ]);
        await field('url').fill(receiver());
        await field('description').fill('Shop\u200b <b>backend</b>');
        await operation('createWebhookEndpoint').dblclick();
        await page.locator(':focus [data-secret]').waitFor();
        await expectFit();
        const [made, ...others] = await endpoints();
        expect([made.event_types, others, sent.length]).toEqual([['license.issued', 'order.paid'], [], 2]);
        const shown = await secret().textContent();
        expect([shown, await kept()]).toEqual([expect.stringMatching(/^whsec_/), expect.not.stringMatching(/whsec_|shop\.example/)]);
        // What cannot be seen is shown, and nothing of it is markup.
        await page.locator('td .mark').getByText('U+200B').waitFor();
        expect([await page.locator('td b').count(), await field('url').inputValue(), await rows()]).toEqual([0, '', [made.id]]);
        await reload();
        expect(await page.content()).not.toContain(shown);
        await end(made.id);
      });

      test('of every event are those with none ticked, and those with all; they get a new secret, and are deleted', async () => {
        const made = await make('?all');
        await open(`/console/webhooks/${made.id}`);
        const sent = watch('PATCH', /webhook-endpoints/);
        expect(await page.locator('[name=event_types]:checked').count()).toBe(made.event_types.length);
        await type('test').uncheck();
        await operation('updateWebhookEndpoint').click();
        await text(/^Saved at/).waitFor();
        for (const name of made.event_types) await type(name).uncheck();
        await operation('updateWebhookEndpoint').click();
        await page.locator('[name=event_types]:checked').first().waitFor();
        const bodies = sent.map((body) => JSON.parse(body).event_types.length);
        expect(bodies).toEqual([made.event_types.length - 1, made.event_types.length]);

        await page.getByRole('button', { name: 'New signing secret' }).click();
        await expectFit();
        await operation('rotateWebhookSecret', dialog()).dblclick();
        await page.locator(':focus [data-secret]').waitFor();
        expect(await secret().textContent()).not.toBe(made.secret);
        await page.getByRole('button', { name: 'Done' }).click();
        expect(await secret().count()).toBe(0);
        await page.getByRole('button', { name: 'Delete' }).click();
        await operation('deleteWebhookEndpoint', dialog()).click();
        await page.waitForURL(/webhooks$/);
        await said(/^Delete: done$/);
        await page.locator('h1:focus', { hasText: 'Webhooks' }).waitFor();
        expect([(await endpoints()).some(({ id }) => id === made.id), await failure('endpoint_not_found').count()]).toEqual([false, 0]);
      });

      test('are tried, and show by themselves how that went, or why it did not arrive', async () => {
        const { id } = await make('?tried');
        await open(`/console/webhooks/${id}`);
        await text('Nothing was sent yet.').waitFor();
        const tests = watch('POST', /test$/);
        await operation('sendTestEvent').dblclick();
        await said(/^Test: Delivered$/);
        expect([tests.length, (await rows()).length]).toEqual([1, 1]);
        await text('HTTP 200').waitFor();
        const again = watch('POST', /replay$/);
        await once(/replay$/, failing(503, 'dependency_unavailable', { 'Retry-After': '1' }));
        await operation('replayEvents', page.locator('tr')).click();
        await failure('dependency_unavailable').locator('[data-action=retry]').click();
        await said(/^Send again: 1$/);
        // One event stays one, however it is tried again.
        expect(again.map((body) => Object.keys(JSON.parse(body)))).toEqual([['event_id'], ['event_id']]);
        const replay = operation('replayEvents', page.locator('form'));
        await field('event_id').fill('evt_nothing');
        await replay.click();
        await failure('event_not_found').waitFor();
        await field('event_id').fill('');
        await replay.click();
        await said(/^Send again: \d+$/);
        expect(JSON.parse(again.at(-1) ?? '{}')).toEqual({});
        await end(id);
        const [failed, gone] = [await make('?status=500'), await make('?status=410')];
        await open(`/console/webhooks/${failed.id}`, { locale: 'ja' });
        await operation('sendTestEvent').click();
        await text('拒否, HTTP 500').waitFor();
        await expectFit();
        await go(`/console/webhooks/${gone.id}`);
        await operation('sendTestEvent').click();
        await text(/^何も送信していません。/).waitFor();
        expect(await operation('sendTestEvent').isDisabled()).toBe(true);
        await end(failed.id);
        await field('enabled').check();
        await operation('updateWebhookEndpoint').click();
        await text('有効').waitFor();
        await end(gone.id);
      });

      test('are five at most, and of others are none', async () => {
        const made = await Promise.all(['?1', '?2', '?3', '?4', '?5'].map(make));
        await open('/console/webhooks');
        await text('There are at most 5').waitFor();
        expect([(await rows()).length, await operation('createWebhookEndpoint').count()]).toEqual([5, 0]);
        await open(`/console/webhooks/${made[0].id}`, { as: 'new' });
        await page.locator('[role=alert]').waitFor();
        expect(await page.content()).not.toContain(receiver());
      });
    });

    describe('discounts', () => {
      test('are made of what fits the price, keep their code for good, and end once that is confirmed', async () => {
        const { id: product } = await offerProduct(harness, { name: 'Discounted', price_amount: 3200 });
        const discounts = async () => (await asSeller('GET', `/v1/products/${product}/discounts`)).items;
        await open(`/console/products/${product}/discounts`);
        await text('no discount yet').waitFor();
        await field('code').fill('spring-26');
        await operation('createDiscount').click();
        await failure('invalid_request').waitFor();
        expect(await page.evaluate('document.activeElement.textContent')).toContain('amount off');
        await field('percent_off').fill('15');
        await field('max_redemptions').fill('100');
        await field('ends_at').fill('2001-01-31T10:00');
        await operation('createDiscount').click();
        await page.locator('[name=ends_at][aria-invalid=true]').waitFor();
        await expectFit();
        await field('ends_at').fill('2099-01-31T10:00');
        await operation('createDiscount').click();
        await page.locator('tr[data-id]').first().waitFor();
        const [made] = await discounts();
        const endsAt: string = await page.evaluate(`new Date('2099-01-31T10:00').toISOString()`);
        expect(made).toMatchObject({ code: 'SPRING-26', percent_off: 15, max_redemptions: 100, ends_at: endsAt });
        await row(made.id).getByText('Holds').waitFor();
        expect(await field('code').inputValue()).toBe('');

        await open(`/console/products/${product}/discounts`, { locale: 'ja', width: 320 });
        await field('code').fill('Spring-26');
        await field('amount_off').fill('1');
        await operation('createDiscount').click();
        await failure('discount_code_taken').waitFor();
        await expectFit();
        await row(made.id).getByRole('button').click();
        await operation('endDiscount', dialog()).click();
        await row(made.id).locator('.state', { hasText: '終了' }).waitFor();
        expect((await discounts())[0]).toMatchObject({ id: made.id, ended_at: expect.any(String) });
        await row(made.id).getByRole('link').click();
        await text('条件に合う注文はありません。').waitFor();
        expect([search(), await isFocused('body')]).toEqual([`?discount_id=${made.id}`, false]);
      });
    });
  },
  { RATE_LIMIT_ENDPOINT_CALLS: '1000', RATE_LIMIT_CHECKOUT: '0', RATE_LIMIT_COMPLETE: '0' },
);
