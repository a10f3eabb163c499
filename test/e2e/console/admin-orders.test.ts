import { beforeAll, describe, expect, test } from '@jest/globals';
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
import { sell } from '../../support/scenes/sold-stock.ts';
import { offerProduct } from '../../support/scenes/stack-harness.ts';

const decide = (value: string, within: Parameters<typeof operation>[1] = page) => within.locator(`button[name=decision][value=${value}]`);
const at = (path: string) => page.waitForURL((url) => url.pathname === path);

describeConsole('an admin of orders, records and jobs at the console', () => {
  describe('looks after orders', () => {
    let product: { id: string; slug: string };
    beforeAll(async () => {
      product = await offerProduct(harness, { name: 'Sold' });
    });

    test('found by what people tell, which stays nowhere', async () => {
      const sale = await sell(harness, product.slug);
      await sell(harness, product.slug);
      await openAsAdmin('/console/admin/orders');
      await text('No seller asks for another address.').waitFor();
      const searches = watch('POST', /search$/);
      await field('buyer_email').fill(sale.email);
      await field('license_key').fill(sale.key);
      await operation('searchAllOrders').click();
      await text('Fill in exactly one of the fields.').waitFor();
      expect(searches).toEqual([]);
      await field('license_key').fill('');
      await operation('searchAllOrders').dblclick();
      await said('1 order found');
      expect([searches.length, await page.locator(`section.card tr[data-id="${sale.orderId}"]`).count()]).toEqual([1, 1]);
      await expectFit();
      expect(await kept()).not.toContain(sale.email);

      await page.locator(`section:not(.card) tr[data-id="${sale.orderId}"] a`).first().click();
      await at(`/console/admin/orders/${sale.orderId}`);
      await untilFocused('h1');
      // One that was never paid is without what only paid ones have.
      const { order_id } = await harness.call('POST', `/v1/public/products/${product.slug}/checkout`, { body: {} });
      await go(`/console/admin/orders/${order_id}`);
      await text('It was not paid').waitFor();
      expect(await page.locator('main [data-operation]').count()).toBe(0);
    });

    test('with license, devices, mails and records', async () => {
      const sale = await sell(harness, product.slug);
      const device = { device_fingerprint: 'first'.padEnd(16, '0'), device_label: 'Lap\u200Btop' };
      await harness.call('POST', '/v1/licenses/activate', { body: { product_id: product.id, license_key: sale.key, ...device } });
      await openAsAdmin(`/console/admin/orders/${sale.orderId}`);
      for (const secret of [sale.email, sale.key]) expect(await page.content()).not.toContain(secret);

      await page.getByRole('button', { name: /^Free seat: / }).click();
      expect(await dialog().locator('h2').textContent()).toContain('LapU+200Btop');
      await expectFit();
      await operation('releaseActivation').dblclick();
      await text(/^0 of \d taken/).waitFor();
      await untilFocused();
      await page.locator('td, th').filter({ hasText: 'Seat released' }).first().waitFor();

      await operation('resendOrderLink').click();
      await said('A fresh link is on its way.');
      await harness.mailTo(sale.email, 2);
      const right = `right-${sale.orderId}@example.com`.toLowerCase();
      await field('buyer_email').fill('no address');
      await operation('correctOrderEmail').click();
      await page.getByRole('link', { name: /Right e-mail address/ }).waitFor();
      await field('buyer_email').fill(right);
      expect(await kept()).not.toContain(right);
      await operation('correctOrderEmail').dblclick();
      await said('The address is corrected.');
      expect(await field('buyer_email').inputValue()).toBe('');
      await harness.mailTo(right);

      await operation('createCompletionToken').click();
      const token = (await page.locator('[data-secret]').textContent()) ?? '';
      await expectFit();
      const { license } = await harness.call('POST', '/v1/purchases/complete', { body: { token } });
      expect([license.license_key, (await kept()).includes(token)]).toEqual([sale.key, false]);

      await page.getByRole('button', { name: 'Revoke license' }).click();
      await text('It cannot be undone.').waitFor();
      await field('reason').fill('Bought with a stolen card');
      await reload();
      expect(await page.locator('[data-secret]').count()).toBe(0);
      await page.getByRole('button', { name: 'Revoke license' }).click();
      expect(await field('reason').inputValue()).toBe('Bought with a stolen card');
      await operation('revokeLicense').click();
      await page.locator('h2 .state', { hasText: 'Revoked' }).waitFor();
      await untilFocused();
      expect(await asAdmin('GET', `/v1/admin/licenses/${sale.licenseId}`)).toMatchObject({
        status: 'revoked',
        revoked_reason: 'Bought with a stolen card',
      });
      await page.locator('th', { hasText: 'License revoked' }).waitFor();
    });

    test('whose sellers ask for another address, unless another admin was sooner', async () => {
      const [sale, other] = [await sell(harness, product.slug), await sell(harness, product.slug)];
      const wanted = `wanted-${sale.orderId}@example.com`.toLowerCase();
      for (const [id, buyer_email] of [
        [sale.orderId, wanted],
        [other.orderId, 'nobody@example.com'],
      ])
        await asSeller('POST', `/v1/orders/${id}/buyer-email-request`, { buyer_email });
      await openAsAdmin('/console/admin/orders', { locale: 'ja' });
      const sent = watch('POST', /decide$/);
      const card = (id: string) => page.locator(`li[data-id="${id}"]`);
      await decide('approve', card(sale.orderId)).click();
      await expectFit();
      await operation('decideEmailRequest').dblclick();
      await said('アドレスを訂正しました。');
      await card(sale.orderId).waitFor({ state: 'detached' });
      await untilFocused();
      await harness.mailTo(wanted);
      await decide('reject', card(other.orderId)).click();
      await asAdmin('POST', `/v1/admin/email-requests/${other.orderId}/decide`, { decision: 'reject' });
      await operation('decideEmailRequest').click();
      await text('訂正の依頼はありません。').waitFor();
      await failure('request_not_found').waitFor();
      await untilFocused();
      expect(sent).toHaveLength(2);
    });
  });

  test('reads records by what they are about', async () => {
    const { id } = await offerProduct(harness, { name: 'Recorded' });
    for (let made = 0; made < 50; made += 1) await asSeller('PATCH', '/v1/sellers/me', { contact_email: `seller-${made}@example.com` });
    await openAsAdmin('/console/admin/audit', { locale: 'ja' });
    await page.getByRole('button', { name: 'さらに表示' }).click();
    await until(`document.querySelectorAll('tbody tr').length > 50`);
    await field('target_id').fill(id);
    await page.keyboard.press('Enter');
    await text(`${id} の記録`).waitFor();
    await untilFocused('h1');
    await page.locator('th', { hasText: '商品の承認' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'すべての記録を表示' }).click();
    await field('target_id').fill('\u202Ex<b>');
    await operation('listAudit').click();
    await text('このIDの記録はありません').waitFor();
    await expectFit();
  });

  test('starts jobs again once, and is told when there is nothing to start', async () => {
    const target_id = 'ord_01M8AFZABQQJYDG73SMQ75X7AJ';
    const times = { created_at: '2026-01-01T00:00:00.000Z', due_at: '2026-01-02T00:00:00.000Z' };
    const job = { target_id, attempts: 12, last_failure: 'dependency_\u202Eunavailable', ...times };
    let dead = [
      { id: `send-mail:${target_id}/issuance`, kind: 'send-mail', ...job },
      { id: 'a-later-kind:x', kind: 'a-later-kind', ...job },
    ];
    await openAsAdmin('/console/admin/jobs');
    await text('Nothing was given up.').waitFor();
    await page.route(
      (url) => url.pathname === '/v1/admin/jobs' && url.searchParams.get('state') === 'dead',
      (route) => route.fulfill({ json: { items: dead } }),
    );
    await reload();
    await row('a-later-kind:x').waitFor();
    await expectFit();
    const [first, second] = dead.map(({ id }) => operation('redriveJob').and(page.locator(`[data-target="${id}"]`)));
    await first?.click();
    // The service knows of no such job.
    await failure('job_not_found').waitFor();
    await untilFocused();
    await once(/redrive$/, (route) => {
      dead = dead.slice(0, 1);
      return route.fulfill({ status: 202, json: {} });
    });
    const sent = watch('POST', /redrive$/);
    await second?.dblclick();
    await said('a-later-kind: it is done now');
    await row('a-later-kind:x').waitFor({ state: 'detached' });
    expect(sent).toHaveLength(1);
    await untilFocused();
  });
});
