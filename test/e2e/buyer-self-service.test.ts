import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accessibilityFaults, hasBrowser, settled, smallTargets } from '../support/http/browser.ts';
import { forPayer, sampleDevices, samplePurchase } from '../support/samples/sample-purchase.ts';
import {
  type Answers,
  answerWith,
  asked,
  button,
  focused,
  isSeen,
  kept,
  key,
  leaveBuyerPages,
  mailLink,
  ok,
  open,
  orderId,
  page,
  payerLink,
  refused,
  resetBuyerPages,
  seen,
  server,
  shownText,
  startBuyerPages,
  stopBuyerPages,
  timesAsked,
} from '../support/scenes/pages/buyer-pages.ts';

(hasBrowser ? describe : describe.skip)('what buyers do with their purchase in a browser', () => {
  beforeAll(startBuyerPages);
  afterAll(stopBuyerPages);
  beforeEach(resetBuyerPages);
  afterEach(leaveBuyerPages);

  describe('the address of the payer', () => {
    const forPayers = ok(samplePurchase({ more: forPayer }));
    const focusIn = (selector: string) => page.evaluate(`document.activeElement.matches('${selector}')`);
    const correct = async (address: string) => {
      await page.getByText('Not your address? Correct it').click();
      await page.locator('#correct-email').fill(address);
      await page.locator('#correct-email').press('Enter');
    };

    test('is shown in full, and corrected there, once', async () => {
      answerWith({ complete: forPayers, 'buyer-email': ok({}, 202) });
      await open(payerLink);
      await seen('We emailed your link to buyer@example.com.');
      expect(await isSeen('Did you mean')).toBe(false);
      answerWith({ complete: ok(samplePurchase({ more: { buyer_email: 'carol@example.com' } })), 'buyer-email': ok({}, 202) });
      await correct(' carol@example.com ');
      await seen('The link is on its way to the new address.');
      await seen('We emailed your link to carol@example.com.');
      expect([await isSeen('Not your address?'), await focusIn('[data-corrected]')]).toEqual([false, true]);
      expect(asked).toContainEqual(['buyer-email', { buyer_email: 'carol@example.com' }]);
      expect(await isSeen('Your link no longer works')).toBe(false);
      await page.reload();
      await seen('The link is on its way to the new address.');
      expect(await page.locator('[data-correction]').isVisible()).toBe(false);
    });

    test('that looks mistyped is proposed anew, and sent by the payer alone', async () => {
      answerWith({ complete: ok(samplePurchase({ more: { buyer_email: 'carol@gmial.com' } })), 'buyer-email': ok({}, 202) });
      await open(payerLink);
      await seen('Did you mean carol@gmail.com?');
      expect(await accessibilityFaults(page)).toEqual([]);
      await button('Correct it to this').click();
      expect([await page.locator('#correct-email').inputValue(), await focused(), timesAsked('buyer-email')]).toEqual([
        'carol@gmail.com',
        'correct-email',
        0,
      ]);
      await page.keyboard.press('Enter');
      await seen('The link is on its way to the new address.');
      expect(asked).toContainEqual(['buyer-email', { buyer_email: 'carol@gmail.com' }]);
      expect(await isSeen('Did you mean')).toBe(false);
    });

    test('is asked for where none is known, and promised where the key is still to come', async () => {
      await open(payerLink);
      await seen('We know no email address for this order');
      await seen('Add your email address');
      answerWith({ complete: ok(samplePurchase({ license: false, files: false, more: forPayer })) });
      await page.reload();
      await seen('We will email your link to buyer@example.com.');
    });

    test('is no business of someone with a link from a mail, nor of a refunded purchase', async () => {
      answerWith({ complete: forPayers });
      await open(mailLink);
      await seen(key);
      expect(await page.locator('[data-correction]').isVisible()).toBe(false);
      answerWith({ complete: ok(samplePurchase({ status: 'refunded', orderStatus: 'refunded', more: forPayer })) });
      await page.goto(server.baseUrl + payerLink);
      await seen('This purchase was refunded');
      expect(await page.locator('[data-correction]').isVisible()).toBe(false);
    });

    test.each<[string, number, string]>([
      ['email_already_corrected', 403, 'The address was already corrected once.'],
      ['license_not_usable', 403, 'The address cannot be changed while'],
      ['completion_token_invalid', 403, 'The address can be corrected only on the page'],
      ['completion_token_expired', 403, 'Your link no longer works, so this was not done.'],
      ['rate_limited', 429, 'Try again in 9 seconds'],
      ['internal_error', 500, 'Something went wrong on our side. Try again'],
    ])('stays when the service answers %s, which is said in words of its own', async (code, status, said) => {
      answerWith({ complete: forPayers, 'buyer-email': refused(code, status, { 'Retry-After': '9' }) });
      await open(payerLink);
      await correct('carol@example.com');
      await page.locator('[data-correction]').getByText(said).filter({ visible: true }).waitFor();
      expect(await page.locator('#correct-email').inputValue()).toBe('carol@example.com');
      await page.locator('#correct-email').fill('carol');
      await page.locator('#correct-email').press('Enter');
      await page.locator('[data-correction] [data-invalid]:visible').waitFor();
      expect(await page.locator('[data-correction]').getByText(said).isVisible()).toBe(false);
    });

    test.each([
      ['no address', 0],
      ['a@b', 1],
    ])('%j is none, and the focus stays in the field', async (address, times) => {
      answerWith({ complete: forPayers, 'buyer-email': refused('invalid_request', 400) });
      await open(payerLink);
      await correct(address);
      await page.locator('[data-correction] [data-invalid]:visible').waitFor();
      expect([await focused(), timesAsked('buyer-email')]).toEqual(['correct-email', times]);
    });
  });

  describe('devices', () => {
    const three = sampleDevices(['Studio Mac', undefined, 'ノートPC']);
    const used = (count: number) => ok(samplePurchase({ used: count }));
    const rows = () => page.locator('.device:visible').count();
    const releaseOf = (id: number) => `devices/act_01KDNX4V5S8G7W9Q2M3B6T1Z0${id}/release`;

    test('are listed with their names and since when; none are asked for where none has a seat', async () => {
      answerWith({ complete: used(3), devices: ok(three) });
      await open(mailLink);
      for (const text of [
        'Studio Mac',
        'Unnamed device (6T1Z01)',
        'ノートPC',
        'In use since Jan 30, 2026',
        'Devices you can still release here within 30 days: 5.',
      ])
        await seen(text);
      expect(await page.locator('.device-name').first().getAttribute('dir')).toBe('auto');
      answerWith({});
      await page.reload();
      await seen('No device is using this license yet.');
      expect([await rows(), timesAsked('devices')]).toEqual([0, 1]);
    });

    test('are released after a question, by keyboard, and the outcome is announced', async () => {
      answerWith({ complete: used(3), devices: ok(three) });
      await open(mailLink);
      await button('Release Studio Mac').focus();
      await page.keyboard.press('Enter');
      expect(await focused()).toBe('ask-act_01KDNX4V5S8G7W9Q2M3B6T1Z00');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Release Studio Mac');
      expect(timesAsked(releaseOf(0))).toBe(0);
      await page.keyboard.press('Enter');
      expect(await accessibilityFaults(page)).toEqual([]);
      answerWith({
        complete: used(2),
        devices: ok(sampleDevices(['Left'], { activation_count: 2, moves_left: 4, moves_reset_at: '2026-02-20T12:00:00.000Z' })),
        release: ok({ activation_count: 2, moves_left: 4 }),
      });
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('[data-list-outcome] [role=status]').getByText('Studio Mac was released.').waitFor();
      expect(await focused()).toBe('devices');
      await seen('2 of 3');
      await seen('Devices you can still release here within 30 days: 4.');
      await seen('You can release one more from Feb 20, 2026.');
      expect([timesAsked(releaseOf(0)), await rows()]).toEqual([1, 1]);
    });

    test('that another tab has released are gone here too', async () => {
      answerWith({ complete: used(3), devices: ok(three) });
      await open(mailLink);
      await button('Release Studio Mac').click();
      answerWith({ devices: ok(sampleDevices([' '])), release: ok({ activation_count: 1, moves_left: 3 }) });
      await page.locator('.device [data-confirm]:visible').click();
      await seen('Studio Mac was released.');
      await seen('1 of 3');
      expect(await page.locator('.device-name').allTextContents()).toEqual(['Unnamed device (6T1Z00)']);
    });

    test('can be released no more when the moves are spent; when they are none at all, it says so', async () => {
      answerWith({ complete: used(1), devices: ok(sampleDevices(['Mac'], { moves_left: 0, moves_reset_at: '2026-02-20T12:00:00.000Z' })) });
      await open(mailLink);
      await seen('You cannot release any more devices here for now. You can release one more from Feb 20, 2026.');
      expect(await button('Release Mac').isVisible()).toBe(false);
      answerWith({ complete: used(1), devices: ok(sampleDevices(['Mac'], { moves_left: 0 })) });
      await page.reload();
      await seen('Devices cannot be released on this page.');
      expect(await isSeen('You cannot release any more')).toBe(false);
    });

    test.each<[string, number, string]>([
      ['moves_exhausted', 403, 'You cannot release any more devices here for now.'],
      ['deactivation_not_allowed', 400, 'The terms of this license do not allow'],
      ['activation_not_found', 404, 'This device is no longer in the list.'],
      ['rate_limited', 429, 'Try again in 9 seconds'],
      ['completion_token_expired', 403, 'Your link no longer works'],
    ])('stay when the service answers %s, which is said in the row, and the focus returns', async (code, status, said) => {
      answerWith({ complete: used(3), devices: ok(three), release: refused(code, status, { 'Retry-After': '9' }) });
      await open(mailLink);
      await button('Release ノートPC').click();
      await page.locator('.device [data-confirm]:visible').click();
      await page.locator('.device').nth(2).getByText(said).filter({ visible: true }).waitFor();
      expect(await rows()).toBe(3);
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Release ノートPC');
    });

    test('beyond a page are shown on demand, with the focus on the first of them', async () => {
      const first = sampleDevices(
        Array.from({ length: 50 }, (_, index) => `Device ${index}`),
        { activation_count: 52, next_cursor: 'c-1' },
      );
      const pages: Record<string, object> = {
        'c-1': sampleDevices(['The last but one'], { activation_count: 52, next_cursor: 'c-2' }),
        'c-2': sampleDevices(['The very last'], { activation_count: 52 }),
      };
      answerWith({ complete: used(52), devices: ({ cursor }) => ok(pages[String(cursor)] ?? first) });
      await open(mailLink);
      for (const name of ['The last but one', 'The very last']) {
        await button('Show more').click();
        await seen(name);
        expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(`Release ${name}`);
      }
      expect([await rows(), await button('Show more').isVisible()]).toEqual([52, false]);
    });

    test('that cannot be listed now are asked for again on demand', async () => {
      answerWith({ complete: used(3), devices: refused('rate_limited', 429, { 'Retry-After': '9' }) });
      await open(mailLink);
      await page.locator('[data-devices]').getByText('Try again in 9 seconds').waitFor();
      answerWith({ devices: ok(three) });
      await button('Try again').click();
      await seen('Studio Mac');
      expect([await button('Try again').isVisible(), await isSeen('Try again in')]).toEqual([false, false]);
    });
  });

  describe('a leaked key', () => {
    const newKey = 'LIC1-AAAAA-BBBBB-CCCCC-DDDDD-EEEEE';
    async function ask(): Promise<void> {
      await page.getByText('Has someone else got your key?').click();
      await seen('Every device has to be activated again');
      await button('Replace the key').click();
    }

    test('is replaced after a warning and a question; the new one is shown, and no device is left', async () => {
      answerWith({ complete: ok(samplePurchase({ used: 2 })), devices: ok(sampleDevices()) });
      await open(mailLink);
      await seen('Studio Mac');
      await ask();
      await button('Cancel').and(page.locator(':visible')).click();
      expect(timesAsked('replace-key')).toBe(0);
      const replaced = samplePurchase();
      answerWith({ 'replace-key': refused('internal_error', 500) });
      await button('Replace the key').click();
      await button('Yes, replace it').click();
      await seen('Something went wrong on our side');
      answerWith({ 'replace-key': ok({ ...replaced, license: { ...replaced.license, license_key: newKey } }) });
      await button('Replace the key').click();
      await page.getByRole('group', { name: 'Replace the key now?' }).getByRole('button', { name: 'Yes, replace it' }).click();
      await seen(newKey);
      await seen('Your key was replaced. The old one no longer works');
      await seen('No device is using this license yet.');
      await seen('0 of 3');
      expect([await isSeen(key), await page.locator('.device').count(), await focused()]).toEqual([false, 0, 'key']);
      await page.getByText('Has someone else got your key?').click();
      await seen('Every device has to be activated again');
      expect(await isSeen('Something went wrong on our side')).toBe(false);
    });

    test.each<[string, number, string]>([
      ['wrong_issuance_mode', 400, 'Keys of this product cannot be replaced here.'],
      ['moves_exhausted', 403, 'The key was already replaced in the last 30 days.'],
      ['license_not_usable', 403, 'Only the key of an active license can be replaced.'],
      ['rate_limited', 429, 'Try again in 9 seconds'],
    ])('stays when the service answers %s, which is said there', async (code, status, said) => {
      answerWith({ 'replace-key': refused(code, status, { 'Retry-After': '9' }) });
      await open(mailLink);
      await ask();
      await button('Yes, replace it').click();
      await page.locator('[data-replace-key]').getByText(said).waitFor();
      expect(await isSeen(key)).toBe(true);
      expect(await focused()).toBe('Replace the key');
    });

    test('that another tab has replaced shows the present one', async () => {
      const replaced = samplePurchase();
      await open(mailLink);
      await seen(key);
      answerWith({
        complete: ok({ ...replaced, license: { ...replaced.license, license_key: newKey } }),
        'replace-key': refused('moves_exhausted'),
      });
      await ask();
      await button('Yes, replace it').click();
      await seen(newKey);
    });

    test('is not offered a replacement when the license is not active', async () => {
      answerWith({ complete: ok(samplePurchase({ status: 'suspended' })) });
      await open(mailLink);
      await seen('This license is suspended');
      expect(await page.locator('[data-replace-key]').isVisible()).toBe(false);
    });
  });

  describe('the receipt', () => {
    const receipt = async (options: Parameters<typeof samplePurchase>[0], lang = 'ja') => {
      answerWith({ complete: ok(samplePurchase(options)) });
      await open(mailLink.replace('#', `?lang=${lang}#`));
      await page.locator('a[href^="/receipt"]').click();
      await page.locator('.receipt').waitFor();
      return shownText('.receipt');
    };
    const seller = {
      tokushoho_seller_name: '株式会社みなと工房',
      tokushoho_address: '東京都千代田区\n架空町1-2-3',
      tokushoho_contact: '03-0000-0000',
    };

    test('in Japanese has what a 領収書 has, and is no 適格請求書', async () => {
      const text = await receipt({ seller });
      for (const part of [
        '領収書',
        '宛名',
        '様',
        '￥4,800（税込）',
        '但し、ソフトウェアライセンス代として',
        '上記の金額を正に領収いたしました。',
      ])
        expect(text).toContain(part);
      for (const part of [
        '2026年1月31日',
        orderId,
        '株式会社みなと工房',
        '東京都千代田区\n架空町1-2-3',
        '03-0000-0000',
        'support@harbour.example',
      ])
        expect(text).toContain(part);
      expect(text).toContain('適格請求書（インボイス）ではありません。');
      expect(text).toContain('テストモードのため');
      expect(text).not.toContain('返金');
      expect(await page.title()).toBe(`領収書 ${orderId}`);
    });

    test('names the day of the payment in the zone of the order, wherever and in whichever language it is opened', async () => {
      const purchase = samplePurchase();
      answerWith({ complete: ok({ ...purchase, order: { ...purchase.order, paid_at: '2026-01-30T16:00:00.000Z' } }) });
      for (const [locale, day] of [
        ['ja', '2026年1月31日'],
        ['en', 'January 31, 2026 (GMT+9)'],
      ] as const) {
        await open(mailLink.replace('/complete', '/receipt'), { locale, timezoneId: 'Pacific/Honolulu' });
        await seen(day);
        if (locale === 'ja') await page.context().close();
      }
    });

    test('shows what was refunded, and what is left', async () => {
      const seller = { tokushoho_seller_name: ' ', tokushoho_address: ' ', tokushoho_contact: ' ' };
      const text = await receipt({ orderStatus: 'partially_refunded', refunded: 1200, seller }, 'en');
      expect(text).toMatch(/¥4,800 \(JPY, tax included\)[\s\S]*Refunded\s+¥1,200\s+Remaining amount\s+¥3,600/);
      expect(text).toContain('Harbour Works Ltd.');
      expect(text).not.toContain('Address');
      expect(text).toContain('Contact\nsupport@harbour.example');
      expect(text).not.toContain('disputed');
      expect(text).toContain('The amount above has been received.\n\nOf it, ¥1,200 was refunded later.');
      expect(text).not.toContain('in full');
    });

    test('of a full refund is stamped, and says so where it says that the amount was received', async () => {
      const text = await receipt({ orderStatus: 'refunded', status: 'refunded', refunded: 4800 }, 'ja');
      expect(text).toContain('上記の金額を正に領収いたしました。\n\nその後、全額を返金いたしました。');
      expect(await page.locator('.receipt-stamp').textContent()).toBe('返金済み');
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    test('of a free order confirms it, and says that nothing was paid', async () => {
      const purchase = samplePurchase();
      answerWith({ complete: ok({ ...purchase, order: { ...purchase.order, amount: 0 } }) });
      await open(mailLink.replace('/complete', '/receipt'));
      await seen('Order confirmation');
      await seen('No money was received for it.');
      for (const text of ['The amount above has been received.', 'For a software license', 'Stripe).', 'tax included'])
        expect(await isSeen(text)).toBe(false);
      expect(await page.title()).toBe(`Order confirmation ${orderId}`);
    });

    test('is printed without what is around it, with the name that was filled in', async () => {
      await receipt({ seller });
      await page.locator('#receipt-name').fill('山田商店');
      await page.emulateMedia({ media: 'print' });
      for (const selector of ['.receipt-actions', '.receipt-hint', '.bottom', '.languages'])
        expect(await page.locator(selector).first().isVisible()).toBe(false);
      expect([await page.locator('#receipt-name').isVisible(), await page.locator('.receipt-test').isVisible()]).toEqual([true, true]);
      expect(JSON.stringify(asked)).not.toContain('山田商店');
    });

    test('without a link leads to where one is mailed; a refused link is forgotten, a failure can be tried again', async () => {
      await open('/receipt');
      await seen('Open the receipt from your purchase page');
      answerWith({ complete: refused('internal_error', 500) });
      await page.goto(`${server.baseUrl}${mailLink.replace('/complete', '/receipt')}`);
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

  const states: [string, { colorScheme: 'light' | 'dark'; locale: string; width: number }, Answers, () => Promise<unknown>][] = [
    [
      'everything on it',
      { colorScheme: 'light', locale: 'ja', width: 320 },
      { complete: ok(samplePurchase({ used: 2, more: forPayer })), devices: ok(sampleDevices()) },
      async () => {
        await page.locator('[data-correction] summary').click();
        await page.locator('[data-replace-key] summary').click();
        await page.locator('[data-replace-key] [data-open]').click();
        await page.locator('.device [data-open]').first().click();
      },
    ],
    [
      'an ended link',
      { colorScheme: 'dark', locale: 'en', width: 1280 },
      { complete: ok(samplePurchase({ more: forPayer })), 'download-intent': refused('completion_token_expired') },
      () => page.locator('[data-download]').first().click(),
    ],
  ];
  test.each(states)('the purchase with %s has no accessibility fault and fits, %o', async (_, { width, ...look }, answers, act) => {
    answerWith(answers);
    await open(payerLink, { ...look, viewport: { width, height: 740 }, reducedMotion: 'reduce' });
    await page.locator('.key:visible').waitFor();
    await settled(page);
    await act();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await smallTargets(page)).toEqual([]);
  });
});
