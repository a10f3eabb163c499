import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../functions/pages/routes.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { png } from '../../support/samples/pictures.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';
import { createPageHarness } from '../../support/scenes/pages/page-harness.ts';

const ja = { headers: { 'accept-language': 'ja' } };
const asPng = { filename: 'screen.png', content_type: 'image/png', purpose: 'image' };

let store: TestTable;
let harness: FileHarness;
let call: ReturnType<typeof createCaller>;

beforeAll(async () => {
  store = await createTestTable();
  const { table } = store;
  harness = await startFileHarness({ table, product: { slug: 'studio', name: 'Studio "1" & more' } });
  const { handler } = await createPageHarness({
    paymentApiBase: 'http://127.0.0.1:9',
    engine: store,
    settings: { PUBLIC_BASE_URL: 'http://127.0.0.1:3000' },
  });
  call = createCaller(handler, routes);
});
afterAll(() => harness.stop());

let made = 0;
/** The text of a new product's page, and of the confirmation. */
async function pagesOf(
  product: Partial<ProductRecord>,
  { seller = {}, query = '', options = {} }: { seller?: Partial<SellerRecord>; query?: string; options?: object } = {},
) {
  made += 1;
  const owner = sampleSeller({ ...sellingSeller, ...seller });
  const offered = sampleProduct({ slug: `made-${made}`, name: 'Made', status: 'approved', sellerId: owner.id, ...product });
  await store.table.transact([...addSeller(owner), ...addProduct(offered)]);
  const text = async (path: string) => (await call('GET', `/p/${offered.slug}${path}${query}`, options)).text;
  return { page: await text(''), checkout: await text('/checkout') };
}

const mainOf = (page: string) => /<main.*<\/main>/s.exec(page)?.[0] ?? '';
const wordsOf = (page: string) =>
  mainOf(page)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const listIn = (page: string, name: string) =>
  [...(new RegExp(`<ul class="${name}">(.*?)</ul>`, 's').exec(page)?.[1] ?? '').matchAll(/<li[^>]*>.*?<\/li>/gs)].map(([item]) => item);

/** What the page tells programs, as an HTML parser cuts it out. */
const structuredData = (page: string) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script/is.exec(page)?.[1] ?? '');

describe('the pictures on the product page', () => {
  test('have their size and an alternative, and all but the first wait; a preview shows the first', async () => {
    const ids = [await harness.offerFile(png(40, 30), asPng), await harness.offerFile(png(60, 20), asPng)];
    const { text } = await call('GET', '/p/studio');
    const [first = '', second = '', ...others] = listIn(text, 'pictures');
    expect(others).toEqual([]);
    expect(first).toMatch(
      new RegExp(`<a href="(/images/${harness.product.id}/${ids[0]}/[0-9a-f]{64}\\.png)"><img [^>]*src="\\1" width="40" height="30"`),
    );
    expect(first).toContain('alt="Picture 1 of 2 of Studio &quot;1&quot; &amp; more"');
    expect(second).toContain('width="60" height="20" alt="Picture 2 of 2 of Studio');
    expect([first, second].map((item) => item.includes('loading="lazy"'))).toEqual([false, true]);
    const [, path = ''] = /src="([^"]+)"/.exec(first) ?? [];
    expect(text).toContain(`<meta property="og:image" content="http://127.0.0.1:3000${path}">
<meta property="og:image:width" content="40">
<meta property="og:image:height" content="30">
<meta property="og:image:alt" content="Picture 1 of 2 of Studio &quot;1&quot; &amp; more">`);
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">');
    expect(structuredData(text).image).toEqual([`http://127.0.0.1:3000${path}`, expect.stringContaining(ids[1] ?? '-')]);
    expect((await call('GET', '/p/studio', ja)).text).toContain('alt="Studio &quot;1&quot; &amp; moreの画像（2枚中1枚目）"');
    const confirmation = async () => (await call('GET', '/p/studio/checkout')).text;
    expect(await confirmation()).toContain(`<img class="thumbnail" src="${path}" width="40" height="30" alt="">`);

    await harness.review(ids[0] ?? '', { decision: 'disable' });
    const later = (await call('GET', '/p/studio')).text;
    expect(later).not.toContain(path);
    expect(later).toContain('alt="Picture of Studio');
    await harness.withdraw(ids[1] ?? '');
    const without = (await call('GET', '/p/studio')).text;
    expect(without).not.toMatch(/<img|og:image/);
    expect(without).toContain('<meta name="twitter:card" content="summary">');
    expect(await confirmation()).not.toContain('<img');
  });
});

