import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ProductId } from '../../../shared/ids.ts';
import { findProductBySlug } from '../../../shared/products/product-repository.ts';
import { markdownWriter } from '../../../shared/text/markdown.ts';
import { createPageHarness } from '../../support/scenes/pages/page-harness.ts';
import { putPublished } from '../../support/scenes/releases/published-releases.ts';

const slug = 'waveform-editor-pro';
const page = `/p/${slug}/releases`;
const ja = { headers: { 'accept-language': 'ja' } };
const hostile = '# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> ]]> \u202e\n\n[here](javascript:alert(1)) **直した**';

describe('the page of the releases of a product', () => {
  let harness: Awaited<ReturnType<typeof createPageHarness>>;
  let call: typeof harness.call;
  beforeAll(async () => {
    harness = await createPageHarness({ paymentApiBase: 'http://127.0.0.1:9' });
    const { table } = harness;
    call = harness.call;
    const idOf = async (of: string) => (await findProductBySlug(table, of))?.id ?? ('' as ProductId);
    const old = Array.from({ length: 8 }, (_, minor) => ({ version: `1.${minor}.0`, channel: 'stable' }));
    const keptBy = (version: string, writer: number) => ({
      ...{ version, channel: 'stable' },
      renderedNotes: { html: `Kept of ${version}`, writer },
    });
    const beta = { version: '2.0.0-beta.1', channel: 'beta', critical: true, notes: hostile };
    await putPublished(table, await idOf(slug), [
      ...old,
      ...[keptBy('1.8.0', markdownWriter + 1), keptBy('1.9.0', markdownWriter - 1), keptBy('1.10.0', markdownWriter), beta],
    ]);
    const address = `http://a.example/${'a'.repeat(9000)}`;
    await putPublished(table, await idOf('free'), [
      { version: '1.0.0-rc.1', channel: 'rc', notes: `${'[a]'.repeat(3000)}\n\n[a]: ${address}` },
    ]);
  });

  const versionsIn = (text: string) => [...text.matchAll(/<article class="release" id="v([^"]+)">/g)].map(([, version]) => version);

  test('shows ten at a time, the highest first, and leads to older and newer ones', async () => {
    harness.takeRequestCounts();
    const first = await call('GET', page);
    expect(harness.takeRequestCounts()).toEqual({ GetItem: 2, BatchGetItem: 2 });
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=60' } });
    expect(versionsIn(first.text)).toEqual(Array.from({ length: 10 }, (_, index) => `1.${10 - index}.0`));
    expect(first.text.match(/Kept of [^<]*|(?<=<p>)Faster/g)).toEqual(['Kept of 1.10.0', ...Array(9).fill('Faster')]);
    expect(first.text).toContain('<time datetime="2026-03-01T20:00:00.000Z">March 1, 2026</time>');
    expect(first.text).toContain(`href="/p/${slug}"`);
    expect((await call('GET', `/p/${slug}`)).text).toContain(`href="${page}"`);
    const [, older = ''] = new RegExp(`href="(${page}\\?cursor=[^"]+)">Older versions`).exec(first.text) ?? [];
    const last = await call('GET', older);
    expect(versionsIn(last.text)).toEqual(['1.0.0']);
    expect(last.text).toContain(`href="${page}">Newest versions`);
    expect(last.text).not.toContain('Older versions');
  });

  test('shows previews to those who ask, with notes as text that runs nothing', async () => {
    const stable = await call('GET', `${page}?lang=ja`);
    expect(stable.text).toContain(`href="${page}?channel=dev&amp;lang=ja">プレビュー版も表示する`);
    const { text } = await call('GET', `${page}?channel=beta`, ja);
    expect(versionsIn(text)[0]).toBe('2.0.0-beta.1');
    for (const said of ['<html lang="ja">', '2026年3月2日', 'ベータ版', '重要な更新', '<strong>直した</strong>', 'lang="ja"'])
      expect(text).toContain(said);
    expect(text).toContain('<h3>&lt;script&gt;alert(1)&lt;/script&gt;</h3>');
    expect(text).not.toMatch(/<img|javascript:|<script>/);
    expect(text).not.toContain('プレビュー版も表示する');
    expect(text).toContain(`href="${page}">正式版だけを表示する`);
  });

  test('shows notes as they were written when they would fill the page by repeating an address', async () => {
    expect((await call('GET', '/p/free/releases')).text).toContain('No finished version has been published yet.');
    const { text } = await call('GET', '/p/free/releases?channel=dev');
    expect(text.length).toBeLessThan(50_000);
    expect(text).toContain('[a]: http://a.example/');
  });

  test('says that there is none, and asks not to be listed then', async () => {
    const { status, text } = await call('GET', '/p/hostile/releases', ja);
    expect(status).toBe(200);
    expect(text).toContain('公開されたバージョンはまだありません。');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toMatch(/<script(?! type="application)|<img/);
  });

  test('is none of a product that is unknown, and refuses what cannot be asked', async () => {
    expect((await call('GET', '/p/none/releases', ja)).text).toContain('ページが見つかりません');
    expect((await call('GET', '/p/none/releases')).status).toBe(404);
    for (const query of ['channel=nightly', 'cursor=abc']) {
      const reply = await call('GET', `${page}?${query}`);
      expect(reply).toMatchObject({ status: 400, headers: { 'content-type': 'text/html; charset=utf-8' } });
    }
  });
});
