import { describe, expect, test } from '@jest/globals';
import { renderMarkdown } from '../../shared/text/markdown.ts';
import { accessibilityFaults, overflowOf, settled, smallTargets } from '../support/http/browser.ts';
import { button, focused, heading, isSeen, page, seen } from '../support/http/in-browser.ts';
import { press, reach } from '../support/http/keyboard.ts';
import { sampleAddition, sampleDevices, sampleOffers, sampleReleases } from '../support/samples/sample-purchase.ts';
import {
  answerWith,
  asked,
  describePages,
  goTo,
  key,
  mailLink,
  ok,
  open,
  opened,
  payerLink,
  refused,
  server,
  timesAsked,
} from '../support/scenes/pages/buyer-pages.ts';
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
      await page.getByLabel('Link from the email').waitFor({ state: javaScriptEnabled ? 'visible' : 'hidden' });
      await page.getByLabel('Email address', { exact: true }).fill('someone@example.com');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/manage?sent=yes');
      expect(await heading()).toBe('Check your email');
      await page.getByRole('link', { name: 'Try another address' }).click();
      await page.waitForURL('**/manage');
    },
  );

  describe('updates', () => {
    const updatesUntil = '2025-06-01T09:00:00.000Z';
    const purchase = opened({ files: false, updatesUntil });
    const [release] = sampleReleases().items.filter(({ version }) => version === '3.2.1');
    const isOpen = (version: string) => page.locator('details', { hasText: `Version ${version}` }).getAttribute('open');

    test('are what the license covers, with what each file needs, and the rest with the reason', async () => {
      answerWith({ complete: purchase, releases: ok(sampleReleases()), 'download-intent': refused('update_not_covered') });
      await open(payerLink);
      await seen('Updates ended on Jun 1, 2025.');
      const versions = ['Version 3.3.0-beta.2', 'Version 3.2.1', 'Version 4.0.0'];
      expect(await page.locator('.release-version:visible').allTextContents()).toEqual(versions);
      await seen('Published after your updates ended on Jun 1, 2025.');
      await seen('Download the software above');
      // The tests' browser runs on Linux.
      expect([await isOpen('3.3.0-beta.2'), await isOpen('3.2.1')]).toEqual([null, '']);
      const covered = page.locator('details', { hasText: 'Version 3.2.1' });
      expect(await covered.locator('[data-tag]:visible').allTextContents()).toEqual(['Important update']);
      const files = ['waveform-editor-pro-3.2.1.AppImage', 'waveform-editor-pro-3.2.1-setup.exe'];
      expect(await covered.locator('.file-name').allTextContents()).toEqual(files);
      await seen('Windows 10.0 or later · x64, arm64 · 88.4 MB');
      await covered.getByRole('button', { name: 'Download waveform-editor-pro-3.2.1.AppImage' }).click();
      await seen('Your license does not include this version.');
      expect(asked.at(-1)?.[0]).toBe('files/fil_01KDNX4V5S8G7W9Q2M3B6T1ZT1/download-intent');
    });

    test('come with notes as the writer renders them, of which a browser makes nothing else', async () => {
      const notes = [
        '# New <b onclick="x()">\n\n1. *a* **b** `c<d` &amp; &copy; &#x1f600; &nosuch;  \n   break\n2. > quoted\n\n---\n',
        '3) [web](https://a.example/?b=1&amp;c=2 "t") [no](javascript:x) ![alt](https://a.example/p.png)\n\n```js\n<p>"&lt;\'\n```\n',
        `\`\`\`\n${'a long line of code '.repeat(20)}\n\`\`\`\n`,
        '<script>alert(1)</script>\n\n</p></div>日本語',
      ].join('\n');
      answerWith({ complete: purchase, releases: ok({ items: [{ ...release, notes }] }) });
      await open(payerLink);
      await seen('quoted');
      const shown = await page.locator('.notes').innerHTML();
      // What browsers make of the markup, but for the class, which pages have no use for.
      const markup = renderMarkdown(notes).toString().replaceAll(' class="language-js"', '');
      const elsewhere = await page.context().newPage();
      await elsewhere.setContent(markup);
      expect(shown).toBe(await elsewhere.locator('body').innerHTML());
      expect(shown).toContain('<em>a</em>');
      expect(await overflowOf(page)).toBe(0);
    });

    test('are all there to see while the license is suspended, and none where a version has no file that can be had now', async () => {
      const items = sampleReleases().items.map(({ artifacts: _, ...one }) => ({ ...one, covered: false }));
      answerWith({
        complete: opened({ files: false, updatesUntil, status: 'suspended' }),
        releases: ok({ updates_until: updatesUntil, items }),
      });
      await open(payerLink);
      await seen('Versions can be downloaded only while the license is active.');
      await seen('All versions');
      for (const untrue of ['Updates ended', 'does not include', 'Download the software above']) expect(await isSeen(untrue)).toBe(false);
      const artifacts = release?.artifacts?.map((artifact) => ({ ...artifact, available: false }));
      answerWith({ complete: purchase, releases: ok({ items: [{ ...release, artifacts }] }) });
      await page.reload();
      await seen('No file of this version can be downloaded now.');
      expect(await isSeen('Download the software above')).toBe(false);
    });

    test('are asked for until one is covered, further on by hand, again when that failed, and not for a refresh', async () => {
      const [newest, ...rest] = sampleReleases().items;
      const pages: Record<string, object> = {
        first: { updates_until: updatesUntil, items: [newest], next_cursor: 'second' },
        second: { updates_until: updatesUntil, items: rest.slice(0, 1), next_cursor: 'third' },
        third: { updates_until: updatesUntil, items: rest.slice(1) },
      };
      answerWith({ complete: purchase, releases: ({ cursor = 'first' }) => ok(pages[String(cursor)]) });
      await open(mailLink);
      await seen('Version 3.3.0-beta.2');
      expect(timesAsked('releases')).toBe(2);
      answerWith({ complete: purchase, releases: refused('internal_error', 500) });
      await button('Show more').click();
      await seen('Something went wrong on our side.');
      answerWith({ complete: purchase, releases: ({ cursor = 'first' }) => ok(pages[String(cursor)]) });
      await button('Try again').click();
      await seen('Version 3.2.1');
      expect([await isSeen('Something went wrong'), await button('Show more').isVisible()]).toEqual([false, false]);
      await page.locator('[data-refresh]').click();
      await seen('Up to date.');
      expect(timesAsked('releases')).toBe(4);
    });
  });

  describe('more for a license', () => {
    const licensed = { complete: opened({ used: 2, more: { offers: sampleOffers() } }), devices: ok(sampleDevices()) };
    const payAt = (amount: number, currency = 'usd') => ok({ checkout_url: `${server.baseUrl}/manage`, amount, currency }, 201);
    const part = (name: string) => page.locator('form', { has: page.getByRole('heading', { name }) });
    // Devices and releases that come later move it, so that a pointer may be released beside it, and a key comes to nothing.
    async function buy(name: string): Promise<void> {
      const button = part(name).getByRole('button');
      await button.waitFor();
      await settled(page);
      await button.press('Enter');
    }

    test('says what seats cost together, opens the page on which they are paid, and leads back to the license', async () => {
      answerWith({ ...licensed, additions: () => payAt(3750) });
      await open(mailLink);
      await seen('$12.50 USD for each device');
      await page.getByLabel('How many more').fill('101');
      await buy('More devices');
      await seen('Please enter a whole number from 1 to 100.');
      await page.getByLabel('How many more').fill('3');
      await seen('3 × $12.50 = $37.50 USD');
      await buy('More devices');
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
      expect([page.url(), await isSeen('Back to the license')]).toEqual([`${server.baseUrl}/complete`, false]);
    });

    test('says what updates and upgrades are, and buys either at one press', async () => {
      answerWith({ ...licensed, additions: payAt(1900), upgrades: payAt(6000, 'jpy') });
      await open(mailLink);
      await seen('Updates last 365 days longer');
      await buy('More updates');
      await page.waitForURL('**/manage');
      await page.goBack();
      const upgrade = part('Upgrade to 波形エディター Studio');
      expect(await upgrade.textContent()).toContain('For 1 device; your license has 3 devices.');
      expect(await upgrade.textContent()).toMatch(/Devices that were added .* are not carried over\.[\s\S]*¥6,000/);
      expect(await upgrade.getByRole('link').getAttribute('href')).toBe(`/p/${encodeURIComponent('波形エディター-studio')}`);
      await upgrade.getByRole('button').click();
      await page.waitForURL('**/manage');
      expect(asked.filter(([path]) => path === 'additions' || path === 'upgrades')).toEqual([
        ['additions', { kind: 'updates', locale: 'en' }],
        ['upgrades', { product_id: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZSA', locale: 'en' }],
      ]);
    });

    test('shows a price that has changed before it is paid, and what is no longer offered, or not under this link, not again', async () => {
      const { seat, updates, upgrades = [] } = sampleOffers();
      const offering = (offers: object) => opened({ used: 2, more: { offers } });
      const dearer = sampleOffers({
        seat: { ...seat, unit_amount: 1300 },
        updates: { ...updates, amount: 2100 },
        upgrades: upgrades.map((upgrade) => ({ ...upgrade, amount: upgrade.amount + 700 })),
      });
      await open('/manage');
      for (const [name, amount, currency, total] of [
        ['More devices', 1300, 'USD', '$13.00 USD'],
        ['More updates', 2100, 'USD', '$21.00 USD'],
        ['Upgrade to 波形エディター Studio', 6700, 'JPY', '¥6,700'],
      ] as const) {
        const pay = payAt(amount, currency);
        answerWith({ ...licensed, additions: pay, upgrades: pay });
        await goTo(mailLink);
        await part(name).getByRole('button').waitFor();
        answerWith({ ...licensed, complete: offering(dearer), additions: pay, upgrades: pay });
        await buy(name);
        const told = part(name).locator('[data-outcome]:visible');
        expect(await told.textContent()).toContain('The price has changed.');
        expect(await part(name).textContent()).toContain(total);
        await buy(name);
        await page.waitForURL('**/manage');
      }

      answerWith({ ...licensed, additions: refused('rate_limited', 429, { 'Retry-After': '9' }) });
      await goTo(mailLink);
      await buy('More updates');
      await part('More updates').getByText('Try again in 9 seconds').waitFor();
      answerWith({ ...licensed, complete: offering({}), additions: refused('addition_not_offered', 400) });
      await buy('More updates');
      await part('More updates').waitFor({ state: 'hidden' });
      await seen('This is no longer offered for the license.');
      expect(await isSeen('Add to this license')).toBe(false);
      answerWith({ ...licensed, additions: refused('completion_token_expired') });
      await goTo(mailLink);
      await buy('More updates');
      await seen('Your link has expired');
      expect(await isSeen('Add to this license')).toBe(false);
    });
  });

  const looked = [
    ...['product', 'product-long', 'product-not-on-sale', 'product-code', 'releases', 'checkout', 'checkout-faults', 'cancelled'],
    ...['complete-full', 'complete-offers', 'complete-addition', 'complete-updates', 'complete-release', 'complete-replace'],
    ...['complete-download-expired', 'complete-refunded', 'complete-issuing', 'complete-waiting', 'complete-busy', 'complete-no-link'],
    ...['complete-held', 'complete-bought-before', 'complete-held-disputed', 'complete-waiting-days'],
    ...['manage', 'receipt-qualified', 'receipt-refunded', 'onboarding', 'not-found', 'activate-faults', 'activate-ready'],
  ];
  // Languages and colours take turns.
  test.each([
    { locale: 'ja', colorScheme: 'light', turn: 0 },
    { locale: 'en', colorScheme: 'dark', turn: 1 },
  ] as const)(
    'no state has an accessibility fault that axe finds, or is wider than 320 px, or has targets that a finger misses, $locale, $colorScheme',
    async ({ locale, colorScheme, turn }) => {
      await open('/manage', { colorScheme, locale, reducedMotion: 'reduce', viewport: { width: 320, height: 640 } });
      for (const name of looked.filter((_, index) => index % 2 === turn)) {
        const state = pageStates[name];
        if (!state) throw new Error(`No page is called ${name}.`);
        server.answerWith((path) => answerIn(state, path));
        await page.evaluate('sessionStorage.clear()');
        await goTo(state.path[locale]);
        await page.locator('h1:visible').waitFor();
        await settled(page);
        await state.act?.(page);
        await settled(page);
        expect([name, await accessibilityFaults(page), await overflowOf(page), await smallTargets(page)]).toEqual([name, [], 0, []]);
      }
    },
  );
});
