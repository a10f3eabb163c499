import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { accessibilityFaults, openPage, overflowOf, settled } from '../../support/http/browser.ts';
import { faultsOf, operation, shown } from '../../support/http/console.ts';
import { browser, button, describeInBrowser, openWindow, page, seen } from '../../support/http/in-browser.ts';
import { press, reach, type } from '../../support/http/keyboard.ts';
import { blue, jpeg, png, red } from '../../support/samples/pictures.ts';
import { beginSale, sell } from '../../support/scenes/sold-stock.ts';
import { offerProduct, publishFile } from '../../support/scenes/stack-harness.ts';
import { stack } from './desk.ts';

const keyForm = /LIC1(-[0-9A-Z]{5}){5}/;
const fileName = '波形エディター 3.2.zip';
const fileBytes = randomBytes(200_000);

let product: { id: string; slug: string };
let requests: Request[];
let buyers = 0;
let buyer: string;

/** A buyer with a window of their own, at the product's page. */
async function arrive(options: BrowserContextOptions = {}, address = `${stack.baseUrl}/p/${encodeURIComponent(product.slug)}`) {
  await openWindow(options);
  requests = [];
  page.context().on('request', (request) => requests.push(request));
  buyers += 1;
  buyer = `visitor-${buyers}@example.com`;
  await page.goto(address);
}

