import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { png } from '../../support/samples/pictures.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';
import { type FileHarness, servedAsUploaded, startFileHarness } from '../../support/scenes/file-harness.ts';

const asPng = { filename: 'screen.png', content_type: 'image/png', purpose: 'image' };

let store: TestTable;
let harness: FileHarness;
beforeAll(async () => {
  store = await createTestTable();
  harness = await startFileHarness({
    table: store.table,
    encodePicture: servedAsUploaded,
    product: { slug: 'studio', name: 'Studio "1" & more' },
  });
});
afterAll(() => harness.stop());

const open = async (path: string, headers: Record<string, string> = {}) => (await harness.service('GET', path, { headers })).text;
const inJapanese = (path: string) => open(path, { 'accept-language': 'ja-JP,ja;q=0.9' });

let made = 0;
/** The text of a new product's page, and of the confirmation. */
async function pagesOf(product: Partial<ProductRecord>, seller: Partial<SellerRecord> = {}, read = (path: string) => open(path)) {
  made += 1;
  const owner = sampleSeller({ ...sellingSeller, ...seller });
  const offered = sampleProduct({ slug: `made-${made}`, name: 'Made', status: 'approved', sellerId: owner.id, ...product });
  await store.table.transact([...addSeller(owner), ...addProduct(offered)]);
  return { page: await read(`/p/${offered.slug}`), checkout: await read(`/p/${offered.slug}/checkout`) };
}

const wordsOf = (page: string) =>
  (/<main.*<\/main>/s.exec(page)?.[0] ?? '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('\u00a0', ' ');
const listIn = (page: string, name: string) =>
  [...(new RegExp(`<ul class="${name}">(.*?)</ul>`, 's').exec(page)?.[1] ?? '').matchAll(/<li[^>]*>.*?<\/li>/gs)].map(([item]) => item);
/** What the page tells programs, as an HTML parser cuts it out. */
const structuredData = (page: string) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script/is.exec(page)?.[1] ?? '');

test('pictures have their size and an alternative, and all but the first wait; a preview shows the first', async () => {
  const ids = [await harness.offerFile(png(40, 30), asPng), await harness.offerFile(png(60, 20), asPng)];
  const text = await open('/p/studio');
  const [first = '', second = '', ...others] = listIn(text, 'pictures');
  expect(others).toEqual([]);
  const address = `(/images/${harness.product.id}/${ids[0]}/[0-9a-f]{64}\\.png)`;
  expect(first).toMatch(new RegExp(`<a href="${address}"><img [^>]*src="\\1" width="40" height="30"`));
  expect(first).toContain('alt="Picture 1 of 2 of Studio &quot;1&quot; &amp; more"');
  expect(second).toContain('width="60" height="20" alt="Picture 2 of 2 of Studio');
  expect([first, second].map((item) => item.includes('loading="lazy"'))).toEqual([false, true]);
  const [, path = ''] = /src="([^"]+)"/.exec(first) ?? [];
  for (const [name, content] of [
    ['og:image', `http://127.0.0.1:3000${path}`],
    ['og:image:width', '40'],
    ['og:image:height', '30'],
    ['og:image:alt', 'Picture 1 of 2 of Studio &quot;1&quot; &amp; more'],
  ])
    expect(text).toContain(`<meta property="${name}" content="${content}">`);
  expect(text).toContain('<meta name="twitter:card" content="summary_large_image">');
  expect(structuredData(text).image).toEqual([`http://127.0.0.1:3000${path}`, expect.stringContaining(ids[1] ?? '-')]);
  expect(await inJapanese('/p/studio')).toContain('alt="Studio &quot;1&quot; &amp; moreの画像（2枚中1枚目）"');
  expect(await open('/p/studio/checkout')).toContain(`<img class="thumbnail" src="${path}" width="40" height="30" alt="">`);
  await harness.review(ids[0] ?? '', { decision: 'disable' });
  const later = await open('/p/studio');
  expect(later).not.toContain(path);
  expect(later).toContain('alt="Picture of Studio');
  await harness.withdraw(ids[1] ?? '');
  const without = await open('/p/studio');
  expect(without).not.toMatch(/<img|og:image/);
  expect(without).toContain('<meta name="twitter:card" content="summary">');
  expect(await open('/p/studio/checkout')).not.toContain('<img');
});

