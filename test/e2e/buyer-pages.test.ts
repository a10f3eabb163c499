import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { bundlePageAsset } from '../../infra/bundles/bundle-page-assets.ts';
import { accessibilityFaults, hasBrowser, launchBrowser, openPage, smallTargets } from '../support/http/browser.ts';
import { type ApiAnswer, type PageServer, startPageServer } from '../support/http/page-server.ts';
import { forPayer, sampleDevices, samplePurchase, sampleToken } from '../support/samples/sample-purchase.ts';

const key = 'LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA';
const orderId = samplePurchase().order.id;
const [payerLink, mailLink] = [`/complete#token=${sampleToken('redirect')}`, `/complete#token=${sampleToken('mail')}`];

const ok = (body: unknown, status = 200) => ({ status, body });
const refused = (code: string, status = 403, headers = {}) => ({ status, body: { code, message: 'x', request_id: 'req-4711' }, headers });

/** What each path answers; a path that is not named answers as the purchase of `complete`. */
type Answers = Record<string, Awaited<ReturnType<ApiAnswer>> | ((body: Record<string, unknown>) => Awaited<ReturnType<ApiAnswer>>)>;

let browser: Browser;
let server: PageServer;
const scripts: Record<string, string> = {};
let page: Page;
let complaints: string[];
/** What the page asked the service, without the token. */
let asked: [path: string, body: Record<string, unknown>][];

function answerWith(answers: Answers): void {
  server.answerWith((path, body) => {
    const { token, ...rest } = body;
    asked.push([path.replace('/v1/purchases/', ''), rest]);
    const [, answer] = Object.entries(answers).find(([end]) => path.endsWith(`/${end}`)) ?? [];
    return (typeof answer === 'function' ? answer(body) : answer) ?? ok(samplePurchase());
  });
}

