import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildFormPage, formOrigin, serveFormPage } from '../../support/console/form-page.ts';
import { accessibilityFaults, hasBrowser, launchBrowser, openPage, overflowOf, smallTargets } from '../../support/http/browser.ts';

const whenBrowser = hasBrowser ? describe : describe.skip;

let browser: Browser;
let pages: Record<'ja' | 'en', Awaited<ReturnType<typeof buildFormPage>>>;
let page: Page;
let complaints: string[];
let product: Record<string, any>;
/** The bodies that changed it, and those that were refused. */
let sent: Record<string, any>[];
/** What takes the place of the next replies to writes; null for none at all. */
let instead: ({ status: number; body: unknown; headers?: Record<string, string> } | null)[];
/** What each write waits for. */
let gate: Promise<void>;

const fault = (status: number, code: string, message = 'x') => ({ status, body: { code, message, request_id: 'req-4711' } });

/** As the service would, for one product. */
async function answer(method: string, body: any) {
  if (method === 'GET') return { status: 200, body: product };
  sent.push(body);
  await gate;
  const other = instead.shift();
  if (other === null) return undefined;
  if (other) return other;
  const { expected_revision, ...fields } = body;
  if (method === 'PATCH' && expected_revision !== product['revision']) return fault(409, 'stale_revision');
  product = { ...product, ...fields, revision: product['revision'] + 1 };
  return { status: method === 'POST' ? 201 : 200, body: product };
}

/** Somebody else saves. */
const saveElsewhere = (fields: Record<string, any>) => {
  product = { ...product, ...fields, revision: product['revision'] + 1 };
};

async function open(path = '/console/products/prd_1', language: 'ja' | 'en' = 'en', width = 360) {
  const opened = await openPage(browser, { locale: language, viewport: { width, height: 740 } });
  await serveFormPage(opened.page, pages[language], language, answer);
  await opened.page.goto(formOrigin + path);
  await opened.page.waitForSelector('form');
  ({ page, complaints } = opened);
  return opened.page;
}

const field = (name: string) => page.locator(`[name="${name}"]`);
const save = () => page.locator('[data-operation=updateProduct]').click();
const saved = () => page.getByText(/^Saved at/).waitFor();

beforeAll(async () => {
  if (!hasBrowser) return;
  browser = await launchBrowser();
  pages = { ja: await buildFormPage('ja'), en: await buildFormPage('en') };
});
afterAll(() => browser?.close());
beforeEach(() => {
  sent = [];
  instead = [];
  gate = Promise.resolve();
  product = {
    id: 'prd_1',
    status: 'draft',
    name: 'Pen',
    description: 'Draws',
    price_amount: 1200,
    currency: 'JPY',
    support_email: 'help@pen.example',
    refund_policy: 'None',
    software_operating_environment: 'macOS',
    license_issuance_mode: 'generated_server_validated',
    license_key_prefix: 'LIC1',
    activation_limit: 1,
    features: ['export'],
    deactivation_allowed: true,
    offline_days: 14,
    offline_file_days: 0,
    updates_days: 36_500,
    max_quantity: 1,
    tax_percent: 10,
    addition_prices: {},
    upgrades_from: [],
    revision: 3,
  };
});
afterEach(async () => {
  await page?.context().close();
  expect(complaints ?? []).toEqual([]);
});