describe('the files on the product page', () => {
  test('are those that buyers can download, with their size and what they run on', async () => {
    const bytes = Buffer.alloc(1_234_567);
    // What is packed for everybody is packed anew where its end alone is another.
    const read = async () => (await call('GET', '/p/studio', { headers: { 'accept-encoding': 'gzip' } })).text;
    const ids = [];
    for (const filename of ['Studio.dmg', 'manual.pdf', 'Setup.EXE']) ids.push(await harness.offerFile(bytes, { filename }));
    ids.push(await harness.handIn(bytes, { filename: 'waiting.deb' }));
    const text = await read();
    const items = listIn(text, 'file-list').map((item) => item.replace(/<[^>]+>/g, ''));
    expect(items).toEqual(['Studio.dmg macOS · 1.2 MB', 'manual.pdf 1.2 MB', 'Setup.EXE Windows · 1.2 MB']);
    expect(text).toContain('<h2 id="files">Downloads</h2>');
    for (const id of ids) await harness.withdraw(id);
    expect(await read()).not.toContain('id="files"');
  });

  test('cost one request to the table, and none where there are none', async () => {
    await call('GET', '/p/studio');
    store.takeRequestCounts();
    await call('GET', '/p/studio');
    expect(store.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
    const id = await harness.offerFile(Buffer.from('an installer'));
    store.takeRequestCounts();
    await call('GET', '/p/studio');
    expect(store.takeRequestCounts()).toEqual({ BatchGetItem: 2 });
    await call('GET', '/p/studio/checkout');
    expect(store.takeRequestCounts()).toEqual({ BatchGetItem: 2 });
    await harness.withdraw(id);
  });
});

describe('the product page', () => {
  test('links to the seller’s own site, without vouching for it', async () => {
    const { page } = await pagesOf({}, { seller: { siteUrl: 'https://harbour.example/apps?a=1&b=2' } });
    expect(page).toContain(
      '<a class="site" href="https://harbour.example/apps?a=1&amp;b=2" rel="nofollow noopener">Website: harbour.example</a>',
    );
    for (const siteUrl of ['javascript:alert(1)', 'data:text/html,x', 'nothing', undefined]) {
      expect((await pagesOf({}, { seller: { siteUrl } })).page).not.toContain('class="site"');
    }
  });

  test('tells search engines of the product and its offer, whatever its texts hold', async () => {
    const hostile = { name: '</script><script>alert(1)', description: `A \u2028"&quot;"\n${'\u{1F40C}'.repeat(200)}` };
    const { page } = await pagesOf(
      { slug: 'snail', priceAmount: 1250, currency: 'eur', ...hostile },
      { seller: { displayName: 'Minato' } },
    );
    const address = 'http://127.0.0.1:3000/p/snail';
    const description = `A "&quot;" ${'\u{1F40C}'.repeat(148)}…`;
    expect([...description]).toHaveLength(160);
    expect(page).toContain(`<meta name="description" content="${description.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`);
    const seller = { '@type': 'Organization', name: 'Minato' };
    expect(structuredData(page)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      ...{ name: hostile.name, description, url: address, brand: seller },
      offers: {
        '@type': 'Offer',
        ...{ url: address, price: '12.50', priceCurrency: 'EUR', availability: 'https://schema.org/InStock', seller },
      },
    });
    const notOnSale = await pagesOf({}, { seller: { paymentOnboardingStatus: 'restricted' } });
    expect(structuredData(notOnSale.page).offers.availability).toBe('https://schema.org/OutOfStock');
  });

  test('is canonical in the language that its address names, and without one for everybody else', async () => {
    const head = async (query: string) => (await call('GET', `/p/studio${query}`, ja)).text;
    const base = 'http://127.0.0.1:3000/p/studio';
    for (const query of ['', '?lang=en', '?lang=ja']) {
      const text = await head(query);
      expect(text).toContain(`<link rel="canonical" href="${base}${query}">`);
      expect(text).toContain(`<meta property="og:url" content="${base}${query}">`);
      expect(text).toContain(`<link rel="alternate" hreflang="ja" href="${base}?lang=ja">`);
      expect(text).toContain(`<link rel="alternate" hreflang="en" href="${base}?lang=en">`);
      expect(text).toContain(`<link rel="alternate" hreflang="x-default" href="${base}">`);
    }
    expect(await head('?lang=fr')).toContain(`<link rel="canonical" href="${base}">`);
    expect(await head('?lang=en')).toContain('<meta property="og:locale:alternate" content="ja_JP">');
  });

  test('marks the language of what the seller wrote, or that nobody knows it', async () => {
    const japanese = { name: '波形', description: '音を編集します。', tokushohoAddress: '東京都千代田区', refundPolicy: 'No refunds.' };
    const { page, checkout } = await pagesOf(japanese, { seller: { displayName: 'Minato' } });
    expect(page).toContain('<h1><span dir="auto" lang="ja">波形</span></h1>');
    expect(page).toContain('<strong><span dir="auto" lang="">Minato</span></strong>');
    expect(page).toContain('<div class="prose" dir="auto" lang="ja"><p>音を編集します。</p>');
    expect(page).toContain('<div class="prose" dir="auto" lang="ja"><p>東京都千代田区</p>');
    for (const text of [page, checkout]) expect(text).toContain('<div class="prose" dir="auto" lang=""><p>No refunds.</p>');
    const chinese = await pagesOf({ name: '波形', description: '编辑声音', tokushohoAddress: '北京' });
    expect(chinese.page).not.toContain('dir="auto" lang="ja"');
  });

  test('keeps the lines of the seller’s name as the law wants it', async () => {
    const { page, checkout } = await pagesOf({ tokushohoSellerName: '株式会社みなと工房\n運営責任者：港 花子' });
    for (const text of [page, checkout]) expect(text).toContain('lang="ja"><p>株式会社みなと工房\n運営責任者：港 花子</p>');
  });

  test.each([
    ['KWD', 12_500, 'KWD 12.500 tax included', 'KWD 12.500 (tax included)', 'KWD 12.500 （税込）'],
    ['USD', 4900, '$49.00 USD, tax included', '$49.00 (USD, tax included)', '$49.00（USD、税込）'],
    ['JPY', 4800, '¥4,800 tax included', '¥4,800 (tax included)', '￥4,800（税込）'],
    ['CHF', 4900, 'CHF 49.00 tax included', 'CHF 49.00 (tax included)', 'CHF 49.00（税込）'],
  ])('names the currency %s once beside a price', async (currency, priceAmount, shown, total, japanese) => {
    const { page, checkout } = await pagesOf({ currency, priceAmount });
    const plain = (text: string) => wordsOf(text).replaceAll('\u00a0', ' ');
    expect(plain(page)).toContain(shown);
    for (const text of [page, checkout]) expect(plain(text)).toContain(total);
    const inJapanese = await pagesOf({ currency, priceAmount }, { options: ja });
    expect(plain(inJapanese.page).replaceAll(' （', '（')).toContain(japanese.replaceAll(' （', '（'));
  });

  test('and the confirmation speak of no payment where a product is free', async () => {
    const english = await pagesOf({ priceAmount: 0 });
    for (const text of [english.page, english.checkout]) {
      expect(wordsOf(text).replace('Payment method and timing Nothing to pay.', '')).not.toMatch(/pay|paid|charged|card/i);
    }
    expect(wordsOf(english.checkout)).toContain('Confirm Get your key');
    const japanese = await pagesOf({ priceAmount: 0 }, { options: ja });
    for (const text of [japanese.page, japanese.checkout]) {
      expect(wordsOf(text).replace('お支払いの方法と時期 お支払いはありません。', '').replace('お支払い合計', '')).not.toMatch(
        /支払|カード|決済/,
      );
    }
    const paid = await pagesOf({ priceAmount: 100 });
    expect(wordsOf(paid.page)).toContain('before you pay');
    expect(wordsOf(paid.checkout)).toContain('Confirm Pay Get your key');
  });

  test('shows what features are called, in the reader’s language or else in the other', async () => {
    const features = ['export_wav', 'batchRun', 'Spectral editing', 'secret_flag'];
    const featureLabels = { export_wav: { en: 'Export to WAV', ja: 'WAV書き出し' }, batchRun: { ja: '一括処理' } };
    const shown = async (product: Partial<ProductRecord>, options = {}) => listIn((await pagesOf(product, { options })).page, 'features');
    expect(await shown({ features, featureLabels })).toEqual([
      '<li dir="auto" lang="en">Export to WAV</li>',
      '<li dir="auto" lang="ja">一括処理</li>',
      '<li dir="auto" lang="">Spectral editing</li>',
    ]);
    expect((await shown({ features, featureLabels }, ja))[0]).toBe('<li dir="auto" lang="ja">WAV書き出し</li>');
    expect(await shown({ features: ['constructor'], featureLabels: { _constructor: { en: 'Builder' } } })).toEqual([
      '<li dir="auto" lang="en">Builder</li>',
    ]);
    expect(await shown({ features })).toEqual([
      '<li><code translate="no">export_wav</code></li>',
      '<li><code translate="no">batchRun</code></li>',
      '<li dir="auto" lang="">Spectral editing</li>',
      '<li><code translate="no">secret_flag</code></li>',
    ]);
  });

  test('and the page of an unknown one lead buyers to where they ask for their link', async () => {
    const { page } = await pagesOf({}, { query: '?lang=ja' });
    expect(page).toContain('<p class="lost" id="lost-link"><a href="/manage?lang=ja">');
    const { text } = await call('GET', '/p/none', { headers: { accept: 'text/html' } });
    expect(text).toContain('<a class="button quiet" href="/manage">Find my purchase</a>');
  });

  test('names the system requirements', async () => {
    const { page, checkout } = await pagesOf({});
    for (const text of [page, checkout]) expect(wordsOf(text)).toContain('System requirements');
    expect(page).not.toContain('Operating environment');
  });
});
