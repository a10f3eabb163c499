import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { renderMarkdown } from '../../shared/text/markdown.ts';
import { accessibilityFaults, hasBrowser, overflowOf } from '../support/http/browser.ts';
import { samplePurchase, sampleReleases } from '../support/samples/sample-purchase.ts';
import {
  answerWith,
  asked,
  button,
  isSeen,
  key,
  leaveBuyerPages,
  mailLink,
  ok,
  open,
  page,
  payerLink,
  refused,
  resetBuyerPages,
  seen,
  startBuyerPages,
  stopBuyerPages,
  timesAsked,
} from '../support/scenes/pages/buyer-pages.ts';

(hasBrowser ? describe : describe.skip)('the updates of a purchase in a browser', () => {
  beforeAll(startBuyerPages);
  afterAll(stopBuyerPages);
  beforeEach(resetBuyerPages);
  afterEach(leaveBuyerPages);

  const updatesUntil = '2025-06-01T09:00:00.000Z';
  const purchase = ok(samplePurchase({ files: false, updatesUntil }));
  const isOpen = (version: string) => page.locator('details', { hasText: `Version ${version}` }).getAttribute('open');

  test('are what the license covers, with what each file needs, and the rest with the reason', async () => {
    answerWith({ complete: purchase, releases: ok(sampleReleases()), 'download-intent': refused('update_not_covered') });
    await open(payerLink);
    await seen('Updates ended on Jun 1, 2025.');
    expect(await page.locator('.release-version:visible').allTextContents()).toEqual([
      'Version 3.3.0-beta.2',
      'Version 3.2.1',
      'Version 4.0.0',
    ]);
    await seen('Published after your updates ended on Jun 1, 2025.');
    await seen('Download the software above');
    // The tests' browser runs on Linux.
    expect([await isOpen('3.3.0-beta.2'), await isOpen('3.2.1')]).toEqual([null, '']);
    const release = page.locator('details', { hasText: 'Version 3.2.1' });
    expect(await release.locator('[data-tag]:visible').allTextContents()).toEqual(['Important update']);
    expect(await release.locator('.file-name').allTextContents()).toEqual([
      'waveform-editor-pro-3.2.1.AppImage',
      'waveform-editor-pro-3.2.1-setup.exe',
    ]);
    await seen('Windows 10.0 or later · x64, arm64 · 88.4 MB');
    await seen('<b>Fixes a crash</b>');
    await release.getByRole('button', { name: 'Download waveform-editor-pro-3.2.1.AppImage' }).click();
    await seen('Your license does not include this version.');
    expect(asked.at(-1)?.[0]).toBe('files/fil_01KDNX4V5S8G7W9Q2M3B6T1ZT1/download-intent');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('come with notes as the writer renders them, of which a browser makes nothing else', async () => {
    const [release] = sampleReleases().items.filter(({ version }) => version === '3.2.1');
    const notes = [
      '# New <b onclick="x()">\n\n1. *a* **b** `c<d` &amp; &copy; &#x1f600; &nosuch;  \n   break\n2. > quoted\n\n---\n',
      '3) [web](https://a.example/?b=1&amp;c=2 "t") [no](javascript:x) ![alt](https://a.example/p.png)\n\n```js\n<p>"&lt;\'\n```\n',
      `\`\`\`\n${'a long line of code '.repeat(20)}\n\`\`\`\n`,
      '<script>alert(1)</script>\n\n</p></div>日本語',
    ].join('\n');
    answerWith({ complete: purchase, releases: ok({ items: [{ ...release, notes }] }) });
    await open(payerLink);
    await seen('quoted');
    const shown = await page.locator('.notes').innerHTML();
    // What browsers make of the markup, but for the class, which pages have no use for.
    const markup = renderMarkdown(notes).toString().replaceAll(' class="language-js"', '');
    const elsewhere = await page.context().browser()?.newPage();
    await elsewhere?.setContent(markup);
    expect(shown).toBe(await elsewhere?.locator('body').innerHTML());
    await elsewhere?.close();
    expect(shown).toContain('<em>a</em>');
    expect(await overflowOf(page)).toBe(0);
  });

  test('are all there to see while the license is suspended, and none to download', async () => {
    const suspended = ok(samplePurchase({ files: false, updatesUntil, status: 'suspended' }));
    const items = sampleReleases().items.map(({ artifacts: _, ...release }) => ({ ...release, covered: false }));
    answerWith({ complete: suspended, releases: ok({ updates_until: updatesUntil, items }) });
    await open(payerLink);
    await seen('Versions can be downloaded only while the license is active.');
    await seen('All versions');
    for (const untrue of ['Updates ended', 'does not include', 'Download the software above']) expect(await isSeen(untrue)).toBe(false);
  });

  test('say so where a version has no file that can be had now', async () => {
    const [release] = sampleReleases().items.filter(({ version }) => version === '3.2.1');
    const artifacts = release?.artifacts?.map((artifact) => ({ ...artifact, available: false }));
    answerWith({ complete: purchase, releases: ok({ items: [{ ...release, artifacts }] }) });
    await open(payerLink);
    await seen('No file of this version can be downloaded now.');
    expect(await isSeen('Download the software above')).toBe(false);
  });

  test('are asked for until one is covered, further on by hand, and again when that failed', async () => {
    const [newest, ...rest] = sampleReleases().items;
    const pages: Record<string, object> = {
      first: { updates_until: updatesUntil, items: [newest], next_cursor: 'second' },
      second: { updates_until: updatesUntil, items: rest.slice(0, 1), next_cursor: 'third' },
      third: { updates_until: updatesUntil, items: rest.slice(1) },
    };
    answerWith({ complete: purchase, releases: ({ cursor = 'first' }) => ok(pages[String(cursor)]) });
    await open(mailLink);
    await seen('Version 3.3.0-beta.2');
    expect(timesAsked('releases')).toBe(2);
    answerWith({ complete: purchase, releases: refused('internal_error', 500) });
    await button('Show more').click();
    await seen('Something went wrong on our side.');
    answerWith({ complete: purchase, releases: ({ cursor = 'first' }) => ok(pages[String(cursor)]) });
    await button('Try again').click();
    await seen('Version 3.2.1');
    expect(await isSeen('Something went wrong')).toBe(false);
    expect(await button('Show more').isVisible()).toBe(false);
  });

  test('are asked for once, and are no part of a purchase without any', async () => {
    await open(payerLink);
    await seen(key);
    await page.locator('[data-refresh]').click();
    await seen('Up to date.');
    expect(timesAsked('releases')).toBe(1);
    expect(await page.locator('#updates').isVisible()).toBe(false);
  });
});