whenBrowser('a form', () => {
  test('sells more for a price, and no more what has none', async () => {
    product = { ...product, addition_prices: { seat: 500 }, upgrades_from: [{ product_id: 'prd_old', price_amount: 300 }] };
    await open();
    await field('max_quantity').fill('5');
    await field('addition_prices.seat').fill('');
    await field('addition_prices.updates').fill('９００');
    await field('upgrades_from.prd_old').fill('2.5');
    await save();
    await page.locator('[data-error=invalid_request] li').waitFor();
    expect(sent).toEqual([]);
    await field('upgrades_from.prd_old').fill('');
    instead.push(fault(400, 'invalid_request', 'addition_prices.updates must be left out where updates_days is without end'));
    await save();
    await page.locator('[name="addition_prices.updates"][aria-invalid=true]').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await field('addition_prices.updates').fill('');
    await save();
    await saved();
    expect(sent.at(-1)).toMatchObject({ max_quantity: 5, addition_prices: {}, upgrades_from: [] });
  });

  test('saves when asked, with the revision that was edited, and says so', async () => {
    await open();
    await field('name').fill('Pencil');
    await field('features').fill('export\n\n import ');
    await field('price_amount').fill('１，５００');
    await field('feature_labels.import.ja').evaluate((input: any) => (input.closest('details').open = true));
    await field('feature_labels.import.ja').fill('読み込み');
    expect(sent).toEqual([]);
    await save();
    await saved();
    expect(sent).toMatchObject([
      {
        name: 'Pencil',
        price_amount: 1500,
        features: ['export', 'import'],
        feature_labels: { import: { ja: '読み込み' } },
        expected_revision: 3,
      },
    ]);
    expect(await page.locator('[data-action=discard]').count()).toBe(0);
    expect(await field('features').inputValue()).toBe('export\nimport');
  });

  test('sends once, however often it is pressed', async () => {
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    await open();
    await field('name').fill('Pencil');
    await page.locator('[data-operation=updateProduct]').dblclick();
    await field('name').press('Enter');
    await field('description').fill('Typed on');
    release();
    await saved();
    expect(sent).toHaveLength(1);
    expect(await field('description').inputValue()).toBe('Typed on');
    expect(await page.locator('[data-action=discard]').count()).toBe(1);
    await save();
    await expect(page.locator('[data-action=discard]').waitFor({ state: 'detached' })).resolves.toBeUndefined();
    expect(sent[1]).toMatchObject({ description: 'Typed on', expected_revision: 4 });
  });

  test('sums up what is wrong before it sends anything, with links to the fields', async () => {
    await open();
    await field('name').fill('');
    await field('price_amount').fill('12.5');
    await field('description').fill('x'.repeat(20_001));
    await save();
    const summary = page.locator('[role=alert][data-error=invalid_request]');
    expect(await summary.evaluate((element: any) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await summary.locator('a').allTextContents()).toEqual([
      'Name is missing',
      'Description must be at most 20000 characters long',
      'Price must be a whole amount in this currency',
    ]);
    await summary.locator('a').nth(2).click();
    expect(await field('price_amount').evaluate((element: any) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await field('price_amount').getAttribute('aria-invalid')).toBe('true');
    expect(await field('description').inputValue()).toHaveLength(20_001);
    expect(sent).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('shows at its fields what only the service knew', async () => {
    instead = [fault(400, 'invalid_request', 'name must hold a letter or a digit; the moon must be full')];
    await open();
    await field('name').fill('Pencil');
    await save();
    const summary = page.locator('[role=alert][data-error=invalid_request]');
    await summary.waitFor();
    expect(await summary.locator('li').allTextContents()).toEqual(['the moon must be full', 'Name must hold a letter or a digit']);
    await save();
    await saved();
    expect(await summary.count()).toBe(0);
  });

  test.each([
    ['offline', null, 'offline'],
    ['slug_reserved', fault(409, 'slug_reserved'), 'slug_reserved'],
  ])('tells of a failure, keeps what was typed and tries again: %s', async (_, reply, code) => {
    instead = [reply];
    await open();
    await field('name').fill('Pencil');
    await save();
    await page.locator(`[role=alert][data-error=${code}]`).waitFor();
    expect(await field('name').inputValue()).toBe('Pencil');
    await page.locator('[data-action=retry]').click();
    await saved();
    expect(await page.locator('[role=alert]').count()).toBe(0);
  });

  test('waits where it came too often, and sends what it holds then', async () => {
    instead = [{ ...fault(429, 'rate_limited'), headers: { 'Retry-After': '1' } }];
    await open();
    await field('name').fill('Pencil');
    await save();
    await page.locator('[role=alert][data-error=rate_limited]').waitFor();
    await field('name').fill('Marker');
    await saved();
    expect(product['name']).toBe('Marker');
    expect(sent).toHaveLength(2);
  });

  test('is not sent by the key that ends a conversion', async () => {
    await open();
    const press = (isComposing: boolean) =>
      field('name').evaluate((input: any, isComposing: boolean) => {
        const { KeyboardEvent } = input.ownerDocument.defaultView;
        return input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing, bubbles: true, cancelable: true }));
      }, isComposing);
    expect(await press(true)).toBe(false);
    expect(await press(false)).toBe(true);
  });

  test('keeps what was typed over a reload, until it is discarded, and brings that back', async () => {
    await open();
    await field('name').fill('Pencil');
    await page.reload();
    await field('name').waitFor();
    expect(await field('name').inputValue()).toBe('Pencil');
    await page.locator('[data-action=discard]').click();
    expect(await field('name').inputValue()).toBe('Pen');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.getByRole('button', { name: 'Bring them back' }).click();
    expect(await field('name').inputValue()).toBe('Pencil');
    await page.evaluate('forgetDrafts()');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('merges what somebody else saved and sends again by itself', async () => {
    await open();
    await field('name').fill('Pencil');
    saveElsewhere({ description: 'Draws well' });
    await save();
    await saved();
    expect(sent.map((body) => body['expected_revision'])).toEqual([3, 4]);
    expect(product).toMatchObject({ name: 'Pencil', description: 'Draws well', revision: 5 });
    expect(await page.locator('[role=alert]').count()).toBe(0);
  });

  test('counts what is there already as saved', async () => {
    await open();
    await field('name').fill('Pencil');
    saveElsewhere({ name: 'Pencil' });
    await save();
    await page.locator('[data-action=discard]').waitFor({ state: 'detached' });
    expect(sent).toHaveLength(1);
    expect(await page.locator('[role=alert]').count()).toBe(0);
  });

  test.each([
    ['base', 'Pen'],
    ['theirs', 'Brush'],
    ['mine', 'Pencil'],
  ])('shows a field that both changed, and sends what was chosen: %s', async (choice, name) => {
    await open();
    await field('name').fill('Pencil');
    saveElsewhere({ name: 'Brush', description: 'Draws well' });
    await save();
    const conflict = page.locator('[data-conflict=name]');
    await conflict.waitFor();
    expect(await conflict.locator('bdi').allTextContents()).toEqual(['Pen', 'Brush', 'Pencil']);
    expect(await page.locator('[data-conflict]').count()).toBe(1);
    await save();
    expect(sent).toHaveLength(1);
    await page.reload();
    await conflict.locator(`[data-choice=${choice}]`).click();
    expect(await conflict.locator('[aria-pressed=true]').getAttribute('data-choice')).toBe(choice);
    expect(await accessibilityFaults(page)).toEqual([]);
    await save();
    await saved();
    expect(product).toMatchObject({ name, description: 'Draws well' });
    expect(await page.locator('[data-conflict]').count()).toBe(0);
  });

  test('gives up after some merges, and says so', async () => {
    await open();
    await field('name').fill('Pencil');
    instead = Array.from({ length: 4 }, () => fault(409, 'stale_revision'));
    await save();
    await page.locator('[role=alert][data-error=stale_revision]').waitFor();
    expect(sent).toHaveLength(4);
    await save();
    await saved();
  });

  test('makes a product, whose draft goes with it', async () => {
    await open('/console/products/new');
    await field('name').fill('Pen');
    await page.reload();
    await field('description').fill('Draws');
    await field('price_amount').fill('12.50');
    await field('currency').selectOption('USD');
    await field('refund_policy').fill('None');
    await field('software_operating_environment').fill('macOS');
    await page.locator('[data-operation=createProduct]').click();
    await saved();
    expect(sent).toMatchObject([{ name: 'Pen', price_amount: 1250, currency: 'USD', support_email: 'help@pen.example' }]);
    expect(sent[0]).not.toHaveProperty('expected_revision');
    expect(sent[0]).not.toHaveProperty('tokushoho_contact');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('says what is wrong in Japanese', async () => {
    await open('/console/products/prd_1', 'ja');
    await field('name').fill('');
    await field('features').fill(`export\n${'x'.repeat(65)}`);
    await save();
    expect(await page.locator('[data-error=invalid_request] a').allTextContents()).toEqual([
      '商品名を入力してください',
      '機能（2）は64文字以内で入力してください',
    ]);
  });

  test.each(['ja', 'en'] as const)('shows beside a field what is live, on a narrow screen, for everybody: %s', async (language) => {
    product = { ...product, status: 'approved', pending: { status: 'draft', changes: { name: 'Pencil' }, updated_at: '' } };
    await open('/console/products/prd_1', language, 320);
    expect(await field('name').inputValue()).toBe('Pencil');
    expect(await page.locator('.live bdi').allTextContents()).toEqual(['Pen']);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await smallTargets(page)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
