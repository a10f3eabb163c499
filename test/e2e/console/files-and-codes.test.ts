import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { examplePicture } from '../../../infra/local/examples/example-picture.ts';
import { hasBrowser, launchBrowser } from '../../support/http/browser.ts';
import { type ConsoleVisit, failureNotice, faultsOf, openConsole, operation } from '../../support/http/console.ts';
import {
  eventually,
  offerProduct,
  publishFile,
  type StackHarness,
  startStackHarness,
  uploadFile,
} from '../../support/scenes/stack-harness.ts';

const whenBrowser = hasBrowser ? describe : describe.skip;

let browser: Browser;
let harness: StackHarness;
let owner: string;
let page: Page;
let complaints: string[];

const seller = (method: string, path: string, body?: unknown) =>
  harness.call(method, path, { as: 'seller', ...(body !== undefined && { body }) });
const filesOf = async (product: string) => (await seller('GET', `/v1/products/${product}/files?limit=100`)).items;
const batchesOf = async (product: string) => (await seller('GET', `/v1/products/${product}/code-batches?limit=100`)).items;
const review = (product: string, file: string, body: unknown) =>
  harness.call('PATCH', `/v1/admin/products/${product}/files/${file}/review`, { as: 'admin', body });

async function open(path: string, { as = owner, width = 360, locale = 'en' }: Partial<ConsoleVisit> = {}): Promise<void> {
  await page?.context().close();
  ({ page, complaints } = await openConsole(browser, harness, { as, path, width, locale }));
  page.setDefaultTimeout(10_000);
}

const failed = (code: string) => failureNotice(page, code);
const row = (id: string) => page.locator(`tr[data-id="${id}"]`);
const said = (text: string) => page.locator('[role=status]', { hasText: text }).first().waitFor({ state: 'attached' });
const choose = (name: string, content: string | Buffer, mimeType = 'application/zip') =>
  page.locator('input[name=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });

/** The screen is fit for everybody, in this state too. */
const expectFit = async () => expect(await faultsOf(page)).toEqual([]);

/** How often the page sent something to an address that ends so. */
function countSent(ending: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(ending)) count += 1;
  });
  return () => count;
}

beforeAll(async () => {
  if (!hasBrowser) return;
  [browser, harness] = await Promise.all([launchBrowser(), startStackHarness()]);
  owner = (await seller('GET', '/v1/me')).user_id;
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await harness?.stop();
});
afterEach(() => expect(complaints ?? []).toEqual([]));

whenBrowser('files in the console', () => {
  let product: string;
  const screen = () => `/console/products/${product}/files`;
  beforeAll(async () => {
    ({ id: product } = await offerProduct(harness, { name: 'Wave <i>Editor</i>' }));
  });

  test('are uploaded, and followed through their checks', async () => {
    await open(screen());
    await page.getByText('Buyers have nothing to download yet.').waitFor();
    await expectFit();
    await choose('<b>setup</b>.zip', 'a setup');
    const [file] = await eventually('the file is there', 20, async () => {
      const files = await filesOf(product);
      return files[0]?.uploaded_at ? files : undefined;
    });
    await row(file.id).waitFor();
    await row(file.id).getByText('Matches').waitFor();
    await said('Hash Matches');
    expect(await row(file.id).locator('b').count()).toBe(0);
    await expectFit();
  });

  test('are all there once what could not be read is asked for again', async () => {
    await open(screen());
    await page.route('**/v1/products/**', (route) => route.abort());
    await page.reload();
    await failed('offline').waitFor();
    await expectFit();
    await page.unroute('**/v1/products/**');
    await page.locator('[data-action=retry]').click();
    await page.locator('tr[data-id]').first().waitFor();
    expect(await page.locator('[role=alert]').count()).toBe(0);
  });

  test('are taken back once that is confirmed, and not by a key alone', async () => {
    const [file] = await filesOf(product);
    await open(screen());
    const sent = countSent('/withdraw');
    const ask = row(file.id).getByRole('button', { name: 'Withdraw' });
    await ask.focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor();
    await expectFit();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Withdraw');
    // The browser reports a closed dialog later than it closes it.
    await page.locator('dialog h2').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor();
    // Enter alone takes nothing back.
    await page.keyboard.press('Enter');
    expect(sent()).toBe(0);
    const confirm = page.locator(`[data-operation=withdrawProductFile][data-target="${file.id}"]`);
    await page.route('**/withdraw', (route) => route.abort());
    await confirm.click();
    await failed('offline').waitFor();
    await page.unroute('**/withdraw');
    await confirm.dblclick();
    await page.locator('summary', { hasText: 'No longer offered (1)' }).waitFor();
    expect(sent()).toBe(2);
    expect(await page.evaluate('document.activeElement.id')).toBe('download');
    expect(await filesOf(product)).toMatchObject([{ id: file.id, status: 'disabled' }]);
    await page.locator('summary', { hasText: 'No longer offered (1)' }).click();
    await expectFit();
  });

  test('tell what is wrong with them, and what to do', async () => {
    const turnedDown = await uploadFile(harness, product, 'old.zip', Buffer.from('old'));
    await review(product, turnedDown, { decision: 'reject', rejected_reason: 'It asks for \u200Bmore.' });
    const hidden = await publishFile(harness, product, 'hidden.zip', Buffer.from('hidden'));
    await review(product, hidden, { decision: 'approve', visibility: 'private' });
    await open(screen(), { locale: 'ja', width: 320 });
    await row(turnedDown).getByText('直したファイル').waitFor();
    expect(await row(turnedDown).textContent()).toContain('理由： It asks for');
    expect(await row(turnedDown).locator('.mark').count()).toBe(1);
    expect(await operation(row(turnedDown), 'withdrawProductFile').count()).toBe(0);
    await row(hidden).getByText('購入者には公開されていません').waitFor();
    await expectFit();
    await page.locator('select[name=purpose]').selectOption('image');
    await choose('animated.png', 'no picture', 'image/png');
    await page.locator('tr', { hasText: 'animated.png' }).getByText('PNG、JPEG、WebP のどれでもありません').waitFor({ timeout: 20_000 });
    await expectFit();
    await choose('notes.txt', 'text', 'text/plain');
    await failed('picture_unknown').waitFor();
  });

  test('that are pictures are seen as buyers see them', async () => {
    const picture = await publishFile(harness, product, 'hills.png', examplePicture(), { purpose: 'image', content_type: 'image/png' });
    await open(screen(), { width: 1280 });
    const shown = row(picture).locator('img');
    await shown.waitFor();
    expect(
      await page.evaluate(`document.querySelector('img').decode().then(() => document.querySelector('img').naturalWidth)`),
    ).toBeGreaterThan(100);
    await expectFit();
  });

  test('are not another seller’s to see, and a failure says what to do', async () => {
    await open(screen(), { as: 'new' });
    await failed('forbidden').waitFor();
    expect(await page.locator('input[name=file]').count()).toBe(0);
    await open('/console/products/prd_nothing/files');
    await failed('product_not_found').waitFor();
    await expectFit();
    await open(`/console/products/${product}/codes`);
    await page.getByText('This product needs no codes').waitFor();
    await expectFit();
  });
});