/** A page that loads the scripts from their sources as they are now. */
async function openBlank(options: BrowserContextOptions = {}): Promise<void> {
  ({ page, complaints } = await openPage(browser, options));
  for (const [name, body] of Object.entries(scripts)) {
    await page.context().route(`**/assets/${name}.*.js`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
  }
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  await openBlank(options);
  page.on('dialog', () => complaints.push('a dialog opened'));
  await page.goto(server.baseUrl + path);
}

const seen = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor();
const isSeen = (text: string) => page.getByText(text).filter({ visible: true }).first().isVisible();
const heading = () => page.locator('h1:visible').textContent();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
const kept = () => page.evaluate<Record<string, string>>('({ ...sessionStorage })');
/** As it is laid out, with its lines. */
const shownText = (selector: string) => page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`);
const timesAsked = (path: string) => asked.filter(([one]) => one === path).length;

(hasBrowser ? describe : describe.skip)('the pages of a purchase in a browser', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await startPageServer();
    for (const name of ['completion', 'receipt']) scripts[name] = await bundlePageAsset(`purchase/${name}.ts`);
    scripts['product'] = await bundlePageAsset('product.ts');
  });
  afterAll(() => Promise.all([browser?.close(), server?.stop()]));

  beforeEach(() => {
    server.requests.length = 0;
    asked = [];
    answerWith({});
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.context().close();
  });

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

    test('is thanked for when the key comes after a reload', async () => {
      answerWith({ complete: ok(samplePurchase({ license: false, files: false })) });
      await open(payerLink);
      await seen('the key is on its way');
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
      await page.getByRole('link', { name: '日本語' }).click();
      await page.waitForURL('**/complete?lang=ja');
      await seen(key);
      await page.getByRole('link', { name: '領収書' }).click();
      await page.getByRole('heading', { name: '領収書' }).waitFor();
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
      await seen('Confirming your payment');
      expect(await isSeen(orderId)).toBe(false);
      for (let second = 0; second < 75; second += 1) await page.clock.runFor(1000);
      await seen(orderId);
      expect(await page.getByRole('link', { name: 'Find my purchases' }).isVisible()).toBe(true);
    });

    test.each<[string, number, string, string]>([
      ['rate_limited', 429, 'One moment, please', 'It will work again in 42 seconds.'],
      ['dependency_unavailable', 503, 'A service we need', 'try again in a few minutes'],
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

    test.each<[number, string]>([
      [429, 'One moment, please'],
      [503, 'A service we need'],
      [502, 'Something went wrong on our side'],
    ])('a gateway’s own %i is told apart too', async (status, title) => {
      answerWith({ complete: { status, body: { message: 'x' } } });
      await open(payerLink);
      await seen(title);
    });

    test('being offline says so, and goes on as soon as the network is back', async () => {
      answerWith({ complete: refused('order_not_paid') });
      await open(payerLink);
      await seen('Confirming your payment');
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
      ['an outage', refused('dependency_unavailable', 503), 'A service we need is not answering.'],
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
      ['dependency_unavailable', 503, 'A service we need is not answering.'],
      ['internal_error', 500, 'Something went wrong on our side. Try again'],
    ])('a download that meets %s says so beside its button', async (code, status, said) => {
      answerWith({ 'download-intent': refused(code, status, { 'Retry-After': '7' }) });
      await open(payerLink);
      await page.locator('[data-download]').first().click();
      await page.locator('.file').first().getByText(said).waitFor();
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
      await file.getByText('If there is a purchase under this address').waitFor();
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
      answerWith({ complete: ok(samplePurchase({ files: false, seller, orderStatus: 'partially_refunded', refunded: 1200 })) });
      await open(payerLink);
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
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    });
  });

  describe('the address of the payer', () => {
    const forPayers = ok(samplePurchase({ more: forPayer }));
    const correct = async (address: string) => {
      await page.getByText('Not your address? Correct it').click();
      await page.locator('#correct-email').fill(address);
      await page.locator('#correct-email').press('Enter');
    };

    test('is shown masked, and corrected there', async () => {
      answerWith({ complete: forPayers, 'buyer-email': ok({}, 202) });
      await open(payerLink);
      await seen('We emailed your link to b…@example.com.');
      answerWith({ complete: ok(samplePurchase({ more: { buyer_email_masked: 'c…@example.com' } })), 'buyer-email': ok({}, 202) });
      await correct(' carol@example.com ');
      await seen('The link is on its way to the new address.');
      await seen('We emailed your link to c…@example.com.');
      expect(asked).toContainEqual(['buyer-email', { buyer_email: 'carol@example.com' }]);
      expect(await isSeen('Your link no longer works')).toBe(false);
    });

    test('is asked for where none is known, and promised where the key is still to come', async () => {
      await open(payerLink);
      await seen('We know no email address for this order');
      await seen('Add your email address');
      answerWith({ complete: ok(samplePurchase({ license: false, files: false, more: forPayer })) });
      await page.reload();
      await seen('We will email your link to b…@example.com.');
    });

    test('is no business of someone with a link from a mail, nor of a refunded purchase', async () => {
      answerWith({ complete: forPayers });
      await open(mailLink);
      await seen(key);
      expect(await page.locator('[data-correction]').isVisible()).toBe(false);
      answerWith({ complete: ok(samplePurchase({ status: 'refunded', orderStatus: 'refunded', more: forPayer })) });
      await page.goto(server.baseUrl + payerLink);
      await seen('This purchase was refunded');
      expect(await page.locator('[data-correction]').isVisible()).toBe(false);
    });

    test.each<[string, number, string]>([
      ['email_already_corrected', 403, 'The address was already corrected once.'],
      ['license_not_usable', 403, 'The address cannot be changed while'],
      ['completion_token_invalid', 403, 'The address can be corrected only on the page'],
      ['completion_token_expired', 403, 'Your link no longer works, so this was not done.'],
      ['rate_limited', 429, 'Try again in 9 seconds'],
      ['internal_error', 500, 'Something went wrong on our side. Try again'],
    ])('stays when the service answers %s, which is said in words of its own', async (code, status, said) => {
      answerWith({ complete: forPayers, 'buyer-email': refused(code, status, { 'Retry-After': '9' }) });
      await open(payerLink);
      await correct('carol@example.com');
      await page.locator('[data-correction]').getByText(said).filter({ visible: true }).waitFor();
      expect(await page.locator('#correct-email').inputValue()).toBe('carol@example.com');
    });

    test.each([
      ['no address', 0],
      ['a@b', 1],
    ])('%j is none, and the focus stays in the field', async (address, times) => {
      answerWith({ complete: forPayers, 'buyer-email': refused('invalid_request', 400) });
      await open(payerLink);
      await correct(address);
      await page.locator('[data-correction] [data-invalid]:visible').waitFor();
      expect([await focused(), timesAsked('buyer-email')]).toEqual(['correct-email', times]);
    });
  });

  describe('devices', () => {
    const three = sampleDevices(['Studio Mac', undefined, 'ノートPC']);
    const used = (count: number) => ok(samplePurchase({ used: count }));
    const rows = () => page.locator('.device:visible').count();
    const releaseOf = (id: number) => `devices/act_01KDNX4V5S8G7W9Q2M3B6T1Z0${id}/release`;

    test('are listed with their names and since when; none are asked for where none has a seat', async () => {
      answerWith({ complete: used(3), devices: ok(three) });
      await open(mailLink);
      for (const text of [
        'Studio Mac',
        'Unnamed device (6T1Z01)',
        'ノートPC',
        'In use since Jan 30, 2026',
        'Devices you can still release here: 5.',
      ])
        await seen(text);
      expect(await page.locator('.device-name').first().getAttribute('dir')).toBe('auto');
      answerWith({});
      await page.reload();
      await seen('No device is using this license yet.');
      expect([await rows(), timesAsked('devices')]).toEqual([0, 1]);
    });

    test('are released after a question, by keyboard, and the outcome is announced', async () => {
      answerWith({ complete: used(3), devices: ok(three) });
      await open(mailLink);
      await button('Release Studio Mac').focus();
      await page.keyboard.press('Enter');
      expect(await focused()).toBe('ask-act_01KDNX4V5S8G7W9Q2M3B6T1Z00');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Release Studio Mac');
      expect(timesAsked(releaseOf(0))).toBe(0);
      await page.keyboard.press('Enter');
      expect(await accessibilityFaults(page)).toEqual([]);
      answerWith({
        complete: used(2),
        devices: ok(sampleDevices(['Left'], { activation_count: 2, moves_left: 4, moves_reset_at: '2026-02-20T12:00:00.000Z' })),
        release: ok({ activation_count: 2, moves_left: 4 }),
      });
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('[data-list-outcome] [role=status]').getByText('Studio Mac was released.').waitFor();
      expect(await focused()).toBe('devices');
      await seen('2 of 3');
      await seen('Devices you can still release here: 4.');
      await seen('You can release one more from Feb 20, 2026.');
      expect([timesAsked(releaseOf(0)), await rows()]).toEqual([1, 1]);
    });

    test('that another tab has released are gone here too', async () => {
      answerWith({ complete: used(3), devices: ok(three) });
      await open(mailLink);
      await button('Release Studio Mac').click();
      answerWith({ devices: ok(sampleDevices(['Left'])), release: ok({ activation_count: 1, moves_left: 3 }) });
      await page.locator('.device [data-confirm]:visible').click();
      await seen('Studio Mac was released.');
      await seen('1 of 3');
      expect(await page.locator('.device-name').allTextContents()).toEqual(['Left']);
    });

    test('can be released no more when the moves are spent; when they are none at all, it says so', async () => {
      answerWith({ complete: used(1), devices: ok(sampleDevices(['Mac'], { moves_left: 0, moves_reset_at: '2026-02-20T12:00:00.000Z' })) });
      await open(mailLink);
      await seen('You cannot release any more devices here for now. You can release one more from Feb 20, 2026.');
      expect(await button('Release Mac').isVisible()).toBe(false);
      answerWith({ complete: used(1), devices: ok(sampleDevices(['Mac'], { moves_left: 0 })) });
      await page.reload();
      await seen('Devices cannot be released on this page.');
      expect(await isSeen('You cannot release any more')).toBe(false);
    });

    test.each<[string, number, string]>([
      ['moves_exhausted', 403, 'You cannot release any more devices here for now.'],
      ['deactivation_not_allowed', 400, 'The terms of this license do not allow'],
      ['activation_not_found', 404, 'This device is no longer in the list.'],
      ['rate_limited', 429, 'Try again in 9 seconds'],
      ['completion_token_expired', 403, 'Your link no longer works'],
    ])('stay when the service answers %s, which is said in the row, and the focus returns', async (code, status, said) => {
      answerWith({ complete: used(3), devices: ok(three), release: refused(code, status, { 'Retry-After': '9' }) });
      await open(mailLink);
      await button('Release ノートPC').click();
      await page.locator('.device [data-confirm]:visible').click();
      await page.locator('.device').nth(2).getByText(said).filter({ visible: true }).waitFor();
      expect(await rows()).toBe(3);
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Release ノートPC');
    });

    test('beyond a page are shown on demand, with the focus on the first of them', async () => {
      const first = sampleDevices(
        Array.from({ length: 50 }, (_, index) => `Device ${index}`),
        { activation_count: 51, next_cursor: 'c-1' },
      );
      const rest = { ...sampleDevices(['The last'], { activation_count: 51 }) };
      answerWith({ complete: used(51), devices: ({ cursor }) => ok(cursor === 'c-1' ? rest : first) });
      await open(mailLink);
      await button('Show more').click();
      await seen('The last');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Release The last');
      expect([await rows(), await button('Show more').isVisible()]).toEqual([51, false]);
    });

    test('that cannot be listed now are asked for again on demand', async () => {
      answerWith({ complete: used(3), devices: refused('rate_limited', 429, { 'Retry-After': '9' }) });
      await open(mailLink);
      await page.locator('[data-devices]').getByText('Try again in 9 seconds').waitFor();
      answerWith({ devices: ok(three) });
      await button('Try again').click();
      await seen('Studio Mac');
      expect([await button('Try again').isVisible(), await isSeen('Try again in')]).toEqual([false, false]);
    });
  });

  describe('a leaked key', () => {
    const newKey = 'LIC1-AAAAA-BBBBB-CCCCC-DDDDD-EEEEE';
    async function ask(): Promise<void> {
      await page.getByText('Has someone else got your key?').click();
      await seen('Every device has to be activated again');
      await button('Replace the key').click();
    }

    test('is replaced after a warning and a question; the new one is shown, and no device is left', async () => {
      answerWith({ complete: ok(samplePurchase({ used: 2 })), devices: ok(sampleDevices()) });
      await open(mailLink);
      await seen('Studio Mac');
      await ask();
      await button('Cancel').and(page.locator(':visible')).click();
      expect(timesAsked('replace-key')).toBe(0);
      const replaced = samplePurchase();
      answerWith({ 'replace-key': ok({ ...replaced, license: { ...replaced.license, license_key: newKey } }) });
      await button('Replace the key').click();
      await button('Yes, replace it').click();
      await seen(newKey);
      await seen('Your key was replaced. The old one no longer works');
      await seen('No device is using this license yet.');
      await seen('0 of 3');
      expect([await isSeen(key), await page.locator('.device').count(), await focused()]).toEqual([false, 0, 'key']);
    });

    test.each<[string, number, string]>([
      ['wrong_issuance_mode', 400, 'Keys of this product cannot be replaced here.'],
      ['moves_exhausted', 403, 'The key was already replaced in the last 30 days.'],
      ['license_not_usable', 403, 'Only the key of an active license can be replaced.'],
      ['rate_limited', 429, 'Try again in 9 seconds'],
    ])('stays when the service answers %s, which is said there', async (code, status, said) => {
      answerWith({ 'replace-key': refused(code, status, { 'Retry-After': '9' }) });
      await open(mailLink);
      await ask();
      await button('Yes, replace it').click();
      await page.locator('[data-replace-key]').getByText(said).waitFor();
      expect(await isSeen(key)).toBe(true);
      expect(await focused()).toBe('Replace the key');
    });

    test('that another tab has replaced shows the present one', async () => {
      const replaced = samplePurchase();
      await open(mailLink);
      await seen(key);
      answerWith({
        complete: ok({ ...replaced, license: { ...replaced.license, license_key: newKey } }),
        'replace-key': refused('moves_exhausted'),
      });
      await ask();
      await button('Yes, replace it').click();
      await seen(newKey);
    });

    test('is not offered a replacement when the license is not active', async () => {
      answerWith({ complete: ok(samplePurchase({ status: 'suspended' })) });
      await open(mailLink);
      await seen('This license is suspended');
      expect(await page.locator('[data-replace-key]').isVisible()).toBe(false);
    });
  });

  describe('the receipt', () => {
    const receipt = async (options: Parameters<typeof samplePurchase>[0], lang = 'ja') => {
      answerWith({ complete: ok(samplePurchase(options)) });
      await open(mailLink.replace('#', `?lang=${lang}#`));
      await page.locator('a[href^="/receipt"]').click();
      await page.locator('.receipt').waitFor();
      return shownText('.receipt');
    };
    const seller = {
      tokushoho_seller_name: '株式会社みなと工房',
      tokushoho_address: '東京都千代田区\n架空町1-2-3',
      tokushoho_contact: '03-0000-0000',
    };

    test('in Japanese has what a 領収書 has, and is no 適格請求書', async () => {
      const text = await receipt({ seller });
      for (const part of [
        '領収書',
        '宛名',
        '様',
        '￥4,800（税込）',
        '但し、ソフトウェアライセンス代として',
        '上記の金額を正に領収いたしました。',
      ])
        expect(text).toContain(part);
      for (const part of [
        '2026年1月31日',
        orderId,
        '株式会社みなと工房',
        '東京都千代田区\n架空町1-2-3',
        '03-0000-0000',
        'support@harbour.example',
      ])
        expect(text).toContain(part);
      expect(text).toContain('適格請求書（インボイス）ではありません。');
      expect(text).toContain('テストモードのため');
      expect(text).not.toContain('返金');
      expect(await page.title()).toBe(`領収書 ${orderId}`);
    });

    test('shows what was refunded, and what is left', async () => {
      const text = await receipt({ orderStatus: 'partially_refunded', refunded: 1200 }, 'en');
      expect(text).toMatch(/¥4,800 \(JPY, tax included\)[\s\S]*Refunded\s+¥1,200\s+Remaining amount\s+¥3,600/);
      expect(text).not.toContain('disputed');
    });

    test('of a free order confirms it, and says that nothing was paid', async () => {
      const purchase = samplePurchase();
      answerWith({ complete: ok({ ...purchase, order: { ...purchase.order, amount: 0 } }) });
      await open(mailLink.replace('/complete', '/receipt'));
      await seen('Order confirmation');
      await seen('No money was received for it.');
      for (const text of ['The amount above has been received.', 'For a software license', 'Stripe).', 'tax included'])
        expect(await isSeen(text)).toBe(false);
      expect(await page.title()).toBe(`Order confirmation ${orderId}`);
    });

    test('is printed without what is around it, with the name that was filled in', async () => {
      await receipt({ seller });
      await page.locator('#receipt-name').fill('山田商店');
      await page.emulateMedia({ media: 'print' });
      for (const selector of ['.receipt-actions', '.receipt-hint', '.bottom', '.languages'])
        expect(await page.locator(selector).first().isVisible()).toBe(false);
      expect([await page.locator('#receipt-name').isVisible(), await page.locator('.receipt-test').isVisible()]).toEqual([true, true]);
      expect(JSON.stringify(asked)).not.toContain('山田商店');
    });

    test('without a link leads to where one is mailed; a refused link is forgotten, a failure can be tried again', async () => {
      await open('/receipt');
      await seen('Open the receipt from your purchase page');
      answerWith({ complete: refused('internal_error', 500) });
      await page.goto(`${server.baseUrl}${mailLink.replace('/complete', '/receipt')}`);
      await seen('Something went wrong on our side');
      answerWith({ complete: refused('completion_token_expired') });
      await button('Try again').click();
      await seen('Open the receipt from your purchase page');
      expect(await kept()).toEqual({});
      await page.getByRole('link', { name: 'Find my purchases' }).click();
      await page.waitForURL('**/manage');
    });
  });

  describe('the fixed address', () => {
    test.each([true, false])('mails links, with JavaScript (%s), and answers every address alike', async (javaScriptEnabled) => {
      await open('/manage', { javaScriptEnabled });
      await page.getByLabel('Email address').fill('someone@example.com');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/manage?sent=yes');
      expect(await heading()).toBe('Check your email');
      await seen('Each link works for 24 hours.');
      await page.getByRole('link', { name: 'Try another address' }).click();
      await page.waitForURL('**/manage');
    });

    test('shows what is wrong with an entry, and keeps it', async () => {
      await open('/manage?lang=ja');
      await page.getByLabel('メールアドレス').fill('a@b');
      await page.keyboard.press('Enter');
      await seen('name@example.com のような形で');
      expect(await page.getByLabel('メールアドレス').inputValue()).toBe('a@b');
      expect(await page.title()).toMatch(/^エラー/);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

  const states: [string, Answers, (() => Promise<unknown>)?][] = [
    [
      'everything on it',
      { complete: ok(samplePurchase({ used: 2, more: forPayer })), devices: ok(sampleDevices()) },
      async () => {
        await page.locator('[data-correction] summary').click();
        await page.locator('[data-replace-key] summary').click();
        await page.locator('[data-replace-key] [data-open]').click();
        await page.locator('.device [data-open]').first().click();
      },
    ],
    [
      'an ended link',
      { complete: ok(samplePurchase({ more: forPayer })), 'download-intent': refused('completion_token_expired') },
      () => page.locator('[data-download]').first().click(),
    ],
  ];
  describe.each(states)('the purchase with %s', (_, answers, act) => {
    test.each([
      ['light', 'ja', 320],
      ['dark', 'en', 1280],
    ] as const)('has no accessibility fault and fits, %s, %s, %i px', async (colorScheme, locale, width) => {
      answerWith(answers);
      await open(payerLink, { colorScheme, locale, viewport: { width, height: 740 }, reducedMotion: 'reduce' });
      await page.locator('.key:visible').waitFor();
      await page.waitForLoadState('networkidle');
      await act?.();
      await page.waitForLoadState('networkidle');
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await smallTargets(page)).toEqual([]);
    });
  });
});
