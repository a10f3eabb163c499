import { describe, expect, test } from '@jest/globals';
import { paymentTakesDays } from '../../shared/text/payment-words.ts';
import { button, focused, heading, isSeen, page, seen } from '../support/http/in-browser.ts';
import type { ApiAnswer } from '../support/http/page-server.ts';
import { sampleDevices, samplePurchase, sampleToken } from '../support/samples/sample-purchase.ts';
import {
  answerWith,
  asked,
  describePages,
  goTo,
  kept,
  key,
  mailLink,
  ok,
  open,
  opened,
  orderId,
  payerLink,
  refused,
  server,
  shownText,
  timesAsked,
} from '../support/scenes/pages/buyer-pages.ts';

const linkOf = async () => (await kept())['purchase-link'];
const refresh = () => page.locator('[data-refresh]').click();

describePages('the pages of a purchase in a browser', () => {
  describe('the link', () => {
    test('is in no address, request line or referrer, in the storage of this tab alone, survives moves, and is thanked for once', async () => {
      await open(payerLink);
      await seen(key);
      expect(await heading()).toBe('Thank you. Here is your license key.');
      await page.locator('[data-picture] img').waitFor();
      expect(page.url()).toBe(`${server.baseUrl}/complete`);
      expect(server.requests.every(({ referrer }) => referrer === undefined)).toBe(true);
      const held = await page.evaluate('[localStorage.length, { ...sessionStorage }, document.cookie, JSON.stringify(history.state)]');
      expect(held).toEqual([0, { 'purchase-link': sampleToken('redirect'), 'purchase-shown': 'yes' }, '', 'null']);
      expect([await page.context().cookies(), await page.locator('.steps').isVisible()]).toEqual([[], true]);

      for (const move of [
        () => page.reload(),
        () => page.goto(`${server.baseUrl}/manage`).then(() => page.goBack()),
        () => page.goBack().then(() => page.goForward()),
      ]) {
        await move();
        await seen(key);
        expect([await heading(), await page.locator('.steps').isVisible()]).toEqual(['Your purchase', false]);
        expect(page.url()).toBe(`${server.baseUrl}/complete`);
      }
      await page.getByRole('link', { name: '日本語' }).click();
      await page.waitForURL('**/complete?lang=ja');
      await seen(key);
      expect(JSON.stringify(server.requests)).not.toContain(sampleToken('redirect'));
      const [header, , signature] = sampleToken('redirect').split('.');
      const claims = Buffer.from(JSON.stringify({ sub: 'ord_01KDNX4V5S8G7W9Q2M3B6T1ZRD', use: 'redirect' })).toString('base64url');
      await goTo(`/complete#token=${header}.${claims}.${signature}`);
      await seen('Thank you');
    });

    test('is thanked for when the key comes after a reload, and brings what comes later by itself', async () => {
      answerWith({ complete: opened({ license: false, files: false }) });
      await open(payerLink);
      await seen('your key is on its way');
      await page.reload();
      await seen('your key is on its way');
      answerWith({ complete: opened({ orderStatus: 'partially_refunded' }) });
      await seen(key);
      await seen('Part of the amount was refunded.');
      expect(await heading()).toContain('Thank you');
    });

    test('works as long as the page where the browser keeps nothing, also in the other language and on the receipt', async () => {
      const forbidden = "{ get() { throw new DOMException('no', 'SecurityError') } }";
      await open(payerLink, {}, `Object.defineProperty(window, 'sessionStorage', ${forbidden})`);
      await seen(key);
      await page.locator('.skip').press('Enter');
      await page.waitForURL('**/complete#main');
      await page.getByRole('link', { name: '日本語' }).click();
      await page.waitForURL('**/complete?lang=ja');
      await seen(key);
      await page.getByRole('link', { name: '領収書' }).click();
      await page.getByRole('heading', { name: '領収書', exact: true }).waitFor();
      expect(page.url()).not.toContain('token');
    });

    test('that replaces another in the same tab is the one that is kept, and of a mail it is no first showing', async () => {
      await open('/complete');
      await seen('Open this page with your link');
      expect([await isSeen(orderId), await page.getByRole('link', { name: 'Find my purchases' }).isVisible()]).toEqual([false, true]);
      await page.goto(server.baseUrl + payerLink);
      await seen(key);
      await page.goto(server.baseUrl + mailLink);
      await page.reload();
      await seen(key);
      expect([await heading(), await page.locator('.steps').isVisible(), await linkOf()]).toEqual([
        'Your purchase',
        false,
        sampleToken('mail'),
      ]);
      // As when the browser brings back a page that it kept in memory.
      await page.evaluate(`sessionStorage.setItem('purchase-link', '${sampleToken('redirect')}')`);
      answerWith({ complete: refused('completion_token_expired') });
      await refresh();
      await seen('Your link has expired');
      expect(await linkOf()).toBe(sampleToken('redirect'));
    });

    test.each([
      ['/complete', mailLink, '/complete'],
      ['/receipt', mailLink, '/receipt'],
      ['/manage', mailLink.replace('/complete', '/receipt'), '/complete'],
    ])('that was cut is pasted on %s, and goes into no address', async (path, link, opens) => {
      await open(path);
      const field = page.getByLabel('Link from the email');
      await page.getByText('Some mail programs cut a link off').waitFor();
      for (const text of ['', `${server.baseUrl}/complete?lang=ja`]) {
        await field.fill(text);
        await button('Open my purchase').click();
        await page.getByText('Please paste the whole link').waitFor();
        expect([await field.getAttribute('aria-invalid'), await focused()]).toEqual(['true', 'pasted-link']);
      }
      expect(timesAsked('complete')).toBe(0);
      await field.fill(`<${server.baseUrl}${link.slice(0, 60)} ${link.slice(60)}>.`);
      await field.press('Enter');
      await (opens === '/receipt' ? page.getByRole('heading', { name: 'Receipt', exact: true }).waitFor() : seen(key));
      expect([page.url(), await linkOf()]).toEqual([server.baseUrl + opens, sampleToken('mail')]);
      expect(JSON.stringify(server.requests)).not.toContain(sampleToken('mail'));
      await goTo(`${mailLink})`);
      await seen(key);
      expect([await linkOf(), page.url()]).toEqual([sampleToken('mail'), `${server.baseUrl}/complete`]);
    });

    const late = { ...samplePurchase(), license: { ...samplePurchase().license, license_key: 'LATE-KEY' } };
    const expired = refused('completion_token_expired');
    /** What is pressed under the older link, twice where a double click is one; what is under way cannot be called off. */
    const acts: Record<string, () => Promise<unknown>> = {
      devices: () => seen(key),
      'download-intent': () => page.locator('[data-download]').first().dblclick(),
      async 'replace-key'() {
        await page.getByText('Has someone else got your key?').click();
        await button('Replace the key').click();
        await button('Yes, replace it').dblclick();
      },
      async release() {
        await button('Release Studio Mac').click();
        await page.locator('.device [data-confirm]:visible').dblclick();
      },
      async 'buyer-email'() {
        await page.getByText('Add your email address').click();
        await page.locator('#correct-email').fill('carol@example.com');
        for (let press = 0; press < 2; press += 1) await page.locator('#correct-email').press('Enter');
      },
      async refresh() {
        await refresh();
        await page.locator('[data-copy]').click();
        await seen(/Copied\.|The key is selected:/);
      },
    };
    test.each<[string, string, Awaited<ReturnType<ApiAnswer>>]>([
      ['/complete', 'complete', expired],
      ['/receipt', 'complete', expired],
      ['/complete', 'refresh', ok(late)],
      ['/complete', 'download-intent', expired],
      ['/complete', 'replace-key', ok(late)],
      ['/complete', 'release', ok({ activation_count: 77, moves_left: 1 })],
      ['/complete', 'devices', ok(sampleDevices(['LATE-DEVICE']))],
      ['/complete', 'buyer-email', expired],
    ])('that a newer one followed in the tab leaves that one alone, however late the answer: %s, %s', async (path, act, answer) => {
      const isOver = Promise.withResolvers<void>();
      const endpoint = act === 'refresh' ? 'complete' : act;
      const isNewer = (token: unknown) => token === sampleToken('mail');
      const answerLate = () =>
        answerWith({
          ...(endpoint === 'release' && { complete: opened({ used: 1 }), devices: ok(sampleDevices(['Studio Mac'])) }),
          ...(endpoint === 'devices' && { complete: ({ token }) => opened({ used: isNewer(token) ? 0 : 1 }) }),
          async [endpoint]({ token }) {
            if (!isNewer(token)) await isOver.promise;
            return isNewer(token) ? opened() : answer;
          },
        });
      if (act !== 'refresh') answerLate();
      await open(payerLink.replace('/complete', path));
      if (act === 'refresh') await seen(key);
      answerLate();
      await acts[act]?.();
      if (act === 'replace-key' || act === 'release') {
        await page.keyboard.press('Escape');
        await page.locator('[data-cancel]:visible').click();
        expect(await page.locator('[data-question]').filter({ visible: true }).count()).toBe(1);
      }
      const newer = page.waitForResponse(
        (reply) => reply.url().endsWith('/v1/purchases/complete') && isNewer(reply.request().postDataJSON().token),
      );
      const older = page.waitForResponse((reply) => reply.url().endsWith(endpoint) && !isNewer(reply.request().postDataJSON().token));
      await page.goto(server.baseUrl + mailLink.replace('/complete', path));
      await newer;
      await seen(orderId);
      isOver.resolve();
      await (await older).finished();
      await page.evaluate('new Promise(requestAnimationFrame)');
      expect(await linkOf()).toBe(sampleToken('mail'));
      const told = page.getByText(/Your link has expired|LATE-|was released|Up to date\.|Copied\.|The key is selected:/);
      expect(await told.filter({ visible: true }).count()).toBe(0);
      if (endpoint !== 'complete') expect(asked.filter(([one]) => one.endsWith(endpoint))).toHaveLength(1);
    });
  });

  describe('what ends', () => {
    test('is told apart by its code, names the order, offers a fresh link where one helps, and forgets the link that has ended', async () => {
      await open('/complete');
      for (const [reply, title, helps, isKept] of [
        [refused('completion_token_expired'), 'Your link has expired', true, false],
        [refused('completion_token_invalid'), 'This link does not work', true, false],
        [refused('invalid_request', 400), 'This link does not work', true, false],
        [refused('order_not_found', 404), 'This link does not work', true, false],
        [refused('order_expired'), 'This order was not completed', false, true],
        [refused('a_code_to_come'), 'Something went wrong on our side', false, true],
        // Gateways answer by themselves when they are overloaded.
        [{ status: 429, body: { message: 'x' } }, 'One moment, please', false, true],
        [{ status: 503, body: { message: 'x' } }, 'A service we depend on', false, true],
        [{ status: 502, body: undefined }, 'Something went wrong on our side', false, true],
      ] as const) {
        answerWith({ complete: reply });
        await goTo(payerLink);
        await seen(title);
        const shown = [await isSeen(orderId), await button('Email me a new link').isVisible(), Object.keys(await kept())];
        expect([reply, ...shown]).toEqual([reply, true, helps, isKept ? ['purchase-link'] : []]);
      }
      await page.getByRole('link', { name: 'Find my purchases' }).click();
      await page.waitForURL('**/manage');
    });

    test('by itself goes on by itself, after as long as it was told, or once the network is back', async () => {
      answerWith({ complete: refused('rate_limited', 429, { 'Retry-After': '42' }) });
      await open('/complete');
      await page.clock.install();
      await goTo(payerLink);
      await seen('It will work again in 42 seconds.');
      await seen('This page keeps trying by itself.');
      answerWith({});
      await page.clock.runFor(41_000);
      expect(timesAsked('complete')).toBe(1);
      await page.clock.runFor(2000);
      await seen(key);

      answerWith({ complete: refused('internal_error', 500) });
      await goTo(payerLink);
      await seen('Request number: req-4711');
      await page.context().setOffline(true);
      await page.clock.runFor(5000);
      await seen('You are offline');
      answerWith({});
      await page.context().setOffline(false);
      await seen(key);
    });

    test('says at once of a payment of days that it takes days', async () => {
      const { body, ...rest } = refused('order_not_paid');
      answerWith({ complete: { ...rest, body: { ...body, message: paymentTakesDays } } });
      await open(payerLink);
      await seen('your payment takes some days to arrive. You can close this page');
      expect(await isSeen('a few seconds')).toBe(false);
    });

    test('waits for the payment, announces what comes, polls less than the limit allows, and stops after a quarter of an hour', async () => {
      answerWith({ complete: refused('order_not_paid') });
      await open('/complete');
      await page.clock.install();
      await goTo(payerLink);
      await seen('Confirming your order');
      expect([await page.getByRole('progressbar').isVisible(), await isSeen(orderId)]).toEqual([true, false]);
      for (let second = 0; second < 58; second += 1) await page.clock.runFor(1000);
      expect(await isSeen('This is taking longer than usual')).toBe(false);
      expect(timesAsked('complete')).toBeLessThan(20);
      for (let second = 0; second < 15; second += 1) await page.clock.runFor(1000);
      for (const text of ['This is taking longer than usual', 'You can close this page.', orderId, 'Find my purchases']) await seen(text);
      for (let tick = 0; tick < 100; tick += 1) await page.clock.runFor(10_000);
      await seen('This page has stopped checking by itself.');
      expect(timesAsked('complete')).toBeLessThan(120);
      answerWith({});
      await button('Check now').click();
      await seen(key);
      expect(await page.locator('[data-announce]').textContent()).toBe('Thank you. Here is your license key.');
    });

    test('leads back to the product that was about to be paid for in this tab', async () => {
      answerWith({ complete: refused('order_expired') });
      await open('/p/waveform-editor-pro/checkout');
      // As when the browser brings back the page from before the payment, as it was left.
      await page.evaluate("addEventListener('submit', (event) => event.preventDefault(), { once: true })");
      await page.locator('form.confirm button').click();
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
      await page.locator('form.confirm button').click();
      await page.waitForURL('**/hosted-checkout/**');
      await page.goto(server.baseUrl + payerLink);
      await page.getByRole('link', { name: 'Back to the product' }).click();
      await page.waitForURL('**/p/waveform-editor-pro');
    });
  });

  describe('while the purchase is shown', () => {
    test('it is brought up to date on demand, keeps what it shows whatever a refresh meets, and says so when the link has ended', async () => {
      await open(payerLink);
      await seen('0 of 3');
      answerWith({ complete: refused('rate_limited', 429, { 'Retry-After': '20' }) });
      await refresh();
      await seen('Try again in 20 seconds');
      expect([await isSeen(key), await linkOf()]).toEqual([true, sampleToken('redirect')]);
      await page.context().setOffline(true);
      await refresh();
      await seen('You are offline. Check your connection and try again.');
      await page.context().setOffline(false);
      answerWith({ complete: opened({ used: 2 }), devices: ok(sampleDevices()) });
      await refresh();
      await seen('2 of 3');
      await seen('Up to date.');
      expect(await isSeen('You are offline.')).toBe(false);
      for (const [code, said] of [
        ['completion_token_expired', 'Your link has expired'],
        ['completion_token_invalid', 'Your link no longer works'],
      ] as const) {
        answerWith({});
        await goTo(mailLink);
        await seen(key);
        answerWith({ complete: refused(code) });
        await refresh();
        await seen(said);
        expect([await isSeen(key), await kept(), await button('Email me a new link').isVisible()]).toEqual([true, {}, true]);
      }
    });

    test('the key is copied as one word, and selected where the clipboard is out of reach', async () => {
      await open(payerLink, { permissions: ['clipboard-read', 'clipboard-write'] });
      await button('Copy the key').click();
      await seen('Copied.');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("denied"))');
      await button('Copy the key').click();
      await seen('The key is selected');
      expect(await page.evaluate('getSelection().toString()')).toBe(key);
    });

    test('a file is downloaded, and what it meets is said beside its button, for as long as it is there', async () => {
      answerWith({
        'download-intent': ok({ download_url: `${server.baseUrl}/v1/stored-file`, expires_at: '2026-01-31T09:05:00.000Z' }),
        'stored-file': { ...ok('bytes'), headers: { 'Content-Disposition': 'attachment' } },
      });
      await open(payerLink);
      const get = page.getByRole('button', { name: 'Download waveform-editor-pro-3.2.1-macos.dmg' });
      const [download] = await Promise.all([page.waitForEvent('download'), get.click()]);
      expect(await download.failure()).toBe(null);
      await seen('The download has started.');
      expect(asked.find(([path]) => path.endsWith('download-intent'))?.[0]).toBe('files/fil_01KDNX4V5S8G7W9Q2M3B6T1ZRA/download-intent');

      answerWith({ 'download-intent': refused('rate_limited', 429, { 'Retry-After': '7' }) });
      await get.click();
      const said = (file: number) => page.locator('.file').nth(file).getByText('Try again in 7 seconds');
      await said(0).waitFor();
      await refresh();
      await seen('Up to date.');
      expect([await said(0).isVisible(), await said(1).isVisible()]).toEqual([true, false]);
      answerWith({ complete: opened({ status: 'refunded', orderStatus: 'refunded' }), 'download-intent': refused('license_not_usable') });
      await get.click();
      await seen('This purchase was refunded');
      for (const gone of [page.getByText(key), page.locator('#devices')]) expect(await gone.isVisible()).toBe(false);
      expect(await page.getByRole('link', { name: 'Buy it again' }).getAttribute('href')).toBe('/p/waveform-editor-pro');
    });

    test('a link that ends meanwhile is said beside the download, with a fresh one to be had right there', async () => {
      answerWith({ 'download-intent': refused('completion_token_expired'), 'resend-link': ok({}, 202) });
      await open(payerLink);
      const file = page.locator('.file').nth(1);
      await file.getByRole('button').click();
      await file.getByText('Your link has expired, so the download could not start.').waitFor();
      expect([await kept(), await isSeen(key)]).toEqual([{}, true]);
      const input = file.locator('input');
      await input.fill('not an address');
      await input.press('Enter');
      await file.getByText('Please enter an email address').waitFor();
      expect([await input.getAttribute('aria-invalid'), await focused()]).toEqual(['true', 'resend-email']);
      await input.fill(' buyer@example.com ');
      await input.press('Enter');
      await file.getByText('If there is an order under this address').waitFor();
      expect(asked.filter(([path]) => path === 'resend-link')).toEqual([['resend-link', { buyer_email: 'buyer@example.com' }]]);
      answerWith({ 'resend-link': refused('rate_limited', 429, { 'Retry-After': '20' }) });
      await input.press('Enter');
      await file.getByText('Try again in 20 seconds').waitFor();
      answerWith({});
      await page.goto(server.baseUrl + mailLink);
      await seen(key);
      expect(await page.locator('[data-fresh-link]').isVisible()).toBe(false);
      expect(await isSeen('Your link has expired')).toBe(false);
    });

    test('the terms are those of the purchase, with their line breaks and the seller’s site', async () => {
      const seller = {
        site_url: 'https://harbour.example/',
        tokushoho_seller_name: 'Harbour Works Ltd.\nJane Doe',
        tokushoho_address: '1 Quay\nDover',
        tokushoho_contact: '+44 0000',
      };
      answerWith({
        complete: opened({ seller, updatesUntil: '2027-01-15T12:00:00.000Z', orderStatus: 'partially_refunded', refunded: 1200 }),
      });
      await open(payerLink);
      await seen(key);
      expect(await shownText('[data-field="updates-until"]')).toMatch(/^Jan 15, 2027, /);
      for (const text of [/^Harbour Works Ltd\.\s+Jane Doe$/, '+44 0000', '¥1,200']) await seen(text);
      expect(await shownText('[data-field="seller-address"]')).toBe('1 Quay\nDover');
      const sites = await page.locator('a[data-field="site"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(new Set(sites)).toEqual(new Set(['https://harbour.example/']));
    });
  });
});
