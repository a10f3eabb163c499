import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { completionUrl, mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import type { OrderId } from '../../../shared/ids.ts';
import { accessibilityFaults, openPage } from '../../support/http/browser.ts';
import { beginSale, sell } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct, publishFile, type StackHarness } from '../../support/scenes/stack-harness.ts';
import type { Shop } from './shop.ts';

const keyForm = /LIC1(-[0-9A-Z]{5}){5}/;

const fileName = '波形エディター 3.2.zip';
const fileBytes = randomBytes(200_000);

let browser: Browser | undefined;
let harness: StackHarness;
let tokenKeys: string;
let slug: string;
let page: Page;
let complaints: string[];
let requests: Request[];
let buyers = 0;
let buyer: string;

/** A buyer with a browser of their own, at the product's page. */
async function arrive(options: BrowserContextOptions = {}, path = `/p/${encodeURIComponent(slug)}`): Promise<void> {
  if (!browser) throw new Error('There is no browser.');
  ({ page, complaints } = await openPage(browser, options));
  requests = [];
  page.context().on('request', (request) => requests.push(request));
  buyers += 1;
  buyer = `buyer-${buyers}@example.com`;
  await page.goto(path.startsWith('http') ? path : harness.baseUrl + path);
}

async function goToCheckout(): Promise<void> {
  await page.getByRole('link', { name: 'Buy' }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Checkout' }).waitFor();
}

async function pay(button: string | RegExp = /^Pay ¥/): Promise<void> {
  await page.getByLabel('Email address', { exact: true }).fill(buyer);
  await page.getByRole('button', { name: button }).click();
}

const seen = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor();

async function shownKey(): Promise<string> {
  await page.locator('.key:visible').waitFor();
  return (await page.locator('.key').textContent()) ?? '';
}

/** The session whose hosted page is open. */
const sessionShown = () => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** A completion link that ends in so many seconds; the stack got its signing keys from here. */
async function linkTo(orderId: string, seconds: number): Promise<string> {
  const expiresAt = new Date(Date.now() + seconds * 1000);
  const token = await mintCompletionToken(
    { orderId: orderId as OrderId, use: 'mail', expiresAt },
    new Date(Date.now() - 60_000),
    Keyring.parse(tokenKeys),
  );
  return completionUrl(harness.baseUrl, token);
}

const linkIn = (text: string) => /http\S+#token=\S+/.exec(text)?.[0] ?? '';

export function describePurchase(shop: () => Shop): void {
  describe('a purchase', () => {
    beforeAll(async () => {
      ({ browser, harness, tokenKeys } = shop());
      const product = await offerProduct(harness);
      slug = product.slug;
      await publishFile(harness, product.id, fileName, fileBytes);
    });

    beforeEach(() => harness.provider('/test/deliveries'));
    afterEach(async () => {
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    test('leads a stranger with a phone from the product to the key, in Japanese, in under a minute', async () => {
      const began = Date.now();
      await arrive({ locale: 'ja' });
      await page.getByRole('link', { name: '購入手続きへ' }).click();
      await seen('ご注文内容の確認');
      await page.getByRole('button', { name: /お支払いへ進む（.4,800）/ }).click();
      await page.getByRole('heading', { name: 'Checkout' }).waitFor();
      expect(await page.title()).toContain('TEST');
      await pay();
      const key = await shownKey();
      expect(key).toMatch(keyForm);
      expect(Date.now() - began).toBeLessThan(60_000);
      expect(page.url()).toBe(`${harness.baseUrl}/complete?lang=ja`);
      await seen('3台中 0台');

      const mail = await harness.mailTo(buyer);
      expect(mail.subject).toBe('ご購入ありがとうございます：波形エディター Pro');
      expect(mail.text + mail.html).not.toContain(key);
      await page.goto('about:blank');
      await page.goto(linkIn(mail.text));
      expect(await shownKey()).toBe(key);
    });

    test('gives the key to be copied and the file, byte for byte, with the token in no request line, referrer or log', async () => {
      await arrive({ permissions: ['clipboard-read', 'clipboard-write'] });
      await goToCheckout();
      await pay();
      const key = await shownKey();
      await page.getByRole('button', { name: 'Copy the key' }).click();
      await seen('Copied.');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
      await seen(createHash('sha256').update(fileBytes).digest('hex'));
      await seen('200 kB');
      const button = page.getByRole('button', { name: `Download ${fileName}` });
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(download.suggestedFilename()).toBe(fileName);
      expect(readFileSync(await download.path()).equals(fileBytes)).toBe(true);
      await seen('The download has started.');
      expect(await shownKey()).toBe(key);
      const bodies = requests.map((request) => request.postData() ?? '');
      const token = bodies.map((body) => /"token":"([^"]+)"/.exec(body)?.[1]).find((found) => found !== undefined) ?? '';
      expect(token).toMatch(/^eyJ/);
      for (const request of requests.filter((one) => one.url().startsWith(harness.baseUrl))) {
        // What goes over the wire: a fragment never does.
        expect(request.url().split('#')[0]).not.toContain(token);
        expect((await request.allHeaders())['referer'] ?? '').toBe('');
      }
      expect(harness.output()).not.toContain(token);
      expect(harness.output()).not.toContain(key);
      expect(harness.output()).not.toContain(buyer);
    });

    test('can be paid after a card was declined, and waits when the payment is confirmed later than the buyer is back', async () => {
      await harness.provider('/test/deliveries', { delay_ms: 1500 });
      await arrive();
      await goToCheckout();
      await pay('Use a card that is declined');
      await seen('Your card was declined.');
      await pay();
      await seen('Confirming your order');
      expect(await shownKey()).toMatch(keyForm);
    });

    test('waits for a payment that takes its time, and ends with the key', async () => {
      await arrive();
      await goToCheckout();
      const session = sessionShown();
      await pay(/^Pay later/);
      await seen('Confirming your order');
      await harness.provider(`/test/checkout/${session}/settle`);
      expect(await shownKey()).toMatch(keyForm);
    });

    test('shows a refund, and no key any more', async () => {
      const { orderId, session } = await sell(harness, slug);
      await arrive({}, await linkTo(orderId, 60));
      await shownKey();
      await harness.provider(`/test/payments/${session}/refund`);
      await eventually('the refund shows', 20, async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        await page.waitForTimeout(300);
        return (await page.getByText('This purchase was refunded').filter({ visible: true }).isVisible()) || undefined;
      });
      expect(await page.locator('.key').isVisible()).toBe(false);
    });

    test('can be cancelled on the payment page, and leads back to the product', async () => {
      await arrive();
      await goToCheckout();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await seen('Nothing was charged.');
      await page.getByRole('link', { name: 'Back to the product' }).click();
      await page.getByRole('link', { name: 'Buy' }).waitFor();
    });

    test('that was never paid shows so', async () => {
      const { orderId, session } = await beginSale(harness, slug);
      await harness.provider(`/test/checkout/${session}/expire`);
      await eventually('the order expires', 20, async () => {
        const { status } = await harness.call('GET', `/v1/admin/orders/${orderId}`, { as: 'admin' });
        return status === 'expired' || undefined;
      });
      await arrive({}, await linkTo(orderId, 60));
      await seen('This order was not completed');
    });

    test('is found again through a fresh link when the old one has expired', async () => {
      const { orderId, key, email } = await sell(harness, slug);
      await harness.mailTo(email);
      await arrive({}, await linkTo(orderId, -1));
      await seen('Your link has expired');
      await page.getByLabel('Email address', { exact: true }).fill(email);
      await page.getByRole('button', { name: 'Email me a new link' }).click();
      await seen('an email is on its way');
      const mail = await harness.mailTo(email, 2);
      expect(mail.subject).toContain('Your new link');
      await page.goto('about:blank');
      await page.goto(linkIn(mail.text));
      expect(await shownKey()).toBe(key);
    });

    test('needs no JavaScript until the key is shown', async () => {
      await arrive({ javaScriptEnabled: false });
      await goToCheckout();
      await pay();
      await page.waitForURL(`${harness.baseUrl}/complete*`);
      expect(await page.locator('.notice:visible').textContent()).toContain('needs JavaScript');
      expect((await harness.mailTo(buyer)).text).toContain('#token=');
    });

    test('needs no mouse', async () => {
      await arrive();
      const pressUntil = async (name: string | RegExp) => {
        for (let press = 0; press < 40; press += 1) {
          await page.keyboard.press('Tab');
          const focused = page.locator(':focus');
          const text = `${await focused.getAttribute('id')} ${await focused.textContent()}`;
          if (text.match(name)) return;
        }
        throw new Error(`Tab never came to ${name}.`);
      };
      await pressUntil(/Buy$/);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/checkout');
      await pressUntil('Continue to payment');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Checkout' }).waitFor();
      await pressUntil(/^email/);
      await page.keyboard.type(buyer);
      await pressUntil(/Pay ¥/);
      await page.keyboard.press('Enter');
      expect(await shownKey()).toMatch(keyForm);
      await pressUntil('Copy the key');
      await page.keyboard.press('Enter');
      await seen(/Copied\.|The key is selected/);
    });

    test('makes one order when the form is sent twice', async () => {
      await arrive({ javaScriptEnabled: false });
      await page.getByRole('link', { name: 'Buy' }).click();
      const confirmation = page.url();
      const form = await page.locator('form.confirm').evaluateAll((forms) => forms.map((one) => one.innerHTML).join());
      const fields = new URLSearchParams();
      for (const [, name = '', value = ''] of form.matchAll(/name="(\w+)" value="([^"]+)"/g)) fields.set(name, value);
      const send = () => fetch(confirmation, { method: 'POST', body: fields, redirect: 'manual' });
      const [first, second] = await Promise.all([send(), send()]);
      expect([first.status, second.status]).toEqual([303, 303]);
      expect(first.headers.get('location')).toMatch(/^http/);
      expect(second.headers.get('location')).toBe(first.headers.get('location'));
    });

    test('the pages of the fake payment provider are marked TEST, and axe finds no fault in them', async () => {
      await arrive();
      await goToCheckout();
      expect(await page.locator('body').textContent()).toContain('TEST');
      expect(await accessibilityFaults(page)).toEqual([]);
      const link = await harness.call('POST', '/v1/sellers/payment/account-link', { as: 'seller' });
      await page.goto(link.url);
      expect(await page.title()).toContain('TEST');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: /Go back without finishing/ }).click();
      await page.waitForURL('**/console/seller?returned');
    });
  });
}
