import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { routes as pageRoutes } from '../../../functions/pages/routes.ts';
import { compose as composePictures } from '../../../functions/pictures/compose.ts';
import { settingNames as pictureSettings } from '../../../functions/pictures/declaration.ts';
import { routes as pictureRoutes } from '../../../functions/pictures/routes.ts';
import { compose as composeProducts } from '../../../functions/products/compose.ts';
import { settingNames as productSettings } from '../../../functions/products/declaration.ts';
import { routes as productRoutes } from '../../../functions/products/routes.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { previewSeconds } from '../../../shared/products/previews/preview.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { png } from '../../support/samples/pictures.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';
import { createPageHarness } from '../../support/scenes/pages/page-harness.ts';
import { createTestQueue, sampleOrder, silentLogger } from '../../support/scenes/projection-harness.ts';

const base = 'https://shop.example';
const asPng = { filename: 'screen.png', content_type: 'image/png', purpose: 'image' };
const asBrowser = { headers: { accept: 'text/html' } };

let store: TestTable;
let harness: FileHarness;
let pages: ReturnType<typeof createCaller>;
let pageKeys: Awaited<ReturnType<typeof createPageHarness>>['settings'];
let pictures: ReturnType<typeof createCaller>;
let products: ReturnType<typeof createCaller>;
let admins: ReturnType<typeof createCaller>;
/** How far the clock is ahead of that of everything else. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);

beforeAll(async () => {
  store = await createTestTable();
  const { table } = store;
  harness = await startFileHarness({ table, product: { slug: 'studio', name: 'Studio', description: 'What is live.', priceAmount: 900 } });
  const common = { logger: silentLogger, table, sender: createTestQueue(), store: harness.store, now };
  const named = { PUBLIC_BASE_URL: base };
  const { handler, settings } = await createPageHarness({ paymentApiBase: 'http://127.0.0.1:9', engine: store, settings: named, now });
  pageKeys = settings;
  pages = createCaller(handler, pageRoutes);
  pictures = createCaller(composePictures({ ...common, settings: sampleSettings(pictureSettings) }), pictureRoutes);
  products = createCaller(composeProducts({ ...common, settings: sampleSettings(productSettings, named) }), productRoutes);
  admins = createCaller(composeAdmin({ ...common, settings: sampleSettings(adminSettings, named) }), adminRoutes);
});
afterAll(() => harness.stop());
beforeEach(async () => {
  ahead = 0;
  await harness.change({ product: { status: 'approved', pending: undefined }, seller: { internalReviewStatus: 'approved' } });
});

const ask = (body?: unknown, headers: Record<string, string> = harness.asOwner) =>
  products('POST', `/v1/products/${harness.product.id}/preview`, { headers, ...(body !== undefined && { body }) });
const askAsAdmin = (body?: unknown, id: string = harness.product.id) =>
  admins('POST', `/v1/admin/products/${id}/preview`, { headers: harness.asAdmin, ...(body !== undefined && { body }) });
const pathOf = ({ json }: { json: { preview_url: string } }) => new URL(json.preview_url).pathname;
const open = async (path: string, headers: Record<string, string> = {}) =>
  pages('GET', path, { headers: { ...asBrowser.headers, ...headers } });
const editing = (fields: object) =>
  harness.change({ product: { pending: { status: 'draft', changes: fields, updatedAt: now().toISOString() } } });

describe('a preview', () => {
  test('shows the buyer’s page for 15 minutes, to whoever has its address, and lets nobody order', async () => {
    const reply = await ask();
    const expiresAt = Date.parse(reply.json.expires_at);
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(Object.keys(reply.json)).toEqual(['preview_url', 'expires_at']);
    expect(reply.json.preview_url).toMatch(/^https:\/\/shop\.example\/preview\/[\w-]{43}$/);
    expect(Math.abs(expiresAt - Date.now() - 15 * 60_000)).toBeLessThan(5000);
    const path = pathOf(reply);
    const shown = await open(path);
    expect(shown).toMatchObject({
      status: 200,
      headers: {
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      },
    });
    expect(shown.text).toMatch(/Preview, not public.*<h1><span[^>]*>Studio</s);
    expect(shown.text).toContain('<button class="button buy" type="button" disabled>Buy</button>');
    expect(shown.text).toContain('<meta name="robots" content="noindex">');
    expect(shown.text).not.toMatch(/\/p\/studio|checkout|<form|rel="canonical"|ld\+json|og:/);
    const japanese = await open(`${path}?lang=ja`);
    expect(japanese.text).toMatch(/プレビュー（非公開）.*プレビューからは注文できません。/s);
    expect(japanese.text).toContain(`<a href="${path}?lang=en"`);
    expect((await pages('POST', path, asBrowser)).status).toBe(404);
    ahead = previewSeconds * 1000 + 1000;
    const ended = await open(path);
    expect(ended).toMatchObject({
      status: 404,
      headers: { 'cache-control': 'no-store' },
      text: expect.stringContaining('<h1>Page not found'),
    });
  });

  test('is kept by the hash of its token alone, and costs the requests that its README names', async () => {
    store.takeRequestCounts();
    const path = pathOf(await ask());
    expect(store.takeRequestCounts()).toEqual({ GetItem: 2, PutItem: 1 });
    await askAsAdmin();
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1, PutItem: 1 });
    await open(path);
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 1 });
    for (const token of ['short', 'x'.repeat(44), '%00']) expect((await open(`/preview/${token}`)).status).toBe(404);
    expect(store.takeRequestCounts()).toEqual({});
    expect(JSON.stringify(await readContents(store))).not.toContain(path.slice('/preview/'.length));
  });

  test('shows what is pending where something is, else what is live, as it is when it is opened', async () => {
    const message = 'version must be live, since the product has no pending revision';
    for (const made of [await ask({ version: 'pending' }), await askAsAdmin({ version: 'pending' })]) {
      expect(made).toMatchObject({ status: 400, json: { code: 'invalid_request', message } });
    }
    expect(await ask({ version: 'draft' })).toMatchObject({ status: 400, json: { message: 'version must be one of live, pending' } });
    await editing({ name: 'Atelier', description: 'What is pending.', priceAmount: 0 });
    const [usual, pending, live, asAdmin] = [
      await ask(),
      await ask({ version: 'pending' }),
      await ask({ version: 'live' }),
      await askAsAdmin({}),
    ].map(pathOf);
    for (const path of [usual, pending, asAdmin]) {
      expect((await open(path ?? '')).text).toMatch(/>Atelier<.*Get it for free.*What is pending\./s);
    }
    expect((await open(live ?? '')).text).toMatch(/>Studio<.*What is live\./s);
    expect((await open('/p/studio')).text).toContain('What is live.');
    await editing({ description: 'What was changed since.' });
    expect((await open(pending ?? '')).text).toContain('What was changed since.');
    await harness.change({ product: { pending: undefined } });
    expect((await open(pending ?? '')).text).toContain('What is live.');
  });

  test.each(['draft', 'pending_review', 'rejected', 'suspended'] as const)(
    'can be made of a product that is %s, and of a suspended seller’s, which the public does not see',
    async (status) => {
      await harness.change({ product: { status }, seller: { internalReviewStatus: 'suspended' } });
      for (const path of [pathOf(await ask()), pathOf(await askAsAdmin({ version: 'live' }))]) {
        expect((await open(path)).text).toContain('What is live.');
      }
      expect((await open('/p/studio')).status).toBe(404);
    },
  );

  test('shows the pictures whose upload was verified, approved or not, under its own address alone, until they are turned down', async () => {
    const waiting = await harness.handIn(png(40, 30), asPng);
    const path = pathOf(await ask());
    expect((await open(path)).text).not.toContain('<img');
    await harness.drain();
    const approved = await harness.offerFile(png(60, 20), asPng);
    const sources = [...(await open(path)).text.matchAll(/<img src="([^"]+)"/g)].map(([, source = '']) => source);
    expect(sources).toEqual([
      expect.stringMatching(new RegExp(`^${path}/${waiting}/[0-9a-f]{64}\\.png$`)),
      expect.stringMatching(new RegExp(`^${path}/${approved}/[0-9a-f]{64}\\.png$`)),
    ]);
    const [source = ''] = sources;
    const picture = await pictures('GET', source);
    expect(picture).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      },
    });
    const statusOf = async (address: string) => (await pictures('GET', address)).status;
    const other = await harness.addProduct();
    const foreign = pathOf(await askAsAdmin({}, other.id));
    const wrong = [
      source.replace(path, foreign),
      source.replace(/[\w-]{43}/, 'x'.repeat(43)),
      source.replace('.png', '.jpg'),
      source.replace(path, `/images/${harness.product.id}`),
      source.replace(waiting, 'nonsense'),
    ];
    for (const address of wrong) expect([address, await statusOf(address)]).toEqual([address, 404]);
    expect((await open('/p/studio')).text).not.toContain(waiting);
    await harness.review(waiting, { decision: 'reject', rejected_reason: 'Blurred.' });
    expect(await statusOf(source)).toBe(404);
    expect((await open(path)).text).not.toContain(waiting);
    const [, second = ''] = sources;
    expect(await statusOf(second)).toBe(200);
    ahead = previewSeconds * 1000 + 1000;
    expect(await statusOf(second)).toBe(404);
    await harness.withdraw(approved);
  });

  test('is opened by no other token of the service, and its token opens nothing else', async () => {
    const order = sampleOrder();
    const completion = await mintCompletionToken(
      { orderId: order.id, use: 'mail', expiresAt: new Date(Date.now() + 60_000) },
      new Date(),
      pageKeys.TOKEN_KEYS,
    );
    expect((await open(`/preview/${completion}`)).status).toBe(404);
    const path = pathOf(await ask());
    for (const elsewhere of [path.replace('/preview', '/p'), `${path}/checkout`, path.toUpperCase()]) {
      expect([elsewhere, (await open(elsewhere)).status]).toEqual([elsewhere, 404]);
    }
  });

  test('is made of one’s own products alone, but by admins, and without a body too', async () => {
    expect(await ask({}, { 'X-User-ID': 'bob' })).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    expect(await askAsAdmin({}, 'prd_none')).toMatchObject({ status: 404, json: { code: 'product_not_found' } });
    const tokens = await Promise.all(Array.from({ length: 50 }, async () => pathOf(await askAsAdmin())));
    expect(new Set(tokens).size).toBe(50);
  });

  test('of the worst texts of the largest size can be sent', async () => {
    const worst = { description: `<script>&"'\u202e${'😀'.repeat(19_000)}`, refundPolicy: '𠮷\n\n'.repeat(1600), name: '<b>"x'.repeat(40) };
    const environment = { softwareOperatingEnvironment: '&'.repeat(5000), tokushohoAddress: '\u200f'.repeat(500) };
    await harness.change({
      product: { ...worst, ...environment, features: Array.from({ length: 100 }, (_, at) => `${at}${'"'.repeat(61)}`) },
    });
    const { status, text } = await open(pathOf(await ask()));
    expect([status, text.length < 1_000_000]).toEqual([200, true]);
    expect(text).not.toMatch(/<script>&|<b>"x/);
  });
});