test('files are those that buyers can download, with their size and what they run on', async () => {
  const bytes = Buffer.alloc(12_345);
  // What is packed for everybody is packed anew where its end alone is another.
  const read = () => open('/p/studio', { 'accept-encoding': 'gzip' });
  const ids = [];
  for (const filename of ['Studio.dmg', 'manual.pdf', 'Setup.EXE']) ids.push(await harness.offerFile(bytes, { filename }));
  ids.push(await harness.handIn(bytes, { filename: 'waiting.deb' }));
  const items = listIn(await read(), 'file-list').map((item) => item.replace(/<[^>]+>/g, ''));
  expect(items).toEqual(['Studio.dmg macOS · 12.3 kB', 'manual.pdf 12.3 kB', 'Setup.EXE Windows · 12.3 kB']);
  store.takeRequestCounts();
  for (const path of ['/p/studio', '/p/studio/checkout']) {
    await open(path);
    expect(store.takeRequestCounts()).toEqual({ BatchGetItem: 2 });
  }
  for (const id of ids) await harness.withdraw(id);
  store.takeRequestCounts();
  expect(await read()).not.toContain('id="files"');
  expect(store.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
});

describe('the product page', () => {
  test('links to the seller’s own site, without vouching for it', async () => {
    const { page } = await pagesOf({}, { siteUrl: 'https://harbour.example/apps?a=1&b=2' });
    const link = '<a class="site" href="https://harbour.example/apps?a=1&amp;b=2" rel="nofollow noopener">Website: harbour.example</a>';
    expect(page).toContain(link);
    for (const siteUrl of ['javascript:alert(1)', 'data:text/html,x', 'nothing', undefined])
      expect((await pagesOf({}, { siteUrl })).page).not.toContain('class="site"');
  });

  test('tells search engines of the product and its offer, whatever its texts hold', async () => {
    const hostile = { name: '</script><script>alert(1)', description: `A \u2028"&quot;"\n${'\u{1F40C}'.repeat(200)}` };
    const { page } = await pagesOf({ slug: 'snail', priceAmount: 1250, currency: 'eur', ...hostile }, { displayName: 'Minato' });
    const url = 'http://127.0.0.1:3000/p/snail';
    const description = `A "&quot;" ${'\u{1F40C}'.repeat(148)}…`;
    expect(page).toContain(`<meta name="description" content="${description.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`);
    const seller = { '@type': 'Organization', name: 'Minato' };
    const inStock = { price: '12.50', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' };
    expect(structuredData(page)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      ...{ name: hostile.name, description, url, brand: seller },
      offers: { '@type': 'Offer', url, ...inStock, seller },
    });
    const notOnSale = await pagesOf({}, { paymentOnboardingStatus: 'restricted' });
    expect(structuredData(notOnSale.page).offers.availability).toBe('https://schema.org/OutOfStock');
  });

  test('is canonical in the language that its address names, and without one for everybody else', async () => {
    const base = 'http://127.0.0.1:3000/p/studio';
    for (const query of ['', '?lang=en', '?lang=ja']) {
      const text = await inJapanese(`/p/studio${query}`);
      expect(text).toContain(`<link rel="canonical" href="${base}${query}">`);
      expect(text).toContain(`<meta property="og:url" content="${base}${query}">`);
      for (const [language, end] of [
        ['ja', '?lang=ja'],
        ['en', '?lang=en'],
        ['x-default', ''],
      ])
        expect(text).toContain(`<link rel="alternate" hreflang="${language}" href="${base}${end}">`);
    }
    expect(await inJapanese('/p/studio?lang=fr')).toContain(`<link rel="canonical" href="${base}">`);
    expect(await inJapanese('/p/studio?lang=en')).toContain('<meta property="og:locale:alternate" content="ja_JP">');
  });

  test('marks the language of what the seller wrote, or that nobody knows it, and keeps its lines', async () => {
    const tokushohoSellerName = '株式会社みなと工房\n運営責任者：港 花子';
    const japanese = { name: '波形', description: '音を編集します。', tokushohoAddress: '東京都千代田区', refundPolicy: 'No refunds.' };
    const { page, checkout } = await pagesOf({ ...japanese, tokushohoSellerName }, { displayName: 'Minato' });
    expect(page).toContain('<h1><span dir="auto" lang="ja">波形</span></h1>');
    for (const text of ['音を編集します。', '東京都千代田区'])
      expect(page).toContain(`<div class="prose" dir="auto" lang="ja"><p>${text}</p>`);
    for (const text of [page, checkout]) {
      expect(text).toContain('<div class="prose" dir="auto" lang=""><p>No refunds.</p>');
      expect(text).toContain(`lang="ja"><p>${tokushohoSellerName}</p>`);
    }
    expect((await pagesOf({}, { displayName: 'Minato' })).page).toContain('<strong><span dir="auto" lang="">Minato</span></strong>');
    const chinese = await pagesOf({ name: '波形', description: '编辑声音', tokushohoAddress: '北京' });
    expect(chinese.page).not.toContain('dir="auto" lang="ja"');
  });

  test.each([
    ['KWD', 12_500, 'KWD 12.500 tax included', 'KWD 12.500 (tax included)', 'KWD 12.500（税込）'],
    ['USD', 4900, '$49.00 USD, tax included', '$49.00 (USD, tax included)', '$49.00（USD、税込）'],
    ['JPY', 4800, '¥4,800 tax included', '¥4,800 (tax included)', '￥4,800（税込）'],
  ])('names the currency %s once beside a price', async (currency, priceAmount, shown, total, japanese) => {
    const { page, checkout } = await pagesOf({ currency, priceAmount });
    expect(wordsOf(page)).toContain(shown);
    for (const text of [page, checkout]) expect(wordsOf(text)).toContain(total);
    const { page: other } = await pagesOf({ currency, priceAmount }, {}, inJapanese);
    expect(wordsOf(other).replaceAll(' （', '（')).toContain(japanese);
  });

  test('and the confirmation speak of no payment where a product is free', async () => {
    const english = await pagesOf({ priceAmount: 0 });
    for (const text of [english.page, english.checkout])
      expect(wordsOf(text).replace('Payment method and timing Nothing to pay.', '')).not.toMatch(/pay|paid|charged|card/i);
    expect(wordsOf(english.checkout)).toContain('Confirm Get your key');
    const japanese = await pagesOf({ priceAmount: 0 }, {}, inJapanese);
    for (const text of [japanese.page, japanese.checkout]) {
      const words = wordsOf(text).replace('お支払いの方法と時期 お支払いはありません。', '').replace('お支払い合計', '');
      expect(words).not.toMatch(/支払|カード|決済/);
    }
    const paid = await pagesOf({ priceAmount: 100 });
    expect(wordsOf(paid.page)).toContain('before you pay');
    expect(wordsOf(paid.checkout)).toContain('Confirm Pay Get your key');
  });

  test.each([
    [365, 'Updates for 365 days from purchase; what you have by then keeps working'],
    [0, 'No updates included; the version you buy keeps working'],
    [36_500, 'Updates with no end date'],
    [365, 'アップデートは購入から365日間（それまでのバージョンは、その後も使えます）'],
    [0, 'アップデートは含まれません（購入時のバージョンはそのまま使えます）'],
    [36_500, 'アップデートの期限なし'],
  ])('and the confirmation state of %i days of updates: %s', async (updatesDays, said) => {
    const { page, checkout } = await pagesOf({ updatesDays }, {}, /[ぁ-ん]/.test(said) ? inJapanese : open);
    expect(page.split(said)).toHaveLength(3);
    expect(page).toContain(`<li${updatesDays === 0 ? ' class="condition"' : ''}>${said}</li>`);
    expect(checkout).toContain(`<dd>${said}</dd>`);
  });

  test('states how long the product runs without network, and that it is needed where the terms give no time', async () => {
    const days = { offlineDays: 14, offlineFileDays: 90 };
    const japanese = (await pagesOf(days, {}, inJapanese)).page;
    for (const said of ['最長14日間、オフラインで使えます', 'ファイルの有効期間は90日']) expect(japanese).toContain(said);
    const { page } = await pagesOf({ offlineDays: 1, offlineFileDays: 1 });
    for (const said of ['Works offline for up to 1 day at a time', 'each license file lasts 1 day<']) expect(page).toContain(said);
    expect(japanese + page).not.toMatch(/each time it starts|起動のたび/);
    const none = { offlineDays: 0, offlineFileDays: 0 };
    const needed = (await pagesOf(none)).page;
    expect(needed).toContain('<li class="condition">Needs an internet connection each time it starts</li>');
    expect(needed).not.toMatch(/without internet|offline/);
    const inTokyo = (await pagesOf(none, {}, inJapanese)).page;
    expect(inTokyo).toContain('<li class="condition">起動のたびにインターネット接続が必要です</li>');
    expect(inTokyo).not.toMatch(/オフライン|接続できない/);
  });

  test('shows what features are called, in the reader’s language or else in the other', async () => {
    const features = ['export_wav', 'batchRun', 'Spectral editing', 'secret_flag'];
    const featureLabels = { export_wav: { en: 'Export to WAV', ja: 'WAV書き出し' }, batchRun: { ja: '一括処理' } };
    const shown = async (product: Partial<ProductRecord>, read?: typeof inJapanese) =>
      listIn((await pagesOf(product, {}, read)).page, 'features');
    expect(await shown({ features, featureLabels })).toEqual([
      '<li dir="auto" lang="en">Export to WAV</li>',
      '<li dir="auto" lang="ja">一括処理</li>',
      '<li dir="auto" lang="">Spectral editing</li>',
    ]);
    expect((await shown({ features, featureLabels }, inJapanese))[0]).toBe('<li dir="auto" lang="ja">WAV書き出し</li>');
    const builder = { features: ['constructor'], featureLabels: { _constructor: { en: 'Builder' } } };
    expect(await shown(builder)).toEqual(['<li dir="auto" lang="en">Builder</li>']);
    expect(await shown({ features: ['export_wav', 'Spectral editing'] })).toEqual([
      '<li><code translate="no">export_wav</code></li>',
      '<li dir="auto" lang="">Spectral editing</li>',
    ]);
  });

  test('and the page of an unknown one lead buyers to where they ask for their link', async () => {
    expect(await open('/p/studio?lang=ja')).toContain('<p class="lost" id="lost-link"><a href="/manage?lang=ja">');
    expect(await open('/p/none', { accept: 'text/html' })).toContain('<a class="button quiet" href="/manage">Find my purchase</a>');
  });
});
