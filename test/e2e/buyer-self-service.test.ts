import { describe, expect, test } from '@jest/globals';
import { button, closeWindow, focused, isSeen, page, seen } from '../support/http/in-browser.ts';
import { forPayer, sampleDevices, sampleInvoice, samplePurchase } from '../support/samples/sample-purchase.ts';
import {
  answerWith,
  asked,
  describePages,
  kept,
  key,
  mailLink,
  ok,
  open,
  opened,
  orderId,
  payerLink,
  refused,
  shownText,
  timesAsked,
} from '../support/scenes/pages/buyer-pages.ts';

describePages('what buyers do with their purchase in a browser', () => {
  describe('the address of the payer', () => {
    const address = () => page.locator('#correct-email');

    test('is shown in full, stays while the service refuses another, which is said there, and is corrected once', async () => {
      const refuse = (code: string, status: number) =>
        answerWith({ complete: opened({ more: forPayer }), 'buyer-email': refused(code, status, { 'Retry-After': '9' }) });
      refuse('rate_limited', 429);
      await open(payerLink);
      await seen('We emailed your link to buyer@example.com.');
      expect(await isSeen('Did you mean')).toBe(false);
      await page.getByText('Not your address? Correct it').click();
      const correct = async (to: string) => {
        await address().fill(to);
        await address().press('Enter');
      };
      await correct('carol@example.com');
      const said = page.locator('[data-correction]').getByText('Try again in 9 seconds');
      await said.waitFor();
      expect(await address().inputValue()).toBe('carol@example.com');
      const invalid = page.locator('[data-correction] [data-invalid]:visible');
      await correct('carol');
      await invalid.waitFor();
      expect([await said.isVisible(), await focused(), timesAsked('buyer-email')]).toEqual([false, 'correct-email', 1]);
      refuse('invalid_request', 400);
      await Promise.all([page.waitForResponse(/buyer-email$/), correct('a@b')]);
      await invalid.waitFor();
      expect([await focused(), timesAsked('buyer-email')]).toEqual(['correct-email', 2]);

      answerWith({ complete: opened({ more: { buyer_email: 'carol@example.com' } }), 'buyer-email': ok({}, 202) });
      await correct(' carol@example.com ');
      await seen('The link is on its way to the new address.');
      await seen('We emailed your link to carol@example.com.');
      expect(await page.evaluate(`document.activeElement.matches('[data-corrected]')`)).toBe(true);
      for (const untrue of ['Not your address?', 'Your link no longer works']) expect(await isSeen(untrue)).toBe(false);
      expect(asked).toContainEqual(['buyer-email', { buyer_email: 'carol@example.com' }]);
      await page.reload();
      await seen('The link is on its way to the new address.');
      expect(await page.locator('[data-correction]').isVisible()).toBe(false);
    });

    test('that looks mistyped is corrected to what is proposed at one press', async () => {
      answerWith({ complete: opened({ more: { buyer_email: 'carol@gmial.com' } }), 'buyer-email': ok({}, 202) });
      await open(payerLink);
      await seen('Did you mean carol@gmail.com?');
      await button('Correct it to this').click();
      await seen('The link is on its way to the new address.');
      expect(asked.filter(([path]) => path === 'buyer-email')).toEqual([['buyer-email', { buyer_email: 'carol@gmail.com' }]]);
      expect(await isSeen('Did you mean')).toBe(false);
    });
  });

  describe('devices', () => {
    const three = sampleDevices(['Studio Mac', ' ', 'ノートPC']);
    const used = (count: number) => opened({ used: count });
    const rows = () => page.locator('.device:visible').count();
    const confirm = () => page.locator('.device [data-confirm]:visible').click();
    const focusedName = () => page.evaluate('document.activeElement.getAttribute("aria-label")');

    test('are listed with their names and since when, again where that failed, and released by keyboard after a question, as is announced', async () => {
      answerWith({ complete: used(3), devices: refused('rate_limited', 429, { 'Retry-After': '9' }) });
      await open(mailLink);
      await page.locator('[data-devices]').getByText('Try again in 9 seconds').waitFor();
      answerWith({ complete: used(3), devices: ok(three) });
      await button('Try again').click();
      for (const text of ['Studio Mac', 'Unnamed device (6T1Z01)', 'ノートPC', 'In use since Jan 30, 2026']) await seen(text);
      await seen('Devices you can still release here within 30 days: 5.');
      expect([await button('Try again').isVisible(), await isSeen('Try again in')]).toEqual([false, false]);

      const path = 'devices/act_01KDNX4V5S8G7W9Q2M3B6T1Z00/release';
      await button('Release Studio Mac').focus();
      await page.keyboard.press('Enter');
      expect(await focused()).toBe('ask-act_01KDNX4V5S8G7W9Q2M3B6T1Z00');
      await page.keyboard.press('Escape');
      expect([await focusedName(), timesAsked(path)]).toEqual(['Release Studio Mac', 0]);
      await page.keyboard.press('Enter');
      answerWith({
        devices: ok(sampleDevices(['Left'], { moves_left: 4, moves_reset_at: '2026-02-20T12:00:00.000Z' })),
        release: ok({ activation_count: 2, moves_left: 4 }),
      });
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('[data-list-outcome] [role=status]').getByText('Studio Mac was released.').waitFor();
      expect(await focused()).toBe('devices');
      await seen('1 of 3');
      await seen('Devices you can still release here within 30 days: 4.');
      await seen('You can release one more from Feb 20, 2026.');
      // Another tab has released one as well.
      expect([timesAsked(path), await page.locator('.device-name').allTextContents()]).toEqual([1, ['Left']]);
      const asked = timesAsked('devices');
      answerWith({});
      await page.reload();
      await seen('No device is using this license yet.');
      expect([await rows(), timesAsked('devices')]).toEqual([0, asked]);
    });

    test('stay when the service refuses, which is said in the row, and can be released no more when no moves are left', async () => {
      answerWith({ complete: used(3), devices: ok(three), release: refused('moves_exhausted') });
      await open(mailLink);
      await button('Release ノートPC').click();
      await confirm();
      await page
        .locator('.device')
        .nth(2)
        .getByText('You cannot release any more devices here for now.')
        .filter({ visible: true })
        .waitFor();
      expect([await rows(), await focusedName()]).toEqual([3, 'Release ノートPC']);
      const spent = { moves_left: 0, moves_reset_at: '2026-02-20T12:00:00.000Z' };
      answerWith({ complete: used(1), devices: ok(sampleDevices(['Mac'], spent)) });
      await page.reload();
      await seen('You cannot release any more devices here for now. You can release one more from Feb 20, 2026.');
      expect(await button('Release Mac').isVisible()).toBe(false);
      answerWith({ complete: used(1), devices: ok(sampleDevices(['Mac'], { moves_left: 0 })) });
      await page.reload();
      await seen('Devices cannot be released on this page.');
      expect(await isSeen('You cannot release any more')).toBe(false);
    });

    test('beyond a page are shown on demand, with the focus on the first of them', async () => {
      const all = { activation_count: 52 };
      const first = sampleDevices(
        [...Array(50).keys()].map((index) => `Device ${index}`),
        { ...all, next_cursor: 'c-1' },
      );
      const pages: Record<string, object> = {
        'c-1': sampleDevices(['The last but one'], { ...all, next_cursor: 'c-2' }),
        'c-2': sampleDevices(['The very last'], all),
      };
      answerWith({ complete: used(52), devices: ({ cursor }) => ok(pages[String(cursor)] ?? first) });
      await open(mailLink);
      for (const name of ['The last but one', 'The very last']) {
        await button('Show more').click();
        await seen(name);
        expect(await focusedName()).toBe(`Release ${name}`);
      }
      expect([await rows(), await button('Show more').isVisible()]).toEqual([52, false]);
    });
  });

  describe('a leaked key', () => {
    const newKey = 'LIC1-AAAAA-BBBBB-CCCCC-DDDDD-EEEEE';
    const replaced = ok({ ...samplePurchase(), license: { ...samplePurchase().license, license_key: newKey } });
    async function ask(): Promise<void> {
      await page.getByText('Has someone else got your key?').click();
      await seen('Every device has to be activated again');
      await button('Replace the key').click();
    }

    test('is replaced after a warning and a question; the new one is shown, and no device is left', async () => {
      answerWith({ complete: opened({ used: 2 }), devices: ok(sampleDevices()) });
      await open(mailLink);
      await seen('Studio Mac');
      await ask();
      await button('Cancel').and(page.locator(':visible')).click();
      expect(timesAsked('replace-key')).toBe(0);
      answerWith({ 'replace-key': refused('internal_error', 500) });
      await button('Replace the key').click();
      await button('Yes, replace it').click();
      await page.locator('[data-replace-key]').getByText('Something went wrong on our side').waitFor();
      expect([await isSeen(key), await focused()]).toEqual([true, 'Replace the key']);
      answerWith({ 'replace-key': replaced });
      await button('Replace the key').click();
      await page.getByRole('group', { name: 'Replace the key now?' }).getByRole('button', { name: 'Yes, replace it' }).click();
      for (const text of [newKey, 'Your key was replaced. The old one no longer works', 'No device is using this license yet.', '0 of 3'])
        await seen(text);
      expect([await isSeen(key), await page.locator('.device').count(), await focused()]).toEqual([false, 0, 'key']);
      await page.getByText('Has someone else got your key?').click();
      await seen('Every device has to be activated again');
      expect(await isSeen('Something went wrong on our side')).toBe(false);
    });

    test('that another tab has replaced shows the present one', async () => {
      await open(mailLink);
      await seen(key);
      answerWith({ complete: replaced, 'replace-key': refused('moves_exhausted') });
      await ask();
      await button('Yes, replace it').click();
      await seen(newKey);
    });
  });

  describe('the receipt', () => {
    const seller = {
      tokushoho_seller_name: '株式会社みなと工房',
      tokushoho_address: '東京都千代田区\n架空町1-2-3',
      tokushoho_contact: '03-0000-0000',
    };
    const receiptLink = mailLink.replace('/complete', '/receipt');
    const receipt = async (options: Parameters<typeof samplePurchase>[0], locale = 'ja') => {
      answerWith({ complete: opened(options) });
      await open(receiptLink, { locale, timezoneId: 'Pacific/Honolulu' });
      await page.locator('.receipt').waitFor();
      return shownText('.receipt');
    };

    test('is opened from the purchase, and printed without what is around it, with the name that was filled in', async () => {
      answerWith({ complete: opened({ seller }) });
      await open(mailLink.replace('#', '?lang=ja#'));
      await page.locator('a[href^="/receipt"]').click();
      await page.locator('.receipt').waitFor();
      const text = await shownText('.receipt');
      for (const part of ['領収書', '宛名', '様', '￥4,800（税込）', '2026年1月31日', orderId, 'テストモードのため'])
        expect(text).toContain(part);
      for (const part of ['株式会社みなと工房', '東京都千代田区\n架空町1-2-3', '03-0000-0000', 'support@harbour.example'])
        expect(text).toContain(part);
      expect(await page.title()).toBe(`領収書 ${orderId}`);
      await page.locator('#receipt-name').fill('山田商店');
      await page.emulateMedia({ media: 'print' });
      for (const selector of ['.receipt-actions', '.receipt-hint', '.bottom', '.languages'])
        expect(await page.locator(selector).first().isVisible()).toBe(false);
      expect([await page.locator('#receipt-name').isVisible(), await page.locator('.receipt-test').isVisible()]).toEqual([true, true]);
      expect(JSON.stringify(asked)).not.toContain('山田商店');
    });

    test('names the day of the payment in the zone of the order, wherever it is opened, what was refunded and what is left', async () => {
      const empty = { tokushoho_seller_name: ' ', tokushoho_address: ' ', tokushoho_contact: ' ' };
      const order = { paid_at: '2026-01-30T16:00:00.000Z' };
      const text = await receipt({ orderStatus: 'partially_refunded', refunded: 1200, seller: empty, order }, 'en');
      expect(text).toContain('January 31, 2026 (GMT+9)');
      expect(text).toMatch(/¥4,800 \(JPY, tax included\)[\s\S]*Refunded\s+¥1,200\s+Remaining amount\s+¥3,600/);
      for (const part of [
        'Harbour Works Ltd.',
        'Contact\nsupport@harbour.example',
        'The amount above has been received.\n\nOf it, ¥1,200 was',
      ])
        expect(text).toContain(part);
      for (const untrue of ['Address', 'disputed', 'in full']) expect(text).not.toContain(untrue);
      await closeWindow();
      expect(await receipt({ order: { ...order, amount: 0 } }, 'en')).toContain('No money was received for it.');
      expect(await page.title()).toBe(`Order confirmation ${orderId}`);
    });

    test('is a 適格簡易請求書, with a 適格返還請求書 after refunds, of the operator where that issues it, on one page', async () => {
      const refunds = [{ amount: 1200, tax_amount: 88, refunded_at: '2026-02-02T16:00:00.000Z' }];
      const operator = { operator_name: '株式会社ミナト', operator_registration_number: 'T9876543210987' };
      const text = await receipt({
        orderStatus: 'partially_refunded',
        seller,
        more: { added: '3 seats' },
        order: { quantity: 3, unit_amount: 1600, invoice: sampleInvoice(8, { ...operator, refunds }) },
      });
      const [line, back] = text.replaceAll(/\s+/g, ' ').split('適格返還請求書');
      expect(line).toMatch(/^適格簡易請求書 .* 商品 Waveform Editor Pro: 3 seats ※軽減税率対象 数量 3 単価 ￥1,600 /);
      expect(line).toContain('8 % 対象（軽減税率、税込） ￥4,800 うち消費税 ￥355');
      expect(line).toContain('返金額 ￥1,200 返金後の金額 ￥3,600');
      // In the language of its order.
      expect(await page.locator('.receipt > .facts [data-field="added"]').getAttribute('lang')).toBe('en');
      expect(line).toMatch(/発行者 株式会社ミナト 媒介者交付特例により委託者株式会社みなと工房に代わり交付 登録番号 T9876543210987/);
      expect(back).toMatch(
        /^ 返還日 2026年2月3日 .* 8 % 対象（軽減税率、税込） ￥1,200 うち消費税 ￥88 発行者 株式会社ミナト 登録番号 T9876543210987/,
      );
      expect(back).toContain('販売者（委託者） 株式会社みなと工房 媒介者交付特例により委託者株式会社みなと工房に代わり交付');
      expect(await page.title()).toMatch(/^適格簡易請求書 /);
      const sheets = (await page.pdf({ format: 'A4', printBackground: true })).toString('latin1').match(/\/Type\s*\/Page\b/g);
      expect(sheets).toHaveLength(1);
    });

    test('without a link leads to where one is mailed; a refused link is forgotten, a failure can be tried again', async () => {
      answerWith({ complete: refused('internal_error', 500) });
      await open(receiptLink);
      await seen('Something went wrong on our side');
      await page.context().setOffline(true);
      await button('Try again').click();
      await seen('You are offline');
      await page.context().setOffline(false);
      expect(Object.keys(await kept())).toContain('purchase-link');
      answerWith({ complete: refused('completion_token_expired') });
      await button('Try again').click();
      await seen('Open the receipt from your purchase page');
      expect(await kept()).toEqual({});
      await page.getByRole('link', { name: 'Find my purchases' }).click();
      await page.waitForURL('**/manage');
    });
  });
});
