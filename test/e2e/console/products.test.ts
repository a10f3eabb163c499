import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { partSizeBytes } from '../../../functions/console/browser/uploads/upload-plan.ts';
import { examplePicture } from '../../../infra/local/examples/example-picture.ts';
import { shown } from '../../support/http/console.ts';
import { page } from '../../support/http/in-browser.ts';
import * as desk from '../../support/scenes/console/console-desk.ts';
import { eventually, offerProduct, publishFile, uploadFile } from '../../support/scenes/stack-harness.ts';

let product: string;
let made = 0;
/** A name that no product has had. */
const another = (name: string) => {
  made += 1;
  return `${name} ${made}`;
};
const filesOf = async () => (await desk.asSeller('GET', `/v1/products/${product}/files?limit=100`)).items;
const reviewFile = (id: string, body: unknown) => desk.asAdmin('PATCH', `/v1/admin/products/${product}/files/${id}/review`, body);
const choose = (name: string, content: string | Buffer, mimeType = 'application/zip', within = page) =>
  within.locator('input[name=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });

desk.describeConsole('the products of a seller at the console', () => {
  describe('a draft', () => {
    const path = () => `/console/products/${product}`;
    const terms = {
      ...{ name: 'Pen', description: 'Draws', price_amount: 1200, currency: 'JPY', support_email: 'help@pen.example' },
      ...{ refund_policy: 'None', software_operating_environment: 'macOS', features: ['export'], addition_prices: { seat: 500 } },
    };
    const stored = () => desk.asSeller('GET', `/v1/products/${product}`);
    const saveElsewhere = (change: object) => desk.asSeller('PATCH', `/v1/products/${product}`, { ...terms, ...change });
    const save = () => desk.operation('updateProduct').click();
    const saved = () => desk.text(/^Saved at/).waitFor();
    const discard = () => page.locator('[data-action=discard]');
    const bodies = () => {
      const sent = desk.watch('PATCH', /products/);
      return () => sent.map((body) => JSON.parse(body));
    };
    beforeEach(async () => {
      terms.name = another('Pen');
      ({ id: product } = await desk.asSeller('POST', '/v1/products', terms));
    });

    test('is saved once when that is asked, however often it is pressed, and what is typed meanwhile stays', async () => {
      await desk.open(path());
      const sent = bodies();
      const isOver = Promise.withResolvers<void>();
      await desk.once(/products\/prd_/, (route) => isOver.promise.then(() => route.continue()));
      await desk.field('name').fill('Pencil');
      await desk.field('features').fill('export\n\n import ');
      await desk.field('price_amount').fill('１，５００');
      await desk.field('addition_prices.seat').fill('');
      await desk.field('feature_labels.import.ja').evaluate((input: any) => (input.closest('details').open = true));
      await desk.field('feature_labels.import.ja').fill('読み込み');
      await desk.operation('updateProduct').dblclick();
      await desk.field('name').press('Enter');
      await desk.field('description').fill('Typed on');
      isOver.resolve();
      await saved();
      const labels = { features: ['export', 'import'], feature_labels: { import: { ja: '読み込み' } } };
      expect(sent()).toMatchObject([{ name: 'Pencil', price_amount: 1500, addition_prices: {}, ...labels, expected_revision: 1 }]);
      expect([await desk.field('features').inputValue(), await desk.field('description').inputValue()]).toEqual([
        'export\nimport',
        'Typed on',
      ]);
      await save();
      await discard().waitFor({ state: 'detached' });
      expect([sent()[1], await stored()]).toMatchObject([{ expected_revision: 2 }, { name: 'Pencil', description: 'Typed on' }]);
    });

    test('is not sent with what is wrong, which is summed up with links to the fields', async () => {
      await desk.open(path());
      const sent = bodies();
      await desk.field('name').fill('');
      await desk.field('price_amount').fill('12.5');
      await desk.field('description').fill('x'.repeat(20_001));
      await save();
      await desk.untilFocused('[role=alert][data-error=invalid_request]');
      const faults = () => desk.failure('invalid_request').locator('a');
      expect(await faults().allTextContents()).toEqual([
        'Name is missing',
        'Description must be at most 20000 characters long',
        'Price must be a whole amount in this currency',
      ]);
      await faults().nth(2).click();
      expect([
        await desk.isFocused('[name=price_amount][aria-invalid=true]'),
        (await desk.field('description').inputValue()).length,
      ]).toEqual([true, 20_001]);
      await desk.expectFit();
      expect(sent()).toEqual([]);
    });

    test('outlives failures, a reload and the key that ends a conversion, until it is discarded', async () => {
      await desk.open(path());
      const sent = bodies();
      await desk.field('name').fill('Pencil');
      const press = (isComposing: boolean) =>
        desk.field('name').evaluate((input: any, isComposing: boolean) => {
          const { KeyboardEvent } = input.ownerDocument.defaultView;
          return input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing, bubbles: true, cancelable: true }));
        }, isComposing);
      expect([await press(true), await press(false)]).toEqual([false, true]);
      await desk.reload();
      expect(await desk.field('name').inputValue()).toBe('Pencil');
      await discard().click();
      expect([await desk.field('name').inputValue(), await page.evaluate('sessionStorage.length')]).toEqual([terms.name, 0]);
      await page.getByRole('button', { name: 'Bring them back' }).click();
      expect(await desk.field('name').inputValue()).toBe('Pencil');
      await desk.once(/products\/prd_/, (route) => route.abort('internetdisconnected'));
      await save();
      await desk.failure('offline').waitFor();
      await desk.once(/products\/prd_/, desk.failing(429, 'rate_limited', { 'Retry-After': '1' }));
      await page.locator('[data-action=retry]').click();
      // It waits, and sends what it holds then.
      await desk.failure('rate_limited').waitFor();
      await desk.field('name').fill('Marker');
      await saved();
      expect([(await stored()).name, sent().length, await page.locator('[role=alert]').count()]).toEqual(['Marker', 3, 0]);
    });

    test('is merged with what somebody else saved, but for two values of which one is right', async () => {
      await desk.open(path());
      const sent = bodies();
      await desk.field('refund_policy').fill('Mine');
      await saveElsewhere({ refund_policy: 'Theirs', description: 'Draws best' });
      await save();
      const conflict = page.locator('[data-conflict=refund_policy]');
      await conflict.waitFor();
      expect([await conflict.locator('bdi').allTextContents(), await page.locator('[data-conflict]').count()]).toEqual([
        [terms.refund_policy, 'Theirs', 'Mine'],
        1,
      ]);
      await save();
      expect(sent()).toHaveLength(1);
      await desk.reload();
      await conflict.locator('[data-choice=mine]').click();
      expect(await conflict.locator('[aria-pressed=true]').getAttribute('data-choice')).toBe('mine');
      await desk.expectFit();
      await save();
      await conflict.waitFor({ state: 'detached' });
      await discard().waitFor({ state: 'detached' });
      expect(await stored()).toMatchObject({ refund_policy: 'Mine', description: 'Draws best' });
    });

    test('is handed in as it was seen, taken off sale again, and once it is on sale stands beside what is live', async () => {
      await desk.open(path());
      await saveElsewhere({ description: 'Draws lines.' });
      await desk.operation('submitProduct').click();
      await desk.failure('stale_revision').waitFor();
      await desk.until(`document.querySelector('[name=description]').value === 'Draws lines.'`);
      expect(await stored()).toMatchObject({ status: 'draft' });
      await page.locator('[data-action=retry]').click();
      await desk.untilFocused('h2');
      expect([await stored(), await page.locator('[role=alert]').count()]).toMatchObject([{ status: 'pending_review' }, 0]);
      await page.getByRole('button', { name: 'Take off sale' }).click();
      await desk.operation('publishProduct', desk.dialog()).click();
      await desk.operation('submitProduct').waitFor();
      await desk.untilFocused('h2');
      expect(await stored()).toMatchObject({ status: 'draft' });
      await desk.asSeller('POST', `/v1/products/${product}/submit-review`);
      await desk.asAdmin('PATCH', `/v1/admin/products/${product}/review`, { decision: 'approve' });
      await saveElsewhere({ name: 'Crayon' });
      await desk.reload();
      expect([await desk.field('name').inputValue(), await page.locator('.live bdi').allTextContents()]).toEqual([
        'Crayon',
        [terms.name, 'Draws lines.'],
      ]);
    });

    test('of a new product goes with it, and nothing that was typed is left to somebody else who signs in instead', async () => {
      await desk.open('/console/products/new');
      for (const [name, value] of Object.entries({ name: 'Brush', description: 'Draws', refund_policy: 'None', price_amount: '12.50' }))
        await desk.field(name).fill(value);
      await desk.reload();
      await desk.field('currency').selectOption('USD');
      await desk.field('software_operating_environment').fill('macOS');
      await desk.operation('createProduct').click();
      await page.waitForURL(/prd_/);
      const made = await desk.asSeller('GET', `/v1/products/${new URL(page.url()).pathname.split('/')[3]}`);
      expect([made, (await desk.kept()).includes('Brush')]).toMatchObject([{ name: 'Brush', price_amount: 1250, currency: 'USD' }, false]);
      await desk.go(path());
      await desk.field('name').fill('Typed before');
      await desk.endSessions();
      await page.goto(`${desk.harness.baseUrl}/console?login_hint=new`);
      await shown(page);
      await desk.go('/console/products');
      expect([await desk.kept(), await page.content()].join()).not.toContain('Typed before');
    });
  });

  describe('uploads', () => {
    const bytes = Buffer.alloc(2 * partSizeBytes + 11, 'upload');
    const allParts = ['1', '2', '3'];
    const path = () => `/console/products/${product}/files`;
    /** The parts that the store took. */
    let taken: string[];
    beforeEach(async () => {
      ({ id: product } = await offerProduct(desk.harness, { name: another('Uploaded') }));
      taken = [];
    });

    const partOf = (url: string) => new URL(url).searchParams.get('partNumber') ?? '';
    async function openFiles(): Promise<void> {
      await desk.open(path());
      page.on('dialog', (one) => void one.accept());
      page.context().on('response', (response) => {
        if (response.request().method() === 'PUT' && response.ok()) taken.push(partOf(response.url()));
      });
    }
    const chooseFile = (within: Page = page) => choose('setup.zip', bytes, 'application/zip', within);
    const state = (name: string, within: Page = page) => within.locator(`[data-upload=${name}]`).waitFor();
    const press = (action: string) => page.locator(`[data-action=${action}]`).click();
    const statuses = async () => (await filesOf()).map(({ status }: any) => status);
    const untilTaken = (count: number) => eventually(`${count} parts are taken`, 90, async () => taken.length >= count || undefined);
    /** Keeps parts from this one on from leaving the page, until they are let go. */
    const holdParts = (from: number) =>
      page.route(/partNumber=/, (route) => (Number(partOf(route.request().url())) >= from ? undefined : route.continue()));
    const letGo = () => page.unroute(/partNumber=/);

    test('are hashed, sent and followed through their checks; a double choice is one', async () => {
      await openFiles();
      await desk.text('Buyers have nothing to download yet.').waitFor();
      await Promise.all([choose('<b>setup</b>.zip', bytes), choose('<b>setup</b>.zip', bytes)]);
      await page.locator('tr[data-id]').getByText('Matches').waitFor();
      await desk.said('Hash Matches');
      expect([taken.toSorted(), await statuses(), await page.locator('tr b').count()]).toEqual([allParts, ['pending_review'], 0]);
      await desk.expectFit();
    });

    test('show pause or resume, keep the focus between them, and wait without a network', async () => {
      await openFiles();
      await holdParts(2);
      await chooseFile();
      await untilTaken(1);
      const shown = () => Promise.all(['pause', 'resume'].map((action) => page.locator(`[data-action=${action}]`).count()));
      expect(await shown()).toEqual([1, 0]);
      await press('pause');
      expect([await shown(), await desk.isFocused('[data-action=resume]')]).toEqual([[0, 1], true]);
      await letGo();
      await page.route(/partNumber=|\/v1\//, (route) => route.abort('internetdisconnected'));
      await press('resume');
      await state('waiting');
      await page.unroute(/partNumber=|\/v1\//);
      await page.evaluate(`window.dispatchEvent(new Event('online'))`);
      await state('done');
      // What the store took while its reply was cut off is not among those taken, and was not sent again either.
      expect([taken.length, await statuses()]).toEqual([new Set(taken).size, ['pending_review']]);
    });

    test('are one from two tabs, and the second tab goes on when the first is closed', async () => {
      await openFiles();
      const second = await desk.otherTab(path());
      await holdParts(2);
      await chooseFile();
      await untilTaken(1);
      await chooseFile(second);
      await state('elsewhere', second);
      await page.close({ runBeforeUnload: false });
      await state('done', second);
      // What the store took as the first tab closed is not among those taken, and was not sent again either.
      expect([taken.length, await statuses()]).toEqual([new Set(taken).size, ['pending_review']]);
    });

    test('are withdrawn when they are cancelled, and the focus stays near', async () => {
      await openFiles();
      await holdParts(2);
      await chooseFile();
      await untilTaken(1);
      await press('cancel');
      await page.locator('.upload').waitFor({ state: 'detached' });
      await desk.untilFocused('.uploads');
      await eventually('it is withdrawn', 60, async () => (await statuses())[0] === 'disabled' || undefined);
    });
  });

  describe('files', () => {
    const screen = () => `/console/products/${product}/files`;
    beforeAll(async () => {
      ({ id: product } = await offerProduct(desk.harness, { name: 'Wave <i>Editor</i>' }));
    });

    test('are taken back once that is confirmed, and not by a key alone', async () => {
      const file = await uploadFile(desk.harness, product, 'setup.zip', Buffer.from('a setup'));
      await desk.open(screen());
      const ask = desk.row(file).getByRole('button', { name: 'Withdraw' });
      await ask.waitFor();
      const sent = desk.watch('POST', /withdraw$/);
      await ask.press('Enter');
      await desk.dialog().waitFor();
      // Enter alone takes nothing back.
      await page.keyboard.press('Enter');
      expect(sent).toEqual([]);
      const confirm = page.locator(`[data-operation=withdrawProductFile][data-target="${file}"]`);
      await confirm.dblclick();
      await page.locator('summary', { hasText: 'No longer offered (1)' }).click();
      expect([sent.length, await filesOf()]).toMatchObject([1, [{ id: file, status: 'disabled' }]]);
      await desk.expectFit();
    });

    test('tell what is wrong with them, and what to do; pictures are seen as buyers see them', async () => {
      const turnedDown = await uploadFile(desk.harness, product, 'old.zip', Buffer.from('old'));
      await reviewFile(turnedDown, { decision: 'reject', rejected_reason: 'It asks for \u200Bmore.' });
      const hidden = await publishFile(desk.harness, product, 'hidden.zip', Buffer.from('hidden'));
      await reviewFile(hidden, { decision: 'approve', visibility: 'private' });
      const picture = await publishFile(desk.harness, product, 'hills.png', examplePicture(), {
        purpose: 'image',
        content_type: 'image/png',
      });
      await desk.open(screen(), { locale: 'ja', width: 320 });
      await desk.row(turnedDown).getByText('直したファイル').waitFor();
      expect(await desk.row(turnedDown).textContent()).toContain('理由： It asks for');
      expect(await desk.row(turnedDown).locator('.mark').count()).toBe(1);
      expect(await desk.operation('withdrawProductFile', desk.row(turnedDown)).count()).toBe(0);
      await desk.row(hidden).getByText('購入者には公開されていません').waitFor();
      await desk.row(picture).locator('img').waitFor();
      expect(
        await page.evaluate(`document.querySelector('img').decode().then(() => document.querySelector('img').naturalWidth)`),
      ).toBeGreaterThan(100);
      await page.locator('select[name=purpose]').selectOption('image');
      await choose('animated.png', 'no picture', 'image/png');
      await page.locator('tr', { hasText: 'animated.png' }).getByText('PNG、JPEG、WebP のどれでもありません').waitFor();
      await choose('notes.txt', 'text', 'text/plain');
      await desk.failure('picture_unknown').waitFor();
      await desk.expectFit();
    });
  });

  describe('codes', () => {
    const screen = () => `/console/products/${product}/codes`;
    const csv = (...codes: string[]) => ['code', ...codes, ''].join('\n');
    const batches = async () => (await desk.asSeller('GET', `/v1/products/${product}/code-batches?limit=100`)).items;
    beforeAll(async () => {
      ({ id: product } = await offerProduct(desk.harness, { name: 'Codes', license_issuance_mode: 'imported_csv', features: [] }));
    });

    test('are imported once, whatever happens to the reply, and followed to the end', async () => {
      await desk.open(screen());
      await desk.text('No codes were imported yet').waitFor();
      await desk.operation('importCodes').click();
      await desk.failure('invalid_request').getByRole('link').click();
      expect(await desk.isFocused('[name=file]')).toBe(true);
      await choose('codes.csv', csv('CODE-0001-AAAA', 'CODE-0002-BBBB', '=2+3+4+5+6', 'short', 'CODE-0001-AAAA'), 'text/csv');
      await page.route('**/code-batches', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        await route.fetch();
        await route.abort();
      });
      await desk.operation('importCodes').click();
      await desk.failure('offline').waitFor();
      await page.unroute('**/code-batches');
      await desk.failure('offline').locator('[data-action=retry]').dblclick();
      await desk.said('2 imported, 1 had before, 2 left out');
      const made = await batches();
      expect(made).toMatchObject([{ status: 'completed', imported_count: 2 }]);
      await page.locator('.facts', { hasText: 'For sale' }).locator('dd').first().getByText('2', { exact: true }).waitFor();
      await desk.row(made[0].id).getByText('2 rows left out').click();
      await desk.row(made[0].id).getByText('Row 3 (line 4): The code starts with').waitFor();
      await desk.expectFit();

      await choose('codes.csv', 'name\nCODE-0001-AAAA\n', 'text/csv');
      await desk.operation('importCodes').click();
      await desk.failure('invalid_csv').waitFor();
      await choose('codes.csv', csv('CODE-0003-CCCC', 'CODE-0002-BBBB'), 'text/csv');
      await desk.operation('importCodes').click();
      await desk.said('1 imported, 1 had before, 0 left out');
      expect([(await batches()).length, (await desk.kept()).includes('CODE-')]).toEqual([2, false]);
    });
  });
});
