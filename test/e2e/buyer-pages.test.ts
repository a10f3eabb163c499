import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accessibilityFaults, hasBrowser } from '../support/http/browser.ts';
import type { ApiAnswer } from '../support/http/page-server.ts';
import { sampleDevices, samplePurchase, sampleToken } from '../support/samples/sample-purchase.ts';
import {
  answerWith,
  asked,
  button,
  heading,
  isSeen,
  kept,
  key,
  leaveBuyerPages,
  mailLink,
  ok,
  open,
  openBlank,
  orderId,
  page,
  payerLink,
  refused,
  resetBuyerPages,
  seen,
  server,
  shownText,
  startBuyerPages,
  stopBuyerPages,
  timesAsked,
} from '../support/scenes/pages/buyer-pages.ts';

(hasBrowser ? describe : describe.skip)('the pages of a purchase in a browser', () => {
  beforeAll(startBuyerPages);
  afterAll(stopBuyerPages);
  beforeEach(resetBuyerPages);
  afterEach(leaveBuyerPages);

  describe('the link', () => {
    test('survives a reload, going away and back, and the other language, and thanks once', async () => {
      await open(payerLink);
      await seen(key);
      expect(await heading()).toContain('Thank you');
      expect(await page.locator('.steps').isVisible()).toBe(true);
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
    });

    test('of a mail is no first showing: no thanks and no steps', async () => {
      await open(mailLink);
      await seen(key);
      expect([await heading(), await page.locator('.steps').isVisible()]).toEqual(['Your purchase', false]);
      expect(await isSeen('email your link')).toBe(false);
    });

    test('of a second purchase in the same tab is thanked for as well', async () => {
      await open(payerLink);
      await seen('Thank you');
      const [header, , signature] = sampleToken('redirect').split('.');
      const claims = Buffer.from(JSON.stringify({ sub: 'ord_01KDNX4V5S8G7W9Q2M3B6T1ZRD', use: 'redirect' })).toString('base64url');
      await page.goto('about:blank');
      await page.goto(`${server.baseUrl}/complete#token=${header}.${claims}.${signature}`);
      await seen('Thank you');
    });

    test('is thanked for when the key comes after a reload', async () => {
      answerWith({ complete: ok(samplePurchase({ license: false, files: false })) });
      await open(payerLink);
      await seen('your key is on its way');
      answerWith({});
      await page.reload();
      await seen(key);
      expect(await heading()).toContain('Thank you');
    });

    test.each(['completion_token_expired', 'completion_token_invalid', 'invalid_request', 'order_not_found'])(
      'is forgotten when the service answers %s',
      async (code) => {
        answerWith({ complete: refused(code) });
        await open(payerLink);
        await seen(orderId);
        expect(await kept()).toEqual({});
        await page.reload();
        await seen('Open this page with your link');
        expect(timesAsked('complete')).toBe(1);
      },
    );

    test.each<[string, number]>([
      ['order_not_paid', 403],
      ['order_expired', 403],
      ['rate_limited', 429],
      ['internal_error', 500],
    ])('is kept when the service answers %s', async (code, status) => {
      answerWith({ complete: refused(code, status) });
      await open(payerLink);
      await page.locator('h1:visible', { hasNotText: 'Opening' }).waitFor();
      answerWith({});
      await page.reload();
      await seen(key);
    });

    test('works as long as the page where the browser keeps nothing, also in the other language and on the receipt', async () => {
      await openBlank();
      await page.addInitScript(
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError') } })",
      );
      await page.goto(server.baseUrl + payerLink);
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

    test('that is opened in a tab of its own leaves the one in the other tab alone', async () => {
      await open(payerLink);
      await seen(key);
      const other = await page.context().newPage();
      await other.goto(server.baseUrl + mailLink);
      await other.getByText(key).waitFor();
      await page.reload();
      await seen(key);
      expect((await kept())['purchase-link']).toBe(sampleToken('redirect'));
    });

    const late = { ...samplePurchase(), license: { ...samplePurchase().license, license_key: 'LATE-KEY' } };
    test.each([
      ['/complete', 'complete', refused('completion_token_expired')],
      ['/receipt', 'complete', refused('completion_token_expired')],
      ['/complete', 'download-intent', refused('completion_token_expired')],
      ['/complete', 'replace-key', ok(late)],
      ['/complete', 'release', ok({ activation_count: 77, moves_left: 1 })],
      ['/complete', 'devices', ok(sampleDevices(['LATE-DEVICE']))],
      ['/complete', 'buyer-email', refused('completion_token_expired')],
    ])('that a newer one followed in the tab leaves that one alone, however late the answer: %s, %s', async (path, endpoint, answer) => {
      const isOver = Promise.withResolvers<void>();
      answerWith({
        ...(endpoint === 'release' && { complete: ok(samplePurchase({ used: 1 })), devices: ok(sampleDevices(['Studio Mac'])) }),
        ...(endpoint === 'devices' && { complete: ({ token }) => ok(samplePurchase({ used: token === sampleToken('mail') ? 0 : 1 })) }),
        async [endpoint]({ token }) {
          if (token === sampleToken('mail')) return ok(samplePurchase());
          await isOver.promise;
          return answer;
        },
      });
      await open(payerLink.replace('/complete', path));
      if (endpoint === 'download-intent') await page.locator('[data-download]').first().dblclick();
      if (endpoint === 'replace-key') {
        await page.getByText('Has someone else got your key?').click();
        await button('Replace the key').click();
        await button('Yes, replace it').dblclick();
      }
      if (endpoint === 'release') {
        await button('Release Studio Mac').click();
        await page.locator('.device [data-confirm]:visible').dblclick();
      }
      if (endpoint === 'replace-key' || endpoint === 'release') {
        // What is under way cannot be called off.
        await page.keyboard.press('Escape');
        await page.locator('[data-cancel]:visible').click();
        expect(await page.locator('[data-question]').filter({ visible: true }).count()).toBe(1);
      }
      if (endpoint === 'devices') await seen(key);
      if (endpoint === 'buyer-email') {
        await page.getByText('Add your email address').click();
        await page.locator('#correct-email').fill('carol@example.com');
        for (let press = 0; press < 2; press += 1) await page.locator('#correct-email').press('Enter');
      }
      const opened = page.waitForResponse((reply) => reply.url().endsWith('/v1/purchases/complete') && reply.ok());
      await page.goto(server.baseUrl + mailLink.replace('/complete', path));
      await opened;
      await seen(orderId);
      const ended = page.waitForResponse((reply) => reply.url().endsWith(endpoint));
      isOver.resolve();
      await (await ended).finished();
      await page.evaluate('new Promise(requestAnimationFrame)');
      expect((await kept())['purchase-link']).toBe(sampleToken('mail'));
      for (const told of ['Your link has expired', 'LATE-KEY', 'LATE-DEVICE', 'was released']) expect(await isSeen(told)).toBe(false);
      // A double click is one.
      expect(asked.filter(([one]) => one.endsWith(endpoint))).toHaveLength(endpoint === 'complete' ? 2 : 1);
    });

    test('that a newer one followed in the tab while it was refreshed leaves that one alone', async () => {
      const isOver = Promise.withResolvers<void>();
      await open(payerLink);
      await seen(key);
      answerWith({
        async complete({ token }) {
          if (token === sampleToken('mail')) return ok(samplePurchase());
          await isOver.promise;
          return ok(late);
        },
      });
      const ended = page.waitForResponse(
        (reply) => reply.url().endsWith('complete') && reply.request().postDataJSON().token !== sampleToken('mail'),
      );
      await page.locator('[data-refresh]').click();
      await page.locator('[data-copy]').click();
      await seen(/Copied\.|The key is selected:/);
      await page.goto(server.baseUrl + mailLink);
      await seen(key);
      isOver.resolve();
      await (await ended).finished();
      await page.evaluate('new Promise(requestAnimationFrame)');
      for (const told of ['LATE-KEY', 'Up to date.', 'Copied.', 'The key is selected:']) expect(await isSeen(told)).toBe(false);
    });

    test('that ends on a page from before leaves the one alone that the tab was given since', async () => {
      await open(payerLink);
      await seen(key);
      // As when the browser brings back a page that it kept in memory.
      await page.evaluate(`sessionStorage.setItem('purchase-link', '${sampleToken('mail')}')`);
      answerWith({ complete: refused('completion_token_expired') });
      await page.locator('[data-refresh]').click();
      await seen('Your link has expired');
      expect((await kept())['purchase-link']).toBe(sampleToken('mail'));
    });

    test('that replaces another in the same tab is the one that is kept', async () => {
      await open(payerLink);
      await seen(key);
      await page.goto(server.baseUrl + mailLink);
      await page.reload();
      await seen(key);
      expect((await kept())['purchase-link']).toBe(sampleToken('mail'));
    });
  });

  describe('what ends', () => {
    const deadEnds: [name: string, path: string, code: string, said: string][] = [
      ['an ended checkout', payerLink, 'order_expired', 'This order was not completed'],
      ['a link that has expired', payerLink, 'completion_token_expired', 'Your link has expired'],
      ['a link that was cut', payerLink, 'completion_token_invalid', 'This link does not work'],
      ['no link', '/complete', '', 'Open this page with your link'],
    ];
    test.each(deadEnds)('%s names the order if it is known, and leads on', async (_, path, code, said) => {
      answerWith({ complete: refused(code) });
      await open(path);
      await seen(said);
      expect(await isSeen(orderId)).toBe(path === payerLink);
      await page.getByRole('link', { name: 'Find my purchases' }).click();
      await page.waitForURL('**/manage');
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

    test('waiting for more than a minute names the order, and leads on', async () => {
      answerWith({ complete: refused('order_not_paid') });
      await openBlank();
      await page.clock.install();
      await page.goto(server.baseUrl + payerLink);
      await seen('Confirming your order');
      expect(await isSeen(orderId)).toBe(false);
      for (let second = 0; second < 75; second += 1) await page.clock.runFor(1000);
      await seen(orderId);
      expect(await page.getByRole('link', { name: 'Find my purchases' }).isVisible()).toBe(true);
    });

    test.each<[string, number, string, string]>([
      ['rate_limited', 429, 'One moment, please', 'It will work again in 42 seconds.'],
      ['dependency_unavailable', 503, 'A service we depend on', 'try again in a few minutes'],
      ['internal_error', 500, 'Something went wrong on our side', 'Request number: req-4711'],
      ['a_code_to_come', 403, 'Something went wrong on our side', 'This page keeps trying by itself.'],
    ])('%s is told apart, and the page goes on by itself', async (code, status, title, text) => {
      answerWith({ complete: refused(code, status, { 'Retry-After': '42' }) });
      await openBlank();
      await page.clock.install();
      await page.goto(server.baseUrl + payerLink);
      await seen(title);
      await seen(text);
      await seen(orderId);
      answerWith({});
      await page.clock.runFor(43_000);
      await seen(key);
    });

    test.each<[number, unknown, string]>([
      [429, { message: 'x' }, 'One moment, please'],
      [503, { message: 'x' }, 'A service we depend on'],
      [502, { message: 'x' }, 'Something went wrong on our side'],
      [502, undefined, 'Something went wrong on our side'],
    ])('a gateway’s own %i with %j is told apart too', async (status, body, title) => {
      answerWith({ complete: { status, body } });
      await open(payerLink);
      await seen(title);
    });

    test('being offline says so, and goes on as soon as the network is back', async () => {
      answerWith({ complete: refused('order_not_paid') });
      await open(payerLink);
      await seen('Confirming your order');
      await page.context().setOffline(true);
      await seen('You are offline');
      answerWith({});
      await page.context().setOffline(false);
      await seen(key);
    });
  });

  describe('while the purchase is shown', () => {
    const refreshed: [string, Awaited<ReturnType<ApiAnswer>>, string][] = [
      ['too many requests', refused('rate_limited', 429, { 'Retry-After': '20' }), 'Try again in 20 seconds'],
      ['a failure', refused('internal_error', 500), 'Something went wrong on our side. Try again in a minute. Request number: req-4711'],
      ['an outage', refused('dependency_unavailable', 503), 'A service we depend on is not responding.'],
    ];
    test.each(refreshed)('a refresh that meets %s says so, and keeps the key', async (_, answer, said) => {
      await open(payerLink);
      await seen(key);
      answerWith({ complete: answer });
      await page.locator('[data-refresh]').click();
      await seen(said);
      expect(await isSeen(key)).toBe(true);
      expect((await kept())['purchase-link']).toBe(sampleToken('redirect'));
    });

    test('a refresh without a network says so', async () => {
      await open(payerLink);
      await seen(key);
      await page.context().setOffline(true);
      await page.locator('[data-refresh]').click();
      await seen('You are offline. Check your connection and try again.');
      await page.context().setOffline(false);
      await page.locator('[data-refresh]').click();
      await seen('Up to date.');
      expect(await isSeen('You are offline.')).toBe(false);
    });

    test.each<[string, number, string]>([
      ['rate_limited', 429, 'Try again in 7 seconds'],
      ['dependency_unavailable', 503, 'A service we depend on is not responding.'],
      ['internal_error', 500, 'Something went wrong on our side. Try again'],
      ['license_not_usable', 403, 'Files can be downloaded only while the license is active.'],
    ])('a download that meets %s says so beside its button', async (code, status, said) => {
      answerWith({ 'download-intent': refused(code, status, { 'Retry-After': '7' }) });
      await open(payerLink);
      await page.locator('[data-download]').first().click();
      await page.locator('.file').first().getByText(said).waitFor();
      await page.locator('[data-refresh]').click();
      await seen('Up to date.');
      expect(await page.locator('.file').first().getByText(said).isVisible()).toBe(true);
      expect(await page.locator('.file').nth(1).getByText(said).isVisible()).toBe(false);
    });

    test('a link that ends meanwhile is said beside the download, with a fresh one to be had right there', async () => {
      answerWith({ 'download-intent': refused('completion_token_expired'), 'resend-link': ok({}, 202) });
      await open(payerLink);
      const file = page.locator('.file').nth(1);
      await file.getByRole('button').click();
      await file.getByText('Your link has expired, so the download could not start.').waitFor();
      expect(await kept()).toEqual({});
      expect(await isSeen(key)).toBe(true);
      await file.locator('input').fill('buyer@example.com');
      await file.locator('input').press('Enter');
      await file.getByText('If there is an order under this address').waitFor();
      expect(asked.at(-1)).toEqual(['resend-link', { buyer_email: 'buyer@example.com' }]);
      answerWith({});
      await page.goto(server.baseUrl + mailLink);
      await seen(key);
      expect(await page.locator('[data-fresh-link]').isVisible()).toBe(false);
      expect(await isSeen('Your link has expired')).toBe(false);
    });

    test('a link that was replaced by a newer one is not called expired', async () => {
      await open(mailLink);
      await seen(key);
      answerWith({ complete: refused('completion_token_invalid') });
      await page.locator('[data-refresh]').click();
      await seen('Your link no longer works');
      expect(await kept()).toEqual({});
      expect(await page.locator('[data-fresh-link]').isVisible()).toBe(true);
    });

    test('the terms are those of the purchase, with their line breaks, and the seller’s site is linked', async () => {
      const seller = {
        site_url: 'https://harbour.example/',
        tokushoho_seller_name: 'Harbour Works Ltd.\nJane Doe',
        tokushoho_address: '1 Quay\nDover',
        tokushoho_contact: '+44 0000',
      };
      const updatesUntil = '2027-01-15T12:00:00.000Z';
      const purchase = samplePurchase({ files: false, seller, updatesUntil, orderStatus: 'partially_refunded', refunded: 1200 });
      answerWith({ complete: ok(purchase) });
      await open(payerLink);
      await seen(key);
      expect(await shownText('[data-field="updates-until"]')).toMatch(/^Jan 15, 2027, /);
      for (const text of [/^Harbour Works Ltd\.\s+Jane Doe$/, /^1 Quay\s+Dover$/, '+44 0000', '¥1,200']) await seen(text);
      expect(await shownText('[data-field="seller-address"]')).toBe('1 Quay\nDover');
      await seen('Get the software from the seller’s website');
      for (const link of await page.locator('a[data-field="site"]').all())
        expect(await link.getAttribute('href')).toBe('https://harbour.example/');
    });

    test.each<[string, object, string]>([
      ['there are files', {}, 'Download the software above'],
      [
        'there are none, and a site',
        { files: false, seller: { site_url: 'https://harbour.example/' } },
        'Get the software from the seller’s website',
      ],
      ['there are none, and no site', { files: false }, 'Ask the seller how to get the software'],
      ['a site is no web address', { files: false, seller: { site_url: 'javascript:alert(1)' } }, 'Ask the seller how to get the software'],
    ])('says how to get the software when %s', async (_, options, said) => {
      answerWith({ complete: ok(samplePurchase(options)) });
      await open(payerLink);
      await seen(said);
      expect(await page.locator('.how-to > li:visible').count()).toBe(3);
      expect(await page.locator('.how-to > li:visible').last().locator('a').getAttribute('href')).toBe('/manage');
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    });
  });

  describe('the fixed address', () => {
    test.each([true, false])('mails links, with JavaScript (%s), and answers every address alike', async (javaScriptEnabled) => {
      await open('/manage', { javaScriptEnabled });
      await page.getByLabel('Email address', { exact: true }).fill('someone@example.com');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/manage?sent=yes');
      expect(await heading()).toBe('Check your email');
      await seen('Each link works for 24 hours.');
      await page.getByRole('link', { name: 'Try another address' }).click();
      await page.waitForURL('**/manage');
    });

    test('shows what is wrong with an entry, and keeps it', async () => {
      await open('/manage?lang=ja');
      await page.getByLabel('メールアドレス', { exact: true }).fill('a@b');
      await page.keyboard.press('Enter');
      await seen('name@example.com のような形で');
      expect(await page.getByLabel('メールアドレス', { exact: true }).inputValue()).toBe('a@b');
      expect(await page.title()).toMatch(/^エラー/);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });
});
