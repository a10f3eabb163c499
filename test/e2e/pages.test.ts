import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, overflowOf, settled, smallTargets } from '../support/http/browser.ts';
import { button, focused, heading, page, seen } from '../support/http/in-browser.ts';
import { press, reach } from '../support/http/keyboard.ts';
import { describePages, open, server } from '../support/scenes/pages/buyer-pages.ts';
import { answerIn, pageStates } from '../support/scenes/pages/page-states.ts';

describePages('the pages in a browser', () => {
  describe('on the way to the checkout', () => {
    test('the keyboard alone is enough, and shows where it is', async () => {
      await open('/p/waveform-editor-pro');
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('Skip to content');
      await press(page, page.getByRole('link', { name: 'Buy' }));
      await seen('Review your order');
      await reach(page, button('Continue to payment – $49.00'));
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/hosted-checkout/waveform-editor-pro');
    });

    test('several with a discount code take no script', async () => {
      await open('/p/team', { javaScriptEnabled: false });
      await page.getByLabel('Quantity').fill('3');
      await page.getByLabel('Discount code').fill('spring-25');
      await button('Buy').click();
      await seen('Continue to payment – $110.25');
      expect(new URL(page.url()).search).toBe('?quantity=3&code=spring-25');
      await page.getByText('Quantity and discount code').click();
      await page.getByLabel('Quantity').fill('2');
      await button('Show the new total').click();
      await button('Continue to payment – $73.50').click();
      await page.waitForURL('**/hosted-checkout/team');
    });

    test('on a phone the first screen holds the total and the button, and no step leaves a letter alone', async () => {
      await open('/p/waveform-editor-pro/checkout?lang=ja', { viewport: { width: 390, height: 844 } });
      const order = await page.getByRole('button').boundingBox();
      const total = await page.locator('.card').getByText('お支払い合計').boundingBox();
      expect((order?.y ?? 0) + (order?.height ?? 0)).toBeLessThan(844);
      expect(total?.y).toBeLessThan(order?.y ?? 0);
      await page.setViewportSize({ width: 320, height: 700 });
      const widths = await page.evaluate<number[]>(
        `{ const range = document.createRange(); range.selectNodeContents(document.querySelector('.steps li:last-child > span')); [...range.getClientRects()].map(({ width }) => width) }`,
      );
      expect(Math.min(...widths)).toBeGreaterThan(20);
    });

    test('what a seller wrote runs no code', async () => {
      await open('/p/hostile');
      await settled(page);
      expect(await page.title()).toContain('<script>alert(1)</script>');
    });
  });

  test.each([true, false])(
    'the fixed address mails links, with JavaScript (%s), and answers every address alike',
    async (javaScriptEnabled) => {
      await open('/manage', { javaScriptEnabled });
      await page.getByLabel('Email address', { exact: true }).fill('someone@example.com');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/manage?sent=yes');
      expect(await heading()).toBe('Check your email');
      await page.getByRole('link', { name: 'Try another address' }).click();
      await page.waitForURL('**/manage');
    },
  );

  const looked = [
    ...['product', 'product-long', 'product-not-on-sale', 'product-code', 'releases', 'checkout', 'checkout-faults', 'cancelled'],
    ...['complete-full', 'complete-offers', 'complete-addition', 'complete-updates', 'complete-release', 'complete-replace'],
    ...['complete-download-expired', 'complete-refunded', 'complete-issuing', 'complete-waiting', 'complete-busy', 'complete-no-link'],
    ...['manage', 'receipt-qualified', 'receipt-refunded', 'onboarding', 'not-found', 'activate-faults', 'activate-ready'],
  ];
  // Languages and colours take turns.
  const looks = [
    { locale: 'ja', colorScheme: 'light' },
    { locale: 'en', colorScheme: 'dark' },
  ] as const;
  test.each(looked.map((name, index) => ({ name, ...(looks[index % 2] ?? looks[0]) })))(
    '$name has no accessibility fault that axe finds, fits 320 px, and has targets that a finger finds, $locale, $colorScheme',
    async ({ name, locale, colorScheme }) => {
      const state = pageStates[name];
      if (!state) throw new Error(`No page is called ${name}.`);
      server.answerWith((path) => answerIn(state, path));
      await open(state.path[locale], { colorScheme, locale, reducedMotion: 'reduce', viewport: { width: 320, height: 640 } });
      await page.locator('h1:visible').waitFor();
      await settled(page);
      await state.act?.(page);
      await settled(page);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      expect(await smallTargets(page)).toEqual([]);
    },
  );
});