whenBrowser('codes in the console', () => {
  let product: string;
  const screen = () => `/console/products/${product}/codes`;
  const csv = (...codes: string[]) => ['code', ...codes, ''].join('\n');
  beforeAll(async () => {
    ({ id: product } = await offerProduct(harness, { name: 'Codes', license_issuance_mode: 'imported_csv', features: [] }));
  });

  test('are imported once, whatever happens to the reply, and followed to the end', async () => {
    await open(screen());
    await page.getByText('No codes were imported yet').waitFor();
    await expectFit();
    await operation(page, 'importCodes').click();
    await failed('invalid_request').waitFor();
    await failed('invalid_request').getByRole('link').click();
    expect(await page.evaluate('document.activeElement.name')).toBe('file');

    await choose('codes.csv', csv('CODE-0001-AAAA', 'CODE-0002-BBBB', '=2+3+4+5+6', 'short', 'CODE-0001-AAAA'), 'text/csv');
    await page.route('**/code-batches', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await operation(page, 'importCodes').click();
    await failed('offline').waitFor();
    await page.unroute('**/code-batches');
    await failed('offline').locator('[data-action=retry]').dblclick();
    await said('2 imported, 1 had before, 2 left out');
    const batches = await batchesOf(product);
    expect(batches).toMatchObject([{ status: 'completed', imported_count: 2 }]);
    await page.locator('.facts', { hasText: 'For sale' }).locator('dd').first().getByText('2', { exact: true }).waitFor();
    await row(batches[0].id).getByText('2 rows left out').click();
    await row(batches[0].id).getByText('Row 3 (line 4): The code starts with').waitFor();
    await expectFit();
  });

  test('are refused with a reason, and wait where there is too much at once', async () => {
    await open(screen(), { locale: 'ja', width: 320 });
    await choose('codes.csv', 'name\nCODE-0001-AAAA\n', 'text/csv');
    await operation(page, 'importCodes').click();
    await failed('invalid_csv').waitFor();
    await expectFit();
    await choose('codes.csv', Buffer.alloc(4 * 1024 ** 2 + 1, 'a'), 'text/csv');
    await operation(page, 'importCodes').click();
    await failed('invalid_request').waitFor();
    let refused = 0;
    await page.route('**/code-batches', (route) => {
      if (route.request().method() !== 'POST' || refused > 0) return route.fallback();
      refused += 1;
      const body = JSON.stringify({ code: 'rate_limited', message: 'Too many requests.', request_id: 'req-429' });
      return route.fulfill({ status: 429, headers: { 'Content-Type': 'application/json', 'Retry-After': '1' }, body });
    });
    await choose('codes.csv', csv('CODE-0003-CCCC', 'CODE-0002-BBBB'), 'text/csv');
    await operation(page, 'importCodes').click();
    await failed('rate_limited').waitFor();
    await said('取り込み1件、重複1件、除外0件');
    expect(await batchesOf(product)).toHaveLength(2);
    await row((await batchesOf(product))[1].id)
      .getByText('2行を除外')
      .click();
    await row((await batchesOf(product))[1].id)
      .getByText('3行目（ファイルの4行目）: 先頭に = + - @ は使えません。')
      .waitFor();
    await expectFit();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('CODE-');
  });
});