async function goToCheckout(): Promise<void> {
  await page.getByRole('link', { name: 'Buy' }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Checkout' }).waitFor();
}

async function pay(name: string | RegExp = /^Pay ¥/): Promise<void> {
  await page.getByLabel('Email address', { exact: true }).fill(buyer);
  await page.getByRole('button', { name }).click();
}

async function shownKey(): Promise<string> {
  await page.locator('.key:visible').waitFor();
  return (await page.locator('.key').textContent()) ?? '';
}

/** Devices that come later move what is below them, so that a pointer would be released beside it. */
async function reload(): Promise<void> {
  await page.reload();
  await shownKey();
  await settled(page);
}

/** Opens the link of a mail, as another page than the one that is open. */
async function follow({ text }: { text: string }): Promise<void> {
  await page.goto('about:blank');
  await page.goto(/http\S+#token=\S+/.exec(text)?.[0] ?? '');
}

const ask = (verb: 'validate' | 'activate', key: string, device: string) =>
  stack.call('POST', `/v1/licenses/${verb}`, {
    body: { product_id: product.id, license_key: key, device_fingerprint: device, device_label: device },
  });

/** What buyers, a seller and an admin do in a browser; while nothing else waits for the admin. */
export function describeBrowserStories(): void {
  describeInBrowser('in a browser', () => {
    beforeAll(async () => {
      product = await offerProduct(stack);
      await publishFile(stack, product.id, fileName, fileBytes);
    });
    beforeEach(() => stack.provider('/test/deliveries'));

    test('a stranger with a phone gets from the product to the key, in Japanese, and back to it by the link of a mail', async () => {
      await arrive({ locale: 'ja' });
      await page.getByRole('link', { name: '購入手続きへ' }).click();
      await seen('ご注文内容の確認');
      await page.getByRole('button', { name: /お支払いへ進む（.4,800）/ }).click();
      await page.getByRole('heading', { name: 'Checkout' }).waitFor();
      await pay();
      const key = await shownKey();
      expect(key).toMatch(keyForm);
      expect(page.url()).toBe(`${stack.baseUrl}/complete?lang=ja`);
      await seen('3台中 0台');

      const mail = await stack.mailTo(buyer);
      expect(mail.subject).toBe('ご購入ありがとうございます：波形エディター Pro');
      expect(mail.text + mail.html).not.toContain(key);
      await follow(mail);
      expect(await shownKey()).toBe(key);
    });

    test('a buyer whose card was declined pays, waits until that is confirmed, and gets the file, byte for byte, with the token in no request line, referrer or log', async () => {
      await stack.provider('/test/deliveries', { delay_ms: 1500 });
      await arrive();
      await goToCheckout();
      await pay('Use a card that is declined');
      await seen('Your card was declined.');
      await pay();
      const key = await shownKey();
      await seen(createHash('sha256').update(fileBytes).digest('hex'));
      await seen('200 kB');
      const [download] = await Promise.all([page.waitForEvent('download'), button(`Download ${fileName}`).click()]);
      expect(download.suggestedFilename()).toBe(fileName);
      expect(readFileSync(await download.path()).equals(fileBytes)).toBe(true);
      await seen('The download has started.');
      const bodies = requests.map((request) => request.postData() ?? '');
      const token = bodies.map((body) => /"token":"([^"]+)"/.exec(body)?.[1]).find((found) => found !== undefined) ?? '';
      expect(token).toMatch(/^eyJ/);
      for (const request of requests.filter((one) => one.url().startsWith(stack.baseUrl))) {
        // What goes over the wire: a fragment never does.
        expect(request.url().split('#')[0]).not.toContain(token);
        expect((await request.allHeaders())['referer'] ?? '').toBe('');
      }
      for (const secret of [token, key, buyer]) expect(stack.output()).not.toContain(secret);
    });

    test('a checkout that is left leads back to the product, and a payment that takes its time ends with the key, on pages marked TEST', async () => {
      await arrive();
      await goToCheckout();
      expect([await page.title(), await accessibilityFaults(page)]).toEqual([expect.stringContaining('TEST'), []]);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await seen('Nothing was charged.');
      await page.getByRole('link', { name: 'Back to the product' }).click();
      await goToCheckout();
      const session = new URL(page.url()).pathname.split('/').at(-1);
      await pay(/^Pay later/);
      await seen('Your payment is on its way');
      await stack.provider(`/test/checkout/${session}/settle`);
      expect(await shownKey()).toMatch(keyForm);
      const link = await stack.call('POST', '/v1/sellers/payment/account-link', { as: 'seller' });
      await page.goto(link.url);
      expect([await page.title(), await accessibilityFaults(page)]).toEqual([expect.stringContaining('TEST'), []]);
      // The console leads on to the sign-in at once, perhaps before it has loaded.
      const returned = page.waitForURL('**/console/seller?returned', { waitUntil: 'commit' });
      await page.getByRole('button', { name: /Go back without finishing/ }).click();
      await returned;
    });

    test('no JavaScript is needed until the key is shown', async () => {
      await arrive({ javaScriptEnabled: false });
      await goToCheckout();
      await pay();
      await page.waitForURL(`${stack.baseUrl}/complete*`);
      expect(await page.locator('.notice:visible').textContent()).toContain('needs JavaScript');
      expect((await stack.mailTo(buyer)).text).toContain('#token=');
    });

    test('a buyer frees the seat of a lost laptop, replaces a leaked key, and corrects a mistyped address, each as it can be done once', async () => {
      const { session } = await beginSale(stack, product.slug);
      await arrive({}, (await stack.provider(`/test/checkout/${session}/pay`, { email: 'mistyped@example.com' })).redirect_url);
      const key = await shownKey();
      const old = await stack.mailTo('mistyped@example.com');
      for (const device of ['laptop', 'desktop']) expect((await ask('activate', key, device)).code).toBe('activated');
      await reload();
      await button('Release laptop').click();
      await page.locator('.device [data-confirm]:visible').click();
      await seen('laptop was released.');
      await seen('Devices you can still release here within 30 days: 4.');
      await seen('1 of 3');
      expect(await page.locator('.device-name').allTextContents()).toEqual(['desktop']);
      expect(await ask('validate', key, 'laptop')).toMatchObject({ device_activated: false });

      const replace = async () => {
        await reload();
        await page.locator('[data-replace-key] summary').click();
        await page.locator('[data-replace-key] [data-open]').click();
        await page.locator('[data-replace-key] [data-confirm]').click();
      };
      await replace();
      await seen('Your key was replaced.');
      const replaced = await shownKey();
      expect([keyForm.test(replaced), replaced === key]).toEqual([true, false]);
      await seen('No device is using this license yet.');
      expect(await ask('validate', key, 'desktop')).toMatchObject({ valid: false, code: 'license_replaced' });
      expect(await ask('activate', replaced, 'laptop')).toMatchObject({ valid: true, code: 'activated' });
      await replace();
      await seen('The key was already replaced in the last 30 days.');

      const correct = async (address: string) => {
        await page.locator('[data-correction] summary').click();
        await page.locator('#correct-email').fill(address);
        await page.locator('#correct-email').press('Enter');
      };
      await correct('right@example.com');
      await seen('The link is on its way to the new address.');
      await seen('We emailed your link to right@example.com.');
      // Another tab does not know of it.
      await page.evaluate("sessionStorage.removeItem('address-corrected')");
      await reload();
      await correct('again@example.com');
      await seen('The address was already corrected once.');
      await follow(old);
      await seen('This link does not work');
      await follow(await stack.mailTo('right@example.com'));
      expect(await shownKey()).toBe(replaced);
    });

    test('pictures are encoded by the deployed bundle, seen on the page in their places, and gone when they are withdrawn', async () => {
      const { id, slug } = await offerProduct(stack, { name: 'Pictured' });
      const wide = png(1200, 300, { paint: (x) => (x < 600 ? blue : red) });
      const fileId = await publishFile(stack, id, 'wide.png', wide, { content_type: 'image/png', purpose: 'image' });
      await publishFile(stack, id, 'tall.jpg', jpeg(90, 160), { content_type: 'image/jpeg', purpose: 'image' });

      await openWindow();
      for (const [width, height] of [
        [320, 640],
        [1280, 900],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.goto(`${stack.baseUrl}/p/${slug}`);
        await page.locator('.pictures li:last-child').scrollIntoViewIfNeeded();
        await page.evaluate(`Promise.all([...document.querySelectorAll('.pictures img')].map((image) => image.decode()))`);
        const shown = await page.evaluate<{ tall: number }[]>(
          `[...document.querySelectorAll('.pictures img')].map((image) => ({ wide: image.naturalWidth, shape: image.width / image.height, tall: image.height / innerHeight, fits: image.getBoundingClientRect().right <= innerWidth }))`,
        );
        expect(shown).toMatchObject([
          { wide: 1200, shape: expect.closeTo(4, 0), fits: true },
          // Cropped to the shape of every picture but the first, tall as it is.
          { wide: 90, shape: expect.closeTo(4 / 3, 1), fits: true },
        ]);
        expect(Math.max(...shown.map(({ tall }) => tall))).toBeLessThan(0.75);
        expect(await overflowOf(page)).toBe(0);
      }
      expect(await accessibilityFaults(page)).toEqual([]);

      const { images } = await stack.call('GET', `/v1/public/products/${slug}`);
      expect(images.map(({ width }: { width: number }) => width)).toEqual([1200, 90]);
      await stack.call('POST', `/v1/products/${id}/files/${fileId}/withdraw`, { as: 'seller' });
      expect((await fetch(images[0].url)).status).toBe(404);
    });

    describe('at the console', () => {
      const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
      const task = (page: Page, id: string, state: string) => page.locator(`[data-task=${id}][data-state=${state}]`);
      let seller: Page;
      let admin: Page;
      const complaints: string[][] = [];

      /** Opens the start page, and follows one of its links into the console. */
      async function enter(link: string): Promise<Page> {
        const { page, complaints: theirs } = await openPage(browser, { viewport: { width: 1280, height: 900 } });
        complaints.push(theirs);
        await page.goto(stack.baseUrl);
        await press(page, page.getByRole('link', { name: link }));
        await shown(page);
        return page;
      }

      /** Goes to a place of the navigation. */
      const goTo = async (page: Page, place: string) => {
        await press(page, page.getByRole('navigation').getByRole('link', { name: place, exact: true }));
        await page.getByRole('heading', { level: 1, name: place }).waitFor();
      };

      /** Opens what waits in the queue, and takes a decision on it. */
      const decide = async (decision: string, id: string) => {
        await press(admin, admin.locator(`main button[name=decision][value=${decision}]:enabled`));
        await press(admin, operation(admin.locator('dialog[open]'), id));
        await admin.locator('dialog[open]').waitFor({ state: 'detached' });
      };

      test('somebody new gets by keyboard alone from an application to a product in review', async () => {
        seller = await enter('be someone new');
        expect(await faultsOf(seller)).toEqual([]);
        await press(seller, task(seller, 'apply', 'todo').getByRole('link'));
        await type(seller, field(seller, 'display_name'), 'みなと工房');
        await type(seller, field(seller, 'site_url'), 'https://minato.example');
        await type(seller, field(seller, 'contact_email'), 'minato@example.com');
        await type(seller, field(seller, 'support_email'), 'support@minato.example');
        await press(seller, operation(seller, 'createSeller'));
        await press(seller, operation(seller, 'createAccountLink'));
        await press(seller, seller.getByRole('button', { name: /^Give everything: the account/ }));
        await shown(seller);
        expect(new URL(seller.url()).pathname).toBe('/console/seller');
        await seller.getByText('Buyers can pay, and the provider pays out to you.').waitFor();

        await goTo(seller, 'Home');
        await task(seller, 'payments', 'done').waitFor();
        await press(seller, task(seller, 'product', 'todo').getByRole('link'));
        await type(seller, field(seller, 'name'), '波形エディター');
        await type(seller, field(seller, 'description'), '録音した音を切り出し、整え、仕上げます。');
        await type(seller, field(seller, 'software_operating_environment'), 'macOS 14');
        await press(seller, field(seller, 'forbidden_category_acknowledged'), 'Space');
        await type(seller, field(seller, 'price_amount'), '4,800');
        await reach(seller, field(seller, 'currency'));
        await seller.keyboard.type('JPY');
        await type(seller, field(seller, 'refund_policy'), '14日以内は全額。');
        await press(seller, operation(seller, 'createProduct'));
        await press(seller, operation(seller, 'submitProduct'));
        await operation(seller, 'submitProduct').waitFor({ state: 'detached' });

        // Waited for well before: the browser opens a dialog of its own where nobody does.
        const chooser = seller.waitForEvent('filechooser');
        await press(seller, seller.getByRole('link', { name: 'Files' }));
        await press(seller, field(seller, 'file'));
        await (await chooser).setFiles({ name: '波形エディター 1.0.zip', mimeType: 'application/zip', buffer: randomBytes(100_000) });
        await seller.locator('tr[data-id^=fil_]').waitFor();
        expect(await faultsOf(seller)).toEqual([]);
      });

      test('an admin decides by keyboard alone on what waits, one after another', async () => {
        admin = await enter('be the admin');
        const waits = (kind: string) => admin.locator(`[data-kind=${kind}]`);
        for (const kind of ['seller', 'product', 'file']) await waits(kind).waitFor();
        expect(await faultsOf(admin)).toEqual([]);
        await press(admin, waits('seller').getByRole('link'));
        await decide('approve', 'reviewSeller');
        // The queue's next is the product, with its file.
        await admin.getByRole('heading', { level: 1, name: '波形エディター' }).waitFor();
        await decide('approve', 'reviewProduct');
        await decide('approve', 'reviewProductFile');
        await admin.getByText('Nothing waits').first().waitFor();
        expect(await faultsOf(admin)).toEqual([]);
      });

      test('the seller sees the sale to a buyer', async () => {
        await goTo(seller, 'Home');
        await task(seller, 'sale', 'waiting').waitFor();
        const { email } = await sell(stack, '波形エディター');
        // As when one comes back to the tab.
        await seller.reload();
        await task(seller, 'sale', 'done').waitFor();
        await press(seller, seller.locator('tr[data-id^=ord_]').getByRole('link'));
        await seller.getByText('Key ends in').waitFor();
        await seller.getByText('License issued').waitFor();
        // Sellers need not know whose it is.
        expect(await seller.content()).not.toContain(email);
        expect(await faultsOf(seller)).toEqual([]);
        // Who comes after finds the seller on the start page, and is in at once.
        const guest = await enter('be the seller');
        await guest.locator('tr[data-id^=ord_]').first().waitFor();
        expect(complaints.flat()).toEqual([]);
      });
    });
  });
}
