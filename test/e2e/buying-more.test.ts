import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hasBrowser } from '../support/http/browser.ts';
import { sampleAddition, sampleDevices, sampleInvoice, sampleOffers, samplePurchase } from '../support/samples/sample-purchase.ts';
import {
  answerWith,
  asked,
  button,
  heading,
  isSeen,
  key,
  leaveBuyerPages,
  mailLink,
  ok,
  open,
  page,
  payerLink,
  refused,
  resetBuyerPages,
  seen,
  server,
  shownText,
  startBuyerPages,
  stopBuyerPages,
} from '../support/scenes/pages/buyer-pages.ts';

(hasBrowser ? describe : describe.skip)('buying more in a browser', () => {
  beforeAll(startBuyerPages);
  afterAll(stopBuyerPages);
  beforeEach(resetBuyerPages);
  afterEach(leaveBuyerPages);

  test('several with a discount code takes no script', async () => {
    await open('/p/team', { javaScriptEnabled: false });
    await page.getByLabel('Quantity').fill('3');
    await page.getByLabel('Discount code').fill('spring-25');
    await page.getByRole('button', { name: 'Buy' }).click();
    await seen('Continue to payment – $110.25');
    expect(new URL(page.url()).search).toBe('?quantity=3&code=spring-25');
    await page.getByText('Quantity and discount code').click();
    await page.getByLabel('Quantity').fill('2');
    await page.getByRole('button', { name: 'Show the new total' }).click();
    await page.getByRole('button', { name: 'Continue to payment – $73.50' }).click();
    await page.waitForURL('**/hosted-checkout/team');
  });

  describe('for a license', () => {
    const licensed = { complete: ok(samplePurchase({ used: 2, more: { offers: sampleOffers() } })), devices: ok(sampleDevices()) };
    const payAt = (path: string, amount: number, currency = 'usd') =>
      ok({ checkout_url: `${server.baseUrl}${path}`, amount, currency }, 201);
    const part = (name: string) => page.locator('form', { has: page.getByRole('heading', { name }) });

    test('says what seats cost together, opens the page on which they are paid, and leads back to the license', async () => {
      answerWith({ ...licensed, additions: () => payAt('/manage', 3750) });
      await open(mailLink);
      await seen('$12.50 USD for each device');
      await page.getByLabel('How many more').fill('101');
      await part('More devices').getByRole('button').click();
      await seen('Please enter a whole number from 1 to 100.');
      await page.getByLabel('How many more').fill('3');
      await seen('3 × $12.50 = $37.50 USD');
      await part('More devices').getByRole('button').click();
      await page.waitForURL('**/manage');
      expect(asked.filter(([path]) => path === 'additions')).toEqual([['additions', { kind: 'seats', quantity: 3, locale: 'en' }]]);

      const licenseLink = mailLink.split('token=')[1];
      answerWith({ ...licensed, complete: ({ token }) => (token === licenseLink ? licensed.complete : ok(sampleAddition())) });
      await page.goto(server.baseUrl + payerLink);
      await seen('3 seats');
      expect(await heading()).toBe('Your payment is confirmed.');
      expect([await isSeen(key), await page.locator('.key-card').isVisible()]).toEqual([false, false]);
      expect(await page.locator('[data-field="added"]').getAttribute('lang')).toBeNull();
      await button('Back to the license').click();
      await seen(key);
      expect(page.url()).toBe(`${server.baseUrl}/complete`);
      expect(await isSeen('Back to the license')).toBe(false);
    });

    test('says what updates and upgrades are, and buys either at one press', async () => {
      answerWith({ ...licensed, additions: payAt('/manage', 1900), upgrades: payAt('/manage', 6000, 'jpy') });
      await open(mailLink);
      await seen('Updates last 365 days longer');
      await part('More updates').getByRole('button').click();
      await page.waitForURL('**/manage');
      await page.goBack();
      const upgrade = part('Upgrade to 波形エディター Studio');
      expect(await upgrade.textContent()).toMatch(/Seats that were added .* are not carried over\.[\s\S]*¥6,000/);
      expect(await upgrade.getByRole('link').getAttribute('href')).toBe(`/p/${encodeURIComponent('波形エディター-studio')}`);
      await upgrade.getByRole('button').click();
      await page.waitForURL('**/manage');
      expect(asked.filter(([path]) => path.endsWith('s') && path !== 'devices' && path !== 'releases')).toEqual([
        ['additions', { kind: 'updates', locale: 'en' }],
        ['upgrades', { product_id: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZSA', locale: 'en' }],
      ]);
    });

    test('shows a price that has changed before it is paid, and what is no longer offered not again', async () => {
      const { seat, updates, upgrades = [] } = sampleOffers();
      const offering = (offers: object) => ok(samplePurchase({ used: 2, more: { offers } }));
      const dearer = sampleOffers({
        seat: { ...seat, unit_amount: 1300 },
        updates: { ...updates, amount: 2100 },
        upgrades: upgrades.map((upgrade) => ({ ...upgrade, amount: upgrade.amount + 700 })),
      });
      for (const [name, amount, currency, total] of [
        ['More devices', 1300, 'USD', '$13.00 USD'],
        ['More updates', 2100, 'USD', '$21.00 USD'],
        ['Upgrade to 波形エディター Studio', 6700, 'JPY', '¥6,700'],
        ['Upgrade to Waveform Suite', 700, 'USD', '$7.00 USD'],
      ] as const) {
        const pay = payAt('/manage', amount, currency);
        answerWith({ ...licensed, additions: pay, upgrades: pay });
        await open(mailLink);
        await part(name).getByRole('button').waitFor();
        answerWith({ ...licensed, complete: offering(dearer), additions: pay, upgrades: pay });
        await part(name).getByRole('button').click();
        await part(name).getByText('The price has changed.').waitFor();
        expect(await part(name).textContent()).toContain(total);
        await part(name).getByRole('button').click();
        await page.waitForURL('**/manage');
        await leaveBuyerPages();
      }

      answerWith({ ...licensed, additions: refused('addition_not_offered', 400) });
      await open(mailLink);
      await part('More updates').getByRole('button').waitFor();
      answerWith({ ...licensed, complete: offering({}), additions: refused('addition_not_offered', 400) });
      await part('More updates').getByRole('button').click();
      await part('More updates').waitFor({ state: 'hidden' });
      await seen('This is no longer offered for the license.');
      expect(await isSeen('Add to this license')).toBe(false);
    });

    test('says why nothing can be bought, by the code that the service answers', async () => {
      await open(mailLink);
      for (const [code, status, said] of [
        ['addition_not_offered', 400, 'This is no longer offered for the license.'],
        ['checkout_not_available', 403, 'This product cannot be bought now'],
        ['rate_limited', 429, 'There were many requests from your network.'],
        ['invalid_request', 400, 'The license cannot have that much more.'],
        ['license_not_usable', 403, 'The license cannot be used right now'],
        ['completion_token_expired', 403, 'Your link has expired'],
      ] as const) {
        answerWith({ ...licensed, additions: refused(code, status) });
        if (code === 'addition_not_offered') await page.reload();
        await part('More updates').getByRole('button').click();
        await seen(said);
      }
      expect(await isSeen('Add to this license')).toBe(false);
    });
  });

  describe('the receipt of a seller with a number', () => {
    const seller = { tokushoho_address: '東京都千代田区\n架空町1-2-3', tokushoho_contact: '03-0000-0000' };
    const receipt = async (options: Parameters<typeof samplePurchase>[0]) => {
      answerWith({ complete: ok(samplePurchase({ seller, ...options })) });
      await open(mailLink.replace('/complete', '/receipt'), { locale: 'ja' });
      await page.locator('.receipt').waitFor();
      return (await shownText('.receipt')).replace(/\s+/g, ' ');
    };

    test('is a 適格簡易請求書, with a 適格返還請求書 after refunds, of the operator where that issues it, on one page', async () => {
      const refunds = [{ amount: 1200, tax_amount: 88, refunded_at: '2026-02-02T16:00:00.000Z' }];
      const operator = { operator_name: '株式会社ミナト', operator_registration_number: 'T9876543210987' };
      const text = await receipt({
        refunded: 1200,
        orderStatus: 'partially_refunded',
        more: { added: '3 追加席' },
        order: { quantity: 3, unit_amount: 1600, invoice: sampleInvoice(8, { ...operator, refunds }) },
      });
      expect(text).toMatch(/^適格簡易請求書 .* 商品 Waveform Editor Pro: 3 追加席 ※軽減税率対象 数量 3 単価 ￥1,600 /);
      expect(text).toContain('8 % 対象（軽減税率、税込） ￥4,800 うち消費税 ￥355');
      expect(text).toMatch(/発行者 株式会社ミナト 媒介者交付特例により委託者株式会社みなと工房に代わり交付 登録番号 T9876543210987/);
      expect(text).toMatch(
        /適格返還請求書 返還日 2026年2月3日 .* 8 % 対象（軽減税率、税込） ￥1,200 うち消費税 ￥88 発行者 株式会社ミナト 登録番号 T9876543210987 販売者（委託者） 株式会社みなと工房 媒介者交付特例により委託者株式会社みなと工房に代わり交付/,
      );
      expect(text).not.toContain('ではありません。 ');
      expect(await page.title()).toMatch(/^適格簡易請求書 /);
      const sheets = (await page.pdf({ format: 'A4', printBackground: true })).toString('latin1').match(/\/Type\s*\/Page\b/g);
      expect(sheets).toHaveLength(1);
    });

    test('says what was added in the language of the order, which it names on a page in another', async () => {
      await receipt({ more: { added: '3 seats' } });
      const added = page.locator('.receipt > .facts [data-field="added"]');
      expect([await added.textContent(), await added.getAttribute('lang')]).toEqual([': 3 seats', 'en']);
    });

    test('says of a lost dispute what went back, as its 適格返還請求書 does', async () => {
      const refunds = [{ amount: 4800, tax_amount: 436, refunded_at: '2026-03-02T16:00:00.000Z' }];
      const text = await receipt({
        orderStatus: 'disputed',
        status: 'disputed',
        order: { payment_status: 'lost', invoice: sampleInvoice(10, { refunds }) },
      });
      expect(text).toContain('その後、異議申し立てにより、カード会社を通じて支払いが返還されました。');
      expect(text).toMatch(/数量 1 .* 返金額 ￥4,800 返金後の金額 ￥0 .* 適格返還請求書 返還日 2026年3月3日 .* ￥4,800/);
      expect(text).not.toContain('申し立て中');
    });

    test('names number and rate of what is not taxed', async () => {
      const text = await receipt({ order: { invoice: sampleInvoice(0) } });
      expect(text).toMatch(/^領収書 .* 税率 0 %\/対象外 ￥4,800 うち消費税 ￥0 発行者 株式会社みなと工房 登録番号 T1234567890123/);
      expect(text).not.toMatch(/適格|軽減|媒介者|単価/);
    });
  });
});
