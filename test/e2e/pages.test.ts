import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults, hasBrowser, launchBrowser, openPage, settled, smallTargets } from '../support/http/browser.ts';
import { type ApiAnswer, type PageServer, startPageServer } from '../support/http/page-server.ts';
import {
  sampleAddition,
  sampleDevices,
  sampleInvoice,
  sampleOffers,
  samplePurchase,
  sampleToken,
} from '../support/samples/sample-purchase.ts';

const token = sampleToken('redirect');
const key = 'LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA';

const opened = (options: Parameters<typeof samplePurchase>[0] = {}) => ({ status: 200, body: samplePurchase(options) });
const refused = (code: string, status = 403) => ({ status, body: { code, message: 'x', request_id: 'r' } });

let browser: Browser;
let server: PageServer;
let page: Page;
let complaints: string[];

async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  ({ page, complaints } = await openPage(browser, options));
  await page.goto(server.baseUrl + path);
}

/** Whoever is asked for releases has none. */
const answerWith = (answer: ApiAnswer) =>
  server.answerWith((path, body) => (path.endsWith('/releases') ? { status: 200, body: { items: [] } } : answer(path, body)));

const heading = () => page.locator('h1:visible').textContent();
const seen = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor();

(hasBrowser ? describe : describe.skip)('the pages in a browser', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await startPageServer();
  });
  afterAll(() => Promise.all([browser?.close(), server?.stop()]));

  beforeEach(() => {
    server.requests.length = 0;
    answerWith(() => opened());
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  describe('the completion page', () => {
    test('shows the key, and leaves the token in no address, request line or referrer, and in the storage of this tab alone', async () => {
      await open(`/complete#token=${token}`);
      await seen(key);
      expect(await heading()).toBe('Thank you. Here is your license key.');
      await page.locator('[data-picture] img').waitFor();
      expect(page.url()).toBe(`${server.baseUrl}/complete`);
      expect(JSON.stringify(server.requests)).not.toContain(token);
      expect(server.requests.every(({ referrer }) => referrer === undefined)).toBe(true);
      const kept = await page.evaluate('[localStorage.length, { ...sessionStorage }, document.cookie, JSON.stringify(history.state)]');
      expect(kept).toEqual([0, { 'purchase-link': token, 'purchase-shown': 'yes' }, '', 'null']);
      expect(await page.context().cookies()).toEqual([]);
    });

    test('waits until the payment is confirmed, goes on by itself, and announces it to a screen reader', async () => {
      let asked = 0;
      answerWith(() => {
        asked += 1;
        return asked < 3 ? refused('order_not_paid') : opened();
      });
      await open(`/complete#token=${token}`);
      await seen('Confirming your order');
      expect(await page.getByRole('progressbar').isVisible()).toBe(true);
      await seen(key);
      expect(await page.locator('[data-announce]').textContent()).toBe('Thank you. Here is your license key.');
      expect(asked).toBe(3);
    });

    test('gives advice after a minute, polls less than the rate limit allows, and stops after a quarter of an hour', async () => {
      let asked = 0;
      answerWith(() => {
        asked += 1;
        return refused('order_not_paid');
      });
      ({ page, complaints } = await openPage(browser));
      await page.clock.install();
      await page.goto(`${server.baseUrl}/complete#token=${token}`);
      await seen('Confirming your order');
      for (let second = 0; second < 58; second += 1) await page.clock.runFor(1000);
      expect(await page.getByText('This is taking longer than usual').isVisible()).toBe(false);
      expect(asked).toBeLessThan(20);
      for (let second = 0; second < 15; second += 1) await page.clock.runFor(1000);
      await seen('This is taking longer than usual');
      await seen('You can close this page.');
      for (let tick = 0; tick < 100; tick += 1) await page.clock.runFor(10_000);
      await seen('This page has stopped checking by itself.');
      const before = asked;
      answerWith(() => opened());
      await page.getByRole('button', { name: 'Check now' }).click();
      await seen(key);
      expect(before).toBeLessThan(120);
    });

    test('copies the key as one word', async () => {
      await open(`/complete#token=${token}`, { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.getByRole('button', { name: 'Copy the key' }).click();
      await seen('Copied.');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    });

    test('selects the key where the clipboard is out of reach', async () => {
      ({ page, complaints } = await openPage(browser));
      await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("denied"))');
      await page.goto(`${server.baseUrl}/complete#token=${token}`);
      await page.getByRole('button', { name: 'Copy the key' }).click();
      await seen('The key is selected');
      expect(await page.evaluate('getSelection().toString()')).toBe(key);
    });

    test('downloads a file, and shows why when it may not', async () => {
      const asked: unknown[] = [];
      answerWith((path, body) => {
        if (path.endsWith('/complete')) return opened();
        if (path === '/v1/stored-file') return { status: 200, body: 'bytes', headers: { 'Content-Disposition': 'attachment' } };
        asked.push([path, body]);
        return { status: 200, body: { download_url: `${server.baseUrl}/v1/stored-file`, expires_at: '2026-01-31T09:05:00.000Z' } };
      });
      await open(`/complete#token=${token}`);
      const button = page.getByRole('button', { name: 'Download waveform-editor-pro-3.2.1-macos.dmg' });
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(await download.failure()).toBe(null);
      await seen('The download has started.');
      expect(asked).toEqual([['/v1/purchases/files/fil_01KDNX4V5S8G7W9Q2M3B6T1ZRA/download-intent', { token }]]);

      answerWith(() => refused('file_not_available'));
      await button.click();
      await seen('This file cannot be downloaded at the moment.');
      answerWith((path) =>
        path.endsWith('/complete') ? opened({ status: 'refunded', orderStatus: 'refunded' }) : refused('license_not_usable'),
      );
      await button.click();
      await seen('This purchase was refunded');
      expect(await page.getByText(key).isVisible()).toBe(false);
    });

    test.each([
      ['refunded', 'This purchase was refunded', false],
      ['disputed', 'This payment is disputed with the card issuer', false],
      ['revoked', 'This license was revoked', false],
      ['suspended', 'This license is suspended', true],
      ['expired', 'This license has expired', true],
    ])('says in plain words that a license is %s', async (status, sentence, showsKey) => {
      answerWith(() => opened({ status }));
      await open(`/complete#token=${token}`);
      await seen(sentence);
      expect(await page.getByText(key).isVisible()).toBe(showsKey);
      expect(await page.getByText('Thank you').isVisible()).toBe(false);
      for (const place of ['#devices', '[data-field="seats"]']) expect(await page.locator(place).isVisible()).toBe(status !== 'refunded');
      const again = page.getByRole('link', { name: 'Buy it again' });
      expect(await again.isVisible()).toBe(status === 'refunded');
      if (status === 'refunded') expect(await again.getAttribute('href')).toBe('/p/waveform-editor-pro');
    });

    test('shows that a key is still being prepared, and that part of the price was refunded', async () => {
      answerWith(() => opened({ license: false, files: false }));
      await open(`/complete#token=${token}`);
      await seen('Your order is confirmed; your key is on its way');
      answerWith(() => opened({ orderStatus: 'partially_refunded' }));
      await seen(key);
      await seen('Part of the amount was refunded.');
    });

    test.each([
      ['completion_token_expired', 'Your link has expired', true],
      ['completion_token_invalid', 'This link does not work', true],
      ['order_not_found', 'This link does not work', true],
      ['order_expired', 'This order was not completed', false],
    ])('says what %s means, and offers a fresh link where one helps', async (code, sentence, offersLink) => {
      answerWith(() => refused(code));
      await open(`/complete#token=${token}`);
      await seen(sentence);
      expect(await page.getByRole('button', { name: 'Email me a new link' }).isVisible()).toBe(offersLink);
    });

    test('without a link offers to send one; a link opened in the same tab then works', async () => {
      await open('/complete');
      await seen('Open this page with your link');
      await page.goto(`${server.baseUrl}/complete#token=${token}`);
      await seen(key);
      expect(page.url()).toBe(`${server.baseUrl}/complete`);
      expect(JSON.stringify(server.requests)).not.toContain(token);
    });

    test('keeps trying while the service cannot be reached', async () => {
      answerWith(() => refused('internal_error', 500));
      await open(`/complete#token=${token}`);
      await seen('Something went wrong on our side');
      answerWith(() => opened());
      await seen(key);
    });

    test('brings itself up to date on demand, and keeps the key on screen when the link runs out', async () => {
      await open(`/complete#token=${token}`);
      await seen('0 of 3');
      answerWith((path) => (path.endsWith('/devices') ? { status: 200, body: sampleDevices() } : opened({ used: 2 })));
      await page.getByRole('button', { name: 'Refresh' }).click();
      await seen('2 of 3');
      answerWith(() => refused('completion_token_expired'));
      await page.getByRole('button', { name: 'Refresh' }).click();
      await seen('Your link has expired');
      expect(await page.getByText(key).isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: 'Email me a new link' }).isVisible()).toBe(true);
    });

    test('stays open when the language is switched', async () => {
      await open(`/complete#token=${token}`);
      await seen(key);
      await page.getByRole('link', { name: '日本語' }).click();
      await seen('ご購入の内容');
      await seen(key);
      expect(page.url()).toBe(`${server.baseUrl}/complete?lang=ja`);
      expect(JSON.stringify(server.requests)).not.toContain(token);
    });

    test('has a fresh link sent, and answers the same for any address', async () => {
      const sent: unknown[] = [];
      answerWith((path, body) => {
        sent.push([path, body]);
        return { status: 202, body: {} };
      });
      await open('/complete');
      const input = page.getByLabel('Email address', { exact: true });
      await input.fill('not an address');
      await input.press('Enter');
      await seen('Please enter an email address');
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      expect(await page.evaluate('document.activeElement.id')).toBe('resend-email');
      await input.fill(' buyer@example.com ');
      await input.press('Enter');
      await seen('If there is an order under this address');
      expect(sent).toEqual([['/v1/purchases/resend-link', { buyer_email: 'buyer@example.com' }]]);
      answerWith(() => ({ ...refused('rate_limited', 429), headers: { 'Retry-After': '20' } }));
      await input.press('Enter');
      await seen('Try again in 20 seconds');
    });

    test('without JavaScript shows what to do', async () => {
      await open(`/complete#token=${token}`, { javaScriptEnabled: false });
      expect(await page.locator('.notice:visible').textContent()).toContain('This page needs JavaScript to show your license key.');
      expect(await heading()).toBe('Your purchase');
    });
  });

  describe('on the way to the checkout', () => {
    test('the keyboard alone is enough, and shows where it is', async () => {
      await open('/p/waveform-editor-pro');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
      const names: string[] = [];
      for (let press = 0; press < 12 && names.at(-1) !== 'Buy'; press += 1) {
        await page.keyboard.press('Tab');
        names.push(await page.evaluate('document.activeElement.textContent.trim()'));
      }
      expect(names.at(-1)).toBe('Buy');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      await page.keyboard.press('Enter');
      await seen('Review your order');
      await page.getByRole('button', { name: 'Continue to payment – $49.00' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/hosted-checkout/waveform-editor-pro');
    });

    test('on a phone the first screen holds the total and the button, and no step leaves a letter alone', async () => {
      await open('/p/waveform-editor-pro/checkout?lang=ja');
      await page.setViewportSize({ width: 390, height: 844 });
      const button = await page.getByRole('button').boundingBox();
      const total = await page.locator('.card').getByText('お支払い合計').boundingBox();
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(844);
      expect(total?.y).toBeLessThan(button?.y ?? 0);
      await page.setViewportSize({ width: 320, height: 700 });
      const widths =
        'const range = document.createRange(); range.selectNodeContents(last); [...range.getClientRects()].map(({ width }) => width)';
      const lines = await page.evaluate(`{ const last = document.querySelector('.steps li:last-child > span'); ${widths} }`);
      expect(Math.min(...(lines as number[]))).toBeGreaterThan(20);
    });

    test('it goes on without JavaScript', async () => {
      await open('/p/waveform-editor-pro', { javaScriptEnabled: false });
      await page.getByRole('link', { name: 'Buy' }).click();
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await page.waitForURL('**/hosted-checkout/waveform-editor-pro');
    });

    test('what a seller wrote runs no code', async () => {
      await open('/p/hostile');
      page.on('dialog', () => complaints.push('a dialog opened'));
      await page.waitForTimeout(200);
      expect(await page.title()).toContain('<script>alert(1)</script>');
    });
  });

  const everyPage: [string, string, ReturnType<typeof opened> | ReturnType<typeof refused>][] = [
    ['product', '/p/waveform-editor-pro', opened()],
    ['product with long texts', '/p/long', opened()],
    ['product that is not on sale', '/p/not-on-sale', opened()],
    ['releases', '/p/waveform-editor-pro/releases?channel=beta', opened()],
    ['confirmation', '/p/waveform-editor-pro/checkout?changed=yes', opened()],
    ['completion', `/complete#token=${token}`, opened()],
    ['completion, refunded', `/complete#token=${token}`, opened({ status: 'refunded', orderStatus: 'refunded' })],
    ['completion, being prepared', `/complete#token=${token}`, opened({ license: false, files: false })],
    ['completion, waiting', `/complete#token=${token}`, refused('order_not_paid')],
    ['completion, link expired', `/complete#token=${token}`, refused('completion_token_expired')],
    ['receipt', `/receipt#token=${token}`, opened({ refunded: 1200, orderStatus: 'partially_refunded' })],
    ['product with something to choose', '/p/team?code=spring-25', opened()],
    ['confirmation of what cannot be had', '/p/team/checkout?quantity=21&code=none', opened()],
    ['completion, with offers', `/complete#token=${token}`, opened({ more: { offers: sampleOffers() } })],
    ['completion, of an addition', `/complete#token=${token}`, { status: 200, body: sampleAddition() }],
    ['receipt, qualified', `/receipt#token=${token}`, opened({ order: { quantity: 3, invoice: sampleInvoice(8) } })],
    ['receipt without a link', '/receipt', opened()],
    ['finding purchases', '/manage', opened()],
    ['requested links', '/manage?sent=yes', opened()],
    ['completion, order ended', `/complete#token=${token}`, refused('order_expired')],
    ['completion, too many requests', `/complete#token=${token}`, refused('rate_limited', 429)],
    ['cancelled', '/checkout/cancelled?product=free', opened()],
    ['onboarding', '/onboarding/return', opened()],
    ['not found', '/p/none', opened()],
  ];

  // Languages and colours take turns.
  const looks = [
    { locale: 'ja', colorScheme: 'light' },
    { locale: 'en', colorScheme: 'dark' },
  ] as const;
  const shown = everyPage.map(([name, path, answer], index) => ({ name, path, answer, ...(looks[index % 2] ?? looks[0]) }));

  test.each(shown)(
    'the $name page has no accessibility fault that axe finds, fits 320 px, and has targets that a finger finds, $locale, $colorScheme',
    async ({ path, answer, locale, colorScheme }) => {
      answerWith(() => answer);
      await open(path, { colorScheme, locale, reducedMotion: 'reduce' });
      await page.locator('h1:visible').waitFor();
      await settled(page);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      expect(await smallTargets(page)).toEqual([]);
    },
  );
});
