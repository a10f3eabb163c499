import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { previewSeconds } from '../../../shared/products/previews/preview.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { png } from '../../support/samples/pictures.ts';
import { type FileHarness, servedAsUploaded, startFileHarness } from '../../support/scenes/file-harness.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

const asPng = { filename: 'screen.png', content_type: 'image/png', purpose: 'image' };

let store: TestTable;
let harness: FileHarness;
beforeAll(async () => {
  store = await createTestTable();
  harness = await startFileHarness({
    table: store.table,
    encodePicture: servedAsUploaded,
    product: { slug: 'studio', name: 'Studio', description: 'What is live.', priceAmount: 900 },
    environment: { PUBLIC_BASE_URL: 'https://shop.example' },
  });
});
afterAll(() => harness.stop());
beforeEach(() => harness.change({ product: { status: 'approved', pending: undefined }, seller: { internalReviewStatus: 'approved' } }));

const ask = (body?: object, headers: Record<string, string> = {}) =>
  harness.call('POST', `/v1/products/${harness.product.id}/preview`, { headers, ...(body && { body }) });
const askAsAdmin = (body?: object, id: string = harness.product.id) =>
  harness.admin('POST', `/v1/admin/products/${id}/preview`, body ? { body } : {});
const pathOf = ({ json }: { json: { preview_url: string } }) => new URL(json.preview_url).pathname;
const open = (path = '', method = 'GET') => harness.service(method, path, { headers: { accept: 'text/html' } });
const statusOf = async (path: string) => (await open(path)).status;
const editing = (changes: object) =>
  harness.change({ product: { pending: { status: 'draft', changes, updatedAt: harness.now().toISOString() } } });

describe('a preview', () => {
  test('shows the buyer’s page for 15 minutes, to whoever has its address, and lets nobody order', async () => {
    const before = harness.now().getTime();
    const reply = await ask();
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(reply.json).toEqual({
      preview_url: expect.stringMatching(/^https:\/\/shop\.example\/preview\/[\w-]{43}$/),
      expires_at: expect.any(String),
    });
    const made = Date.parse(reply.json.expires_at) - 15 * 60_000;
    expect([before <= made, made <= harness.now().getTime()]).toEqual([true, true]);
    const path = pathOf(reply);
    const shown = await open(path);
    expect(shown).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' },
    });
    expect(shown.text).toMatch(/Preview, not public.*<h1><span[^>]*>Studio</s);
    expect(shown.text).toContain('<button class="button buy" type="button" disabled>Buy</button>');
    expect(shown.text).toContain('<meta name="robots" content="noindex">');
    expect(shown.text).not.toMatch(/\/p\/studio|checkout|<form|rel="canonical"|ld\+json|og:/);
    const japanese = await open(`${path}?lang=ja`);
    expect(japanese.text).toMatch(/プレビュー（非公開）.*プレビューからは注文できません。/s);
    expect(japanese.text).toContain(`<a href="${path}?lang=en"`);
    expect((await open(path, 'POST')).status).toBe(404);
    harness.pass(previewSeconds + 1);
    const ended = { status: 404, headers: { 'cache-control': 'no-store' }, text: expect.stringContaining('<h1>Page not found') };
    expect(await open(path)).toMatchObject(ended);
  });

  test('is kept by the hash of its token alone, and costs the requests that its README names', async () => {
    store.takeRequestCounts();
    const path = pathOf(await ask());
    expect(store.takeRequestCounts()).toEqual({ GetItem: 2, PutItem: 1 });
    await askAsAdmin();
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1, PutItem: 1 });
    await open(path);
    expect(store.takeRequestCounts()).toEqual({ GetItem: 1, BatchGetItem: 1 });
    for (const token of ['short', 'x'.repeat(44), '%00']) expect(await statusOf(`/preview/${token}`)).toBe(404);
    expect(store.takeRequestCounts()).toEqual({});
    expect(JSON.stringify(await readContents(store))).not.toContain(path.slice('/preview/'.length));
  });

  test('shows what is pending where something is, else what is live, as it is when it is opened', async () => {
    const message = 'version must be live, since the product has no pending revision';
    for (const made of [await ask({ version: 'pending' }), await askAsAdmin({ version: 'pending' })])
      expect(made).toMatchObject({ status: 400, json: { code: 'invalid_request', message } });
    await editing({ name: 'Atelier', description: 'What is pending.', priceAmount: 0 });
    const made = [await ask(), await ask({ version: 'pending' }), await askAsAdmin({}), await ask({ version: 'live' })];
    const [usual, pending, asAdmin, live] = made.map(pathOf);
    for (const path of [usual, pending, asAdmin]) expect((await open(path)).text).toMatch(/>Atelier<.*Get it for free.*What is pending\./s);
    expect((await open(live)).text).toMatch(/>Studio<.*What is live\./s);
    expect((await open('/p/studio')).text).toContain('What is live.');
    await editing({ description: 'What was changed since.' });
    expect((await open(pending)).text).toContain('What was changed since.');
    await harness.change({ product: { pending: undefined } });
    expect((await open(pending)).text).toContain('What is live.');
  });

  test.each(['draft', 'suspended'] as const)(
    'can be made of a product that is %s by a suspended seller, which is not public',
    async (status) => {
      await harness.change({ product: { status }, seller: { internalReviewStatus: 'suspended' } });
      for (const path of [pathOf(await ask()), pathOf(await askAsAdmin({ version: 'live' }))])
        expect((await open(path)).text).toContain('What is live.');
      expect(await statusOf('/p/studio')).toBe(404);
    },
  );

  test('shows the pictures whose upload was verified, approved or not, under its own address alone, until they are turned down', async () => {
    const waiting = await harness.handIn(png(40, 30), asPng);
    const path = pathOf(await ask());
    expect((await open(path)).text).not.toContain('<img');
    await harness.drain();
    const approved = await harness.offerFile(png(60, 20), asPng);
    const sources = [...(await open(path)).text.matchAll(/<img src="([^"]+)"/g)].map(([, source = '']) => source);
    expect(sources).toEqual([waiting, approved].map((id) => expect.stringMatching(new RegExp(`^${path}/${id}/[0-9a-f]{64}\\.png$`))));
    const [source = '', second = ''] = sources;
    expect(await open(source)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      },
    });
    const foreign = pathOf(await askAsAdmin({}, (await harness.addProduct()).id));
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
    expect(await statusOf(second)).toBe(200);
    harness.pass(previewSeconds + 1);
    expect(await statusOf(second)).toBe(404);
    await harness.withdraw(approved);
  });

  test('is opened by no other token of the service, and its token opens nothing else', async () => {
    const at = harness.now();
    const purchase = { orderId: sampleOrder().id, use: 'mail', expiresAt: new Date(at.getTime() + 60_000) } as const;
    const completion = await mintCompletionToken(purchase, at, harness.settings.TOKEN_KEYS);
    const path = pathOf(await ask());
    for (const elsewhere of [`/preview/${completion}`, path.replace('/preview', '/p'), `${path}/checkout`, path.toUpperCase()])
      expect([elsewhere, await statusOf(elsewhere)]).toEqual([elsewhere, 404]);
    const tokens = await Promise.all(Array.from({ length: 20 }, async () => pathOf(await askAsAdmin())));
    expect(new Set(tokens).size).toBe(20);
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
