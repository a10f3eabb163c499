import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../support/http/browser.ts';
import { faultsOf, operation, shown } from '../support/http/console.ts';
import { browser, describeInBrowser } from '../support/http/in-browser.ts';
import { press, reach, type } from '../support/http/keyboard.ts';
import { type RunningStack, startStack } from '../support/scenes/stack.ts';
import { eventually } from '../support/scenes/stack-harness.ts';

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const task = (page: Page, id: string, state: string) => page.locator(`[data-task=${id}][data-state=${state}]`);

describeInBrowser('the console', () => {
  let stack: RunningStack;
  let seller: Page;
  let admin: Page;
  const complaints: string[][] = [];
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack?.stop());

  /** Opens the start page, and follows one of its links into the console. */
  async function enter(link: string): Promise<Page> {
    const { page, complaints: theirs } = await openPage(browser, { viewport: { width: 1280, height: 900 } });
    complaints.push(theirs);
    await page.goto(stack.address);
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
  const decide = async (decision: string, id: string, reason?: [string, string]) => {
    await press(admin, admin.locator(`main button[name=decision][value=${decision}]:enabled`));
    if (reason) await type(admin, admin.locator(`dialog[open] [name=${reason[0]}]`), reason[1]);
    await press(admin, operation(admin.locator('dialog[open]'), id));
    await admin.locator('dialog[open]').waitFor({ state: 'detached' });
  };

  test('leads somebody new by keyboard alone from an application to a product in review', async () => {
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

  test('has an admin decide by keyboard alone on what waits, one after another', async () => {
    admin = await enter('be the admin');
    const waits = (kind: string) => admin.locator(`[data-kind=${kind}]`);
    for (const kind of ['seller', 'product', 'file']) await waits(kind).waitFor();
    expect(await faultsOf(admin)).toEqual([]);
    await press(admin, waits('seller').getByRole('link'));
    await decide('approve', 'reviewSeller');
    // The queue's next is the product, with its file.
    await admin.getByRole('heading', { level: 1, name: '波形エディター' }).waitFor();
    await decide('approve', 'reviewProduct');
    await decide('manual_clean', 'reviewProductFile', ['manual_scan_clean_reason', 'Looked at by hand']);
    await decide('approve', 'reviewProductFile');
    await admin.getByText('Nothing waits').first().waitFor();
    expect(await faultsOf(admin)).toEqual([]);
  });

  test('shows the seller the sale to a buyer', async () => {
    await goTo(seller, 'Home');
    await task(seller, 'sale', 'waiting').waitFor();
    const ask = async (url: string, body: object): Promise<any> => {
      const reply = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      return reply.json();
    };
    const slug = encodeURIComponent('波形エディター');
    const { checkout_url } = await ask(`${stack.address}/v1/public/products/${slug}/checkout`, { locale: 'ja' });
    const { origin, pathname } = new URL(checkout_url);
    await ask(`${origin}/test/checkout/${pathname.split('/').at(-1)}/pay`, { email: 'hanako@example.com' });
    // As when one comes back to the tab.
    await eventually('the sale shows', 90, async () => {
      await seller.reload();
      await shown(seller);
      await seller.locator('[data-task=sale]').waitFor();
      return (await task(seller, 'sale', 'done').count()) === 1 || undefined;
    });
    await press(seller, seller.locator('tr[data-id^=ord_]').getByRole('link'));
    await seller.getByText('Key ends in').waitFor();
    await seller.getByText('License issued').waitFor();
    // Sellers need not know whose it is.
    expect(await seller.content()).not.toContain('hanako');
    expect(await faultsOf(seller)).toEqual([]);
    // Who comes after finds the seller on the start page, and is in at once.
    const guest = await enter('be the seller');
    await guest.locator('tr[data-id^=ord_]').waitFor();
    expect(complaints.flat()).toEqual([]);
  });
});
