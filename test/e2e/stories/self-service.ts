import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openPage } from '../../support/http/browser.ts';
import { beginSale } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct, type StackHarness } from '../../support/scenes/stack-harness.ts';
import type { Shop } from './shop.ts';

const keyForm = /LIC1(-[0-9A-Z]{5}){5}/;

let browser: Browser | undefined;
let harness: StackHarness;
let product: { id: string; slug: string };
let page: Page;
let complaints: string[];

const seen = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor();
const linkIn = (text: string) => /http\S+#token=\S+/.exec(text)?.[0] ?? '';

async function shownKey(): Promise<string> {
  await page.locator('.key:visible').waitFor();
  return (await page.locator('.key').textContent()) ?? '';
}

/** A buyer who has paid and is back at the service; the address is the one they gave. */
async function buy(): Promise<{ key: string; address: string }> {
  if (!browser) throw new Error('There is no browser.');
  const { session, email: address } = await beginSale(harness, product.slug);
  const { redirect_url } = await harness.provider(`/test/checkout/${session}/pay`, { email: address });
  ({ page, complaints } = await openPage(browser));
  await page.goto(redirect_url);
  return { key: await shownKey(), address };
}

const ask = (verb: 'validate' | 'activate', key: string, device: string) =>
  harness.call('POST', `/v1/licenses/${verb}`, {
    body: { product_id: product.id, license_key: key, device_fingerprint: device, device_label: device },
  });

export function describeSelfService(shop: () => Shop): void {
  describe('a buyer alone', () => {
    beforeAll(async () => {
      ({ browser, harness } = shop());
      product = await offerProduct(harness, { name: 'Self-service' });
    });
    afterEach(async () => {
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    test('who lost a laptop frees its seat, and the app there has to ask again', async () => {
      const { key } = await buy();
      for (const device of ['laptop', 'desktop']) expect((await ask('activate', key, device)).code).toBe('activated');
      await page.reload();
      await page.getByRole('button', { name: 'Release laptop' }).click();
      await page.locator('.device [data-confirm]:visible').click();
      await seen('laptop was released.');
      await seen('1 of 3');
      expect(await page.locator('.device-name').allTextContents()).toEqual(['desktop']);
      expect(await ask('validate', key, 'laptop')).toMatchObject({ device_activated: false });
    });

    test('sees in one tab what was released in another, and spends no move on it', async () => {
      const { key } = await buy();
      for (const device of ['laptop', 'desktop']) await ask('activate', key, device);
      await page.reload();
      await page.getByRole('button', { name: 'Release laptop' }).waitFor();
      await page.evaluate("window.open(location.href + '#token=' + sessionStorage.getItem('purchase-link'))");
      const other = await eventually('the other tab opens', 10, async () => page.context().pages()[1]);
      for (const tab of [other, page]) {
        await tab.getByRole('button', { name: 'Release laptop' }).click();
        await tab.locator('.device [data-confirm]:visible').click();
        await tab.getByText('laptop was released.').filter({ visible: true }).waitFor();
        await tab.getByText('Devices you can still release here within 30 days: 4.').waitFor();
      }
    });

    test('whose key leaked gets another, and the old one is told to be replaced', async () => {
      const { key } = await buy();
      await ask('activate', key, 'laptop');
      await page.reload();
      await page.locator('[data-replace-key] summary').click();
      await page.locator('[data-replace-key] [data-open]').click();
      await page.locator('[data-replace-key] [data-confirm]').click();
      await seen('Your key was replaced.');
      const replaced = await shownKey();
      expect(replaced).toMatch(keyForm);
      expect(replaced).not.toBe(key);
      await seen('No device is using this license yet.');
      expect(await ask('validate', key, 'laptop')).toMatchObject({ valid: false, code: 'license_replaced' });
      expect(await ask('activate', replaced, 'laptop')).toMatchObject({ valid: true, code: 'activated' });
      await page.reload();
      expect(await shownKey()).toBe(replaced);
      await page.locator('[data-replace-key] summary').click();
      await page.locator('[data-replace-key] [data-open]').click();
      await page.locator('[data-replace-key] [data-confirm]').click();
      await seen('The key was already replaced in the last 30 days.');
    });

    test('who mistyped the address corrects it once, and only the new one gets links that work', async () => {
      const { key, address } = await buy();
      await seen(`We emailed your link to ${address}.`);
      const old = await harness.mailTo(address);
      const right = `right-${address}`;
      await page.locator('[data-correction] summary').click();
      await page.locator('#correct-email').fill(right);
      await page.locator('#correct-email').press('Enter');
      await seen('The link is on its way to the new address.');
      await seen(`We emailed your link to ${right}.`);
      // Another tab does not know of it.
      await page.evaluate("sessionStorage.removeItem('address-corrected')");
      await page.reload();
      await page.locator('[data-correction] summary').click();
      await page.locator('#correct-email').fill(`again-${address}`);
      await page.locator('#correct-email').press('Enter');
      await seen('The address was already corrected once.');
      const mail = await harness.mailTo(right);
      await page.goto('about:blank');
      await page.goto(linkIn(old.text));
      await seen('This link does not work');
      await page.goto('about:blank');
      await page.goto(linkIn(mail.text));
      expect(await shownKey()).toBe(key);
    });

    test('finds a purchase again from the fixed address, without a script until there', async () => {
      const { key, address } = await buy();
      await harness.mailTo(address);
      await page.goto(`${harness.baseUrl}/manage`);
      await page.locator('#buyer-email').fill(address);
      await page.locator('#buyer-email').press('Enter');
      await seen('Check your email');
      const mail = await harness.mailTo(address, 2);
      await page.goto(linkIn(mail.text));
      expect(await shownKey()).toBe(key);
      await page.locator('a[href^="/receipt"]').click();
      await seen('The amount above has been received.');
    });
  });
}
