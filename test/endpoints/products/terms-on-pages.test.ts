import { beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../functions/pages/routes.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { createPageHarness } from '../../support/scenes/pages/page-harness.ts';

const ja = { 'accept-language': 'ja-JP,ja;q=0.9' };
let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  const { handler } = await createPageHarness({ paymentApiBase: 'http://127.0.0.1:9' });
  call = createCaller(handler, routes);
});

test.each([
  ['waveform-editor-pro', ['Works offline for up to 14 days at a time', 'each license file lasts 90 days']],
  ['free', ['Works offline for up to 1 day at a time', 'each license file lasts 1 day<']],
  [encodeURIComponent('波形エディター-pro'), ['最長14日間、オフラインで使えます', 'ファイルの有効期間は90日']],
])('states how long %s runs without network', async (slug, said) => {
  const { text } = await call('GET', `/p/${slug}`, slug.startsWith('%') ? { headers: ja } : {});
  for (const each of said) expect(text).toContain(each);
  expect(text).not.toMatch(/each time it starts|起動のたび/);
});

test('states that the network is needed, and promises no files, where the terms give none', async () => {
  const english = await call('GET', '/p/not-on-sale');
  expect(english.text).toContain('<li class="condition">Needs an internet connection each time it starts</li>');
  expect(english.text).not.toMatch(/without internet|offline/);
  const japanese = await call('GET', '/p/not-on-sale', { headers: ja });
  expect(japanese.text).toContain('<li class="condition">起動のたびにインターネット接続が必要です</li>');
  expect(japanese.text).not.toMatch(/オフライン|接続できない/);
});

test.each([
  ['waveform-editor-pro', {}, 'Updates for 365 days from purchase; what you have by then keeps working'],
  ['waveform-editor-pro', { headers: ja }, 'アップデートは購入から365日間（それまでのバージョンは、その後も使えます）'],
  ['free', {}, 'No updates included; the version you buy keeps working'],
  ['free', { headers: ja }, 'アップデートは含まれません（購入時のバージョンはそのまま使えます）'],
  ['not-on-sale', {}, 'Updates with no end date'],
  ['not-on-sale', { headers: ja }, 'アップデートの期限なし'],
])('states on %s, before and while it is ordered, for how long updates come: %j', async (slug, language, said) => {
  const [product, checkout] = [await call('GET', `/p/${slug}`, language), await call('GET', `/p/${slug}/checkout`, language)];
  expect(product.text.split(said)).toHaveLength(3);
  expect(product.text).toContain(`<li${slug === 'free' ? ' class="condition"' : ''}>${said}</li>`);
  expect(checkout.text).toContain(`<dd>${said}</dd>`);
});
