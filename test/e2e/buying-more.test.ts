import { describe, expect, test } from '@jest/globals';
import { renderMarkdown } from '../../shared/text/markdown.ts';
import { overflowOf } from '../support/http/browser.ts';
import { button, closeWindow, heading, isSeen, page, seen } from '../support/http/in-browser.ts';
import { sampleAddition, sampleDevices, sampleOffers, sampleReleases } from '../support/samples/sample-purchase.ts';
import {
  answerWith,
  asked,
  describePages,
  key,
  mailLink,
  ok,
  open,
  opened,
  payerLink,
  refused,
  server,
  timesAsked,
} from '../support/scenes/pages/buyer-pages.ts';

describePages('updates and more for a purchase in a browser', () => {
  describe('updates', () => {
    const updatesUntil = '2025-06-01T09:00:00.000Z';
    const purchase = opened({ files: false, updatesUntil });
    const [release] = sampleReleases().items.filter(({ version }) => version === '3.2.1');
    const isOpen = (version: string) => page.locator('details', { hasText: `Version ${version}` }).getAttribute('open');

    test('are what the license covers, with what each file needs, and the rest with the reason', async () => {
      answerWith({ complete: purchase, releases: ok(sampleReleases()), 'download-intent': refused('update_not_covered') });
      await open(payerLink);
      await seen('Updates ended on Jun 1, 2025.');
      const versions = ['Version 3.3.0-beta.2', 'Version 3.2.1', 'Version 4.0.0'];
      expect(await page.locator('.release-version:visible').allTextContents()).toEqual(versions);
      await seen('Published after your updates ended on Jun 1, 2025.');
      await seen('Download the software above');
      // The tests' browser runs on Linux.
      expect([await isOpen('3.3.0-beta.2'), await isOpen('3.2.1')]).toEqual([null, '']);
      const covered = page.locator('details', { hasText: 'Version 3.2.1' });
      expect(await covered.locator('[data-tag]:visible').allTextContents()).toEqual(['Important update']);
      const files = ['waveform-editor-pro-3.2.1.AppImage', 'waveform-editor-pro-3.2.1-setup.exe'];
      expect(await covered.locator('.file-name').allTextContents()).toEqual(files);
      await seen('Windows 10.0 or later · x64, arm64 · 88.4 MB');
      await covered.getByRole('button', { name: 'Download waveform-editor-pro-3.2.1.AppImage' }).click();
      await seen('Your license does not include this version.');
      expect(asked.at(-1)?.[0]).toBe('files/fil_01KDNX4V5S8G7W9Q2M3B6T1ZT1/download-intent');
    });

    test('come with notes as the writer renders them, of which a browser makes nothing else', async () => {
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
      const elsewhere = await page.context().newPage();
      await elsewhere.setContent(markup);
      expect(shown).toBe(await elsewhere.locator('body').innerHTML());
      expect(shown).toContain('<em>a</em>');
      expect(await overflowOf(page)).toBe(0);
    });

    test('are all there to see while the license is suspended, and none where a version has no file that can be had now', async () => {
      const items = sampleReleases().items.map(({ artifacts: _, ...one }) => ({ ...one, covered: false }));
      answerWith({
        complete: opened({ files: false, updatesUntil, status: 'suspended' }),
        releases: ok({ updates_until: updatesUntil, items }),
      });
      await open(payerLink);
      await seen('Versions can be downloaded only while the license is active.');
      await seen('All versions');
      for (const untrue of ['Updates ended', 'does not include', 'Download the software above']) expect(await isSeen(untrue)).toBe(false);
      const artifacts = release?.artifacts?.map((artifact) => ({ ...artifact, available: false }));
      answerWith({ complete: purchase, releases: ok({ items: [{ ...release, artifacts }] }) });
      await page.reload();
      await seen('No file of this version can be downloaded now.');
      expect(await isSeen('Download the software above')).toBe(false);
    });

    test('are asked for until one is covered, further on by hand, again when that failed, and not for a refresh', async () => {
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
      expect([await isSeen('Something went wrong'), await button('Show more').isVisible()]).toEqual([false, false]);
      await page.locator('[data-refresh]').click();
      await seen('Up to date.');
      expect(timesAsked('releases')).toBe(4);
    });
  });

  describe('more for a license', () => {
    const licensed = { complete: opened({ used: 2, more: { offers: sampleOffers() } }), devices: ok(sampleDevices()) };
    const payAt = (amount: number, currency = 'usd') => ok({ checkout_url: `${server.baseUrl}/manage`, amount, currency }, 201);
    const part = (name: string) => page.locator('form', { has: page.getByRole('heading', { name }) });
    const buy = (name: string) => part(name).getByRole('button').click();

    test('says what seats cost together, opens the page on which they are paid, and leads back to the license', async () => {
      answerWith({ ...licensed, additions: () => payAt(3750) });
      await open(mailLink);
      await seen('$12.50 USD for each device');
      await page.getByLabel('How many more').fill('101');
      await buy('More devices');
      await seen('Please enter a whole number from 1 to 100.');
      await page.getByLabel('How many more').fill('3');
      await seen('3 × $12.50 = $37.50 USD');
      await buy('More devices');
      await page.waitForURL('**/manage');
      expect(asked.filter(([path]) => path === 'additions')).toEqual([['additions', { kind: 'seats', quantity: 3, locale: 'en' }]]);

      const licenseLink = mailLink.split('token=')[1];
      answerWith({ ...licensed, complete: ({ token }) => (token === licenseLink ? licensed.complete : ok(sampleAddition())) });
      await page.goto(server.baseUrl + payerLink);
      await seen('3 seats');
      expect(await heading()).toBe('Your payment is confirmed.');
      expect([await isSeen(key), await page.locator('.key-card').isVisible()]).toEqual([false, false]);
      expect(await page.locator('[data-field="added"]').getAttribute('lang')).toBeNull();
      await button('Back to the license').click();
      await seen(key);
      expect([page.url(), await isSeen('Back to the license')]).toEqual([`${server.baseUrl}/complete`, false]);
    });

    test('says what updates and upgrades are, and buys either at one press', async () => {
      answerWith({ ...licensed, additions: payAt(1900), upgrades: payAt(6000, 'jpy') });
      await open(mailLink);
      await seen('Updates last 365 days longer');
      await buy('More updates');
      await page.waitForURL('**/manage');
      await page.goBack();
      const upgrade = part('Upgrade to 波形エディター Studio');
      expect(await upgrade.textContent()).toMatch(/Seats that were added .* are not carried over\.[\s\S]*¥6,000/);
      expect(await upgrade.getByRole('link').getAttribute('href')).toBe(`/p/${encodeURIComponent('波形エディター-studio')}`);
      await upgrade.getByRole('button').click();
      await page.waitForURL('**/manage');
      expect(asked.filter(([path]) => path === 'additions' || path === 'upgrades')).toEqual([
        ['additions', { kind: 'updates', locale: 'en' }],
        ['upgrades', { product_id: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZSA', locale: 'en' }],
      ]);
    });

    test('shows a price that has changed before it is paid, and what is no longer offered not again', async () => {
      const { seat, updates, upgrades = [] } = sampleOffers();
      const offering = (offers: object) => opened({ used: 2, more: { offers } });
      const dearer = sampleOffers({
        seat: { ...seat, unit_amount: 1300 },
        updates: { ...updates, amount: 2100 },
        upgrades: upgrades.map((upgrade) => ({ ...upgrade, amount: upgrade.amount + 700 })),
      });
      for (const [name, amount, currency, total] of [
        ['More devices', 1300, 'USD', '$13.00 USD'],
        ['More updates', 2100, 'USD', '$21.00 USD'],
        ['Upgrade to 波形エディター Studio', 6700, 'JPY', '¥6,700'],
      ] as const) {
        const pay = payAt(amount, currency);
        answerWith({ ...licensed, additions: pay, upgrades: pay });
        await open(mailLink);
        await part(name).getByRole('button').waitFor();
        answerWith({ ...licensed, complete: offering(dearer), additions: pay, upgrades: pay });
        await buy(name);
        await part(name).getByText('The price has changed.').waitFor();
        expect(await part(name).textContent()).toContain(total);
        await buy(name);
        await page.waitForURL('**/manage');
        await closeWindow();
      }

      answerWith({ ...licensed, additions: refused('rate_limited', 429, { 'Retry-After': '9' }) });
      await open(mailLink);
      await buy('More updates');
      await part('More updates').getByText('Try again in 9 seconds').waitFor();
      answerWith({ ...licensed, complete: offering({}), additions: refused('addition_not_offered', 400) });
      await buy('More updates');
      await part('More updates').waitFor({ state: 'hidden' });
      await seen('This is no longer offered for the license.');
      expect(await isSeen('Add to this license')).toBe(false);
    });

    test('ends with the link', async () => {
      answerWith({ ...licensed, additions: refused('completion_token_expired') });
      await open(mailLink);
      await buy('More updates');
      await seen('Your link has expired');
      expect(await isSeen('Add to this license')).toBe(false);
    });
  });
});
