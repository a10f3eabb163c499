import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importJWK, jwtVerify } from 'jose';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults, hasBrowser, launchBrowser, openPage, smallTargets } from '../support/http/browser.ts';
import { type ApiAnswer, type PageServer, startPageServer } from '../support/http/page-server.ts';
import { leaseKeysOf, requestCodeOf } from '../support/samples/leases.ts';
import { type LeaseScene, openLeaseScene } from '../support/scenes/lease-scene.ts';

const endpoint = '/v1/licenses/offline-activations';
const earlier = '2026-01-31T10:00:00.000Z';
const until = 'March 3, 2026 at 9:00 AM GMT+9';

let browser: Browser;
let server: PageServer;
let scene: LeaseScene;
let page: Page;
let complaints: string[];
/** The bodies that the page sent. */
let sent: Record<string, unknown>[];

/** The endpoint itself, over its own table. */
const askIn =
  (open: () => LeaseScene): ApiAnswer =>
  async (path, body) => {
    const { status, json, headers } = await open().call('POST', path, { body });
    return { status, body: json, headers: { 'Retry-After': headers['retry-after'] ?? '' } };
  };
const askService = askIn(() => scene);
const refuse = (status: number, code: string, headers = {}) =>
  answerWith(() => ({ status, body: { code, message: 'x', request_id: 'req-4711' }, headers }));

function answerWith(answer: ApiAnswer): void {
  server.answerWith((path, body) => {
    if (path === endpoint) sent.push(body);
    return answer(path, body);
  });
}

async function open(options: BrowserContextOptions = {}, path = '/activate'): Promise<void> {
  ({ page, complaints } = await openPage(browser, options));
  page.on('dialog', () => complaints.push('a dialog opened'));
  await page.goto(server.baseUrl + path);
  if (options.javaScriptEnabled !== false) await page.locator('form').waitFor();
}

const key = () => page.locator('#license-key');
const code = () => page.locator('#request-code');
const send = () => page.locator('button[type=submit]').click();
const seen = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor();
const heading = () => page.locator('h1:visible').textContent();
const focused = (of: 'id' | 'textContent') => page.evaluate(`document.activeElement.${of}`);

async function ask(licenseKey: string, requestCode: string): Promise<void> {
  await key().fill(licenseKey);
  await code().fill(requestCode);
  await send();
}

const buy = (facts: Parameters<LeaseScene['buy']>[0] = {}) => scene.buy({ offlineFileDays: 30, activationLimit: 2, ...facts });
type Bought = Awaited<ReturnType<typeof buy>>;
const codeFor = ({ license }: Bought, more: object = {}) =>
  requestCodeOf({ p: license.productId, d: 'air-gapped', l: 'Plant floor', n: 'nonce-1', ...more });

/** Every text and value that the page holds, shown or not. */
const contents = () =>
  page.evaluate<string>(
    `document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map(({ value }) => value).join() + location.href + JSON.stringify([history.state, localStorage, sessionStorage, document.cookie])`,
  );

(hasBrowser ? describe : describe.skip)('the activation page in a browser', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await startPageServer();
    scene = await openLeaseScene();
  });
  afterAll(() => Promise.all([browser?.close(), server?.stop()]));

  beforeEach(() => {
    server.requests.length = 0;
    sent = [];
    answerWith(askService);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('turns key and request code into a file that an app can verify', async () => {
    const bought = await buy();
    await open();
    await ask(bought.key, codeFor(bought));
    await seen('The license file is ready');
    expect(await focused('textContent')).toBe('The license file is ready');
    await seen('The device now counts as one in use.');
    await seen(until);
    await seen('1 of 2');
    await seen('Releasing the device does not end the file');
    expect(sent).toEqual([{ license_key: bought.key, request_code: codeFor(bought) }]);

    const lease = await page.getByLabel('The file as text').inputValue();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save license.lease' }).click()]);
    expect(download.suggestedFilename()).toBe('license.lease');
    expect(await readFile(await download.path(), 'utf8')).toBe(lease);
    const publicKey = await importJWK({ ...leaseKeysOf('l1').current.publicKey }, 'ES256');
    const { payload } = await jwtVerify(lease, publicKey, {
      algorithms: ['ES256'],
      typ: 'license-lease+jwt',
      issuer: scene.issuer,
      audience: bought.license.productId,
      subject: bought.license.id,
      currentDate: scene.now(),
    });
    expect(payload).toMatchObject({ kind: 'offline', nonce: 'nonce-1', exp: (payload.iat ?? 0) + 30 * 86_400 });
    expect(await scene.labelsOf(bought.license)).toEqual(['Plant floor']);
  });

  test('says that a device that has a seat takes no other, in Japanese too', async () => {
    const bought = await buy();
    await scene.activateOffline(bought.license.productId, bought.key, 'air-gapped');
    await open({ locale: 'ja' });
    await ask(` ${bought.key.toLowerCase()} `, [...codeFor(bought)].join('\n'));
    await seen('ライセンスファイルの用意ができました');
    await seen('アプリの端末はすでに使用中として数えられているため、台数は変わりません。');
    await seen('2026年3月3日 9:00 JST');
    await seen('2台中 1台');
    expect(await scene.seatsOf(bought.license)).toBe(1);
  });

  test('leaves key, code and lease in no address, request line, referrer or storage, and after starting over nowhere', async () => {
    const bought = await buy();
    await open();
    await ask(bought.key, codeFor(bought));
    await seen('The license file is ready');
    const lease = await page.locator('[data-lease]').inputValue();
    const save = page.locator('[data-save]');
    const address = (await save.getAttribute('href')) ?? '';
    expect(await contents()).not.toContain(bought.key);
    expect(page.url()).toBe(`${server.baseUrl}/activate`);
    expect(await page.evaluate('history.length')).toBe(2);

    // The policy of the page lets no script load what is at such an address, so what was revoked is noted.
    await page.evaluate(
      'globalThis.revoked = []; const revoke = URL.revokeObjectURL; URL.revokeObjectURL = (address) => { revoked.push(address); revoke.call(URL, address); }',
    );
    await page.getByRole('button', { name: 'Start over with another device' }).click();
    expect(await heading()).toBe('Activate a device without internet access');
    expect(await focused('id')).toBe('license-key');
    for (const secret of [bought.key, codeFor(bought), lease, address, until, '1 of 2']) expect(await contents()).not.toContain(secret);
    expect(await save.getAttribute('href')).toBe(null);
    expect(await page.evaluate('revoked')).toContain(address);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    expect(JSON.stringify(server.requests)).not.toContain(bought.key);
    expect(server.requests.every(({ referrer }) => referrer === undefined)).toBe(true);
  });

  test('is empty after a reload, and when someone goes back to it', async () => {
    const bought = await buy();
    await open();
    await key().fill(bought.key);
    await code().fill(codeFor(bought));
    await page.reload();
    await page.locator('form').waitFor();
    expect([await key().inputValue(), await code().inputValue()]).toEqual(['', '']);
    await ask(bought.key, codeFor(bought));
    await seen('The license file is ready');
    await page.goto(`${server.baseUrl}/onboarding/return`);
    await page.goBack();
    await page.locator('form').waitFor();
    expect(await heading()).toBe('Activate a device without internet access');
    expect(await contents()).not.toContain(bought.key);
    expect(await page.locator('[data-lease]').inputValue()).toBe('');
  });

  test('a page that is left keeps nothing for whoever goes back', async () => {
    const bought = await buy();
    await open();
    await ask(bought.key, codeFor(bought));
    await seen('The license file is ready');
    const lease = await page.locator('[data-lease]').inputValue();
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    expect(await contents()).not.toContain(lease);
    expect(await heading()).toBe('Activate a device without internet access');
  });

  test('copies the text, and selects it where the clipboard is out of reach', async () => {
    const bought = await buy();
    await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await ask(bought.key, codeFor(bought));
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await seen('Copied.');
    const lease = await page.locator('[data-lease]').inputValue();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(lease);
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("denied"))');
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await seen('The text is selected');
    expect(await page.getByText('Copied.').isVisible()).toBe(false);
    expect(await page.evaluate('getSelection().toString()')).toBe(lease);
  });

  describe('a fault of a field', () => {
    /** Both languages of a fault, with what stays as it was entered. */
    async function expectFault(field: 'license-key' | 'request-code', text: string): Promise<void> {
      await seen(text);
      expect(await focused('id')).toBe(field);
      const other = field === 'license-key' ? 'request-code' : 'license-key';
      expect(await page.locator(`#${field}`).getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator(`#${other}`).getAttribute('aria-invalid')).toBe('false');
      const described = await page.evaluate<string>(
        `document.activeElement.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).innerText).join(' ')`,
      );
      expect(described).toContain(text);
    }

    test('is shown at its field before anything is sent', async () => {
      await open();
      await send();
      await seen('Please enter the request code that the app shows.');
      await seen('Please enter the license key.');
      expect(await focused('id')).toBe('license-key');
      expect(await code().getAttribute('aria-invalid')).toBe('true');
      await key().fill('LIC1-7K3QD');
      await send();
      await expectFault('request-code', 'Please enter the request code that the app shows.');
      expect(await page.getByText('Please enter the license key.').isVisible()).toBe(false);
      await code().fill('LAR2.abc');
      await send();
      await expectFault('request-code', 'This request code is not complete.');
      expect([await key().inputValue(), await code().inputValue()]).toEqual(['LIC1-7K3QD', 'LAR2.abc']);
      expect(sent).toEqual([]);
    });

    test('is shown at its field when the service finds it, in the language of the page', async () => {
      const [bought, other] = [await buy(), await buy()];
      await open({ locale: 'ja' });
      await ask('LIC1-00000-00000-00000-00000-00001', codeFor(bought));
      await expectFault('license-key', 'ライセンスキーに入力の誤りか不足があるようです。');
      await ask(other.key, codeFor(bought));
      await expectFault('license-key', 'このアプリに、このキーのライセンスはありません。');
      await ask(bought.key, codeFor(bought).slice(0, -3));
      await expectFault('request-code', 'リクエストコードの全体が入力されていません。');
      await ask(`${bought.key}\u0000`, codeFor(bought));
      await expectFault('license-key', 'ライセンスキーに入力の誤りか不足があるようです。');
      await ask(bought.key, codeFor(bought));
      await seen('ライセンスファイルの用意ができました');
    });
  });

  /** What the page says in a box of its own, to which the focus moves, while the entries stay. */
  async function expectProblem(title: string, text: string): Promise<void> {
    await seen(title);
    await seen(text);
    expect(await page.locator('.notice:visible').count()).toBe(1);
    expect(await page.evaluate(`document.activeElement.querySelector('h2').textContent`)).toBe(title);
    expect(await key().getAttribute('aria-invalid')).toBe('false');
    expect(await key().inputValue()).not.toBe('');
    expect(await code().inputValue()).not.toBe('');
    expect(await page.locator('button[type=submit] > :visible').textContent()).toMatch(
      /^(Get the license file|ライセンスファイルを受け取る)$/,
    );
  }

  test.each<[string, Parameters<typeof buy>[0], string, string, string]>([
    ['revoked', { revokedAt: earlier }, 'This license was revoked', 'Please ask the seller why', 'このライセンスは取り消されました'],
    ['refunded', { paymentHold: 'refunded' }, 'This purchase was refunded', 'please buy it again', 'このご購入は返金されました'],
    [
      'disputed',
      { paymentHold: 'disputed' },
      'This payment is disputed with the card issuer',
      'ask the seller',
      'カード会社への異議申し立て中です',
    ],
    ['suspended', { suspendedAt: earlier }, 'This license is suspended', 'Please ask the seller', 'このライセンスは停止されています'],
    ['expired', { expiresAt: earlier }, 'This license has expired', 'how to continue', 'このライセンスは期限が切れました'],
    [
      'without files',
      { offlineFileDays: 0 },
      'This license does not offer files',
      'No device was counted.',
      'インターネットに接続できない端末に対応していません',
    ],
  ])('says of a license that is %s what it is and what to do', async (_, facts, title, advice, japanese) => {
    const bought = await buy(facts);
    await open();
    await ask(bought.key, codeFor(bought));
    await seen(title);
    await expectProblem((await page.locator('.notice:visible h2').textContent()) ?? '', advice);
    await page.goto(`${server.baseUrl}/activate?lang=ja`);
    await ask(bought.key, codeFor(bought));
    await seen(japanese);
  });

  test('says that every seat is taken, and goes on once one is free', async () => {
    const bought = await buy({ activationLimit: 1 });
    await scene.ask('activate', bought.on('desk'));
    await open();
    await ask(bought.key, codeFor(bought));
    await expectProblem('This license is in use on as many devices as it allows', 'Release a device yourself');
    await page.locator('.notice a[href="/manage"]:visible').waitFor();
    await scene.ask('deactivate', bought.on('desk'));
    await send();
    await seen('The license file is ready');
  });

  test('tells a limit, an outage, a failure of ours and a lost connection apart, and loses nothing that was entered', async () => {
    await open();
    const bought = await buy();
    refuse(429, 'rate_limited', { 'Retry-After': '42' });
    await ask(bought.key, codeFor(bought));
    await expectProblem('One moment, please', 'There were too many requests. Please try again in 42 seconds.');
    refuse(429, 'rate_limited', { 'Retry-After': '1' });
    await send();
    await expectProblem('One moment, please', 'Please try again in 1 second.');
    refuse(503, 'dependency_unavailable', { 'Retry-After': '1' });
    await send();
    await expectProblem('A service we depend on is not responding', 'Please try again in a few minutes. What you entered stays here.');
    refuse(500, 'internal_error');
    await send();
    await expectProblem('Something went wrong on our side', 'Request number: req-4711');
    refuse(403, 'a_code_of_tomorrow');
    await send();
    await expectProblem('Something went wrong on our side', 'Request number: req-4711');
    answerWith(() => ({ status: 200, body: { valid: false, code: 'license_of_tomorrow' } }));
    await send();
    await expectProblem('This license cannot be used right now', 'Please ask the seller why');
    for (const body of ['<html>Log in to this network</html>', { valid: true }, { valid: true, lease: 'a.b.c' }]) {
      answerWith(() => ({ status: 200, body }));
      await send();
      await expectProblem('We cannot reach the service', 'the same device is never counted twice');
    }
    await page.context().setOffline(true);
    await send();
    await expectProblem('We cannot reach the service', 'Please check your connection');
    await page.context().setOffline(false);
    answerWith(askService);
    await send();
    await seen('The license file is ready');
    expect(sent.at(-1)).toEqual({ license_key: bought.key, request_code: codeFor(bought) });
  });

  test('waits as long as the limit of the service says', async () => {
    const limited = await openLeaseScene({ changes: { RATE_LIMIT_OFFLINE: '1' } });
    answerWith(askIn(() => limited));
    const bought = await buy();
    await open({ locale: 'ja' });
    await ask(bought.key, codeFor(bought));
    await seen('このアプリに、このキーのライセンスはありません。');
    await send();
    await expectProblem('少しお待ちください', 'アクセスが集中しています。1 分ほどしてから');
  });

  test('a double click makes one request, and the button says what it waits for', async () => {
    const bought = await buy();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    answerWith(async (path, body) => {
      await asked;
      return askService(path, body);
    });
    await open();
    await key().fill(bought.key);
    await code().fill(codeFor(bought));
    await page.locator('button[type=submit]').dblclick();
    await page.locator('button[type=submit]').click();
    await key().press('Enter');
    await seen('Getting the license file…');
    expect(await page.locator('form [role=status]').last().textContent()).toBe('Getting the license file…');
    answer();
    await seen('The license file is ready');
    expect(sent.length).toBe(1);
    expect(await scene.seatsOf(bought.license)).toBe(1);
  });

  test('the keyboard alone is enough', async () => {
    const bought = await buy();
    await open();
    const tabTo = async (there: string) => {
      for (let press = 0; press < 8 && !(await page.evaluate(`document.activeElement.matches('${there}')`)); press += 1)
        await page.keyboard.press('Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    };
    await tabTo('#license-key');
    await page.keyboard.type(bought.key);
    await page.keyboard.press('Enter');
    expect(await focused('id')).toBe('request-code');
    await page.keyboard.insertText(codeFor(bought).slice(0, 30));
    await page.keyboard.press('Enter');
    await page.keyboard.insertText(codeFor(bought).slice(30));
    await tabTo('[data-pick-file]');
    await tabTo('button[type=submit]');
    await page.keyboard.press('Enter');
    await seen('The license file is ready');
    await tabTo('[data-save]');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toBe('license.lease');
    await tabTo('[data-copy]');
    await tabTo('[data-start-over]');
    await page.keyboard.press('Enter');
    expect(await focused('id')).toBe('license-key');
  });

  test('reads the code from a file, and leaves what was entered when there is none in it', async () => {
    const bought = await buy();
    await open();
    const pick = async (buffer: Buffer) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Read the code from a file' }).click(),
      ]);
      await chooser.setFiles({ name: 'request.txt', mimeType: 'text/plain', buffer });
    };
    await pick(Buffer.from(`${codeFor(bought)}\r\n`));
    await seen('The code was read from the file.');
    // No file is chosen where the choice is called off.
    await page.locator('[data-file]').setInputFiles([]);
    expect(await page.getByText('There is no request code in this file.').isVisible()).toBe(false);
    expect(await code().inputValue()).toBe(codeFor(bought));
    await pick(Buffer.alloc(1_000_000, 'A'));
    await seen('There is no request code in this file.');
    // Browsers pass over the choice of a file that is chosen already.
    expect(await page.locator('[data-file]').inputValue()).toBe('');
    expect(await page.getByText('The code was read from the file.').isVisible()).toBe(false);
    expect(await code().inputValue()).toBe(codeFor(bought));
    await pick(Buffer.from(`\ufeff${codeFor(bought, { d: 'other' })}`, 'utf16le'));
    await seen('The code was read from the file.');
    expect(await code().inputValue()).toBe(codeFor(bought, { d: 'other' }));
    await key().fill(bought.key);
    await send();
    await seen('The license file is ready');
    await page.getByRole('button', { name: 'Start over' }).click();
    expect(await page.getByText('The code was read from the file.').isVisible()).toBe(false);
  });

  test('a megabyte, markup and NUL are faults that run nothing and send little', async () => {
    const bought = await buy();
    await open();
    const markup = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    await ask('x'.repeat(1_000_000), 'A'.repeat(1_000_000));
    await seen('This license key seems to be mistyped or incomplete.');
    await seen('This request code is not complete.');
    for (const request of [markup, `${codeFor(bought)}\u0000`, `${codeFor(bought)}${codeFor(bought)}`]) {
      await ask(bought.key, request);
      await seen('This request code is not complete.');
    }
    expect(sent).toEqual([]);
    await ask(markup, codeFor(bought));
    await seen('No license of this app has this key.');
    answerWith(() => ({ status: 500, body: { code: markup, message: markup, request_id: markup } }));
    await send();
    await seen('Something went wrong on our side');
    await seen(markup);
    expect(await page.locator('img').count()).toBe(0);
  });

  test('without JavaScript says what it needs, and offers no form', async () => {
    await open({ javaScriptEnabled: false });
    expect(await page.locator('.notice:visible').textContent()).toContain('This page needs JavaScript to get the license file.');
    expect(await page.locator('form').isVisible()).toBe(false);
  });

  const states: [string, () => Promise<void>][] = [
    ['empty', async () => {}],
    ['with faults of both fields', send],
    [
      'with every seat taken',
      async () => {
        refuse(409, 'activation_limit_exceeded');
        await ask('LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA', requestCodeOf({ p: 'prd_1', d: 'x' }));
        await page.locator('.notice:visible').waitFor();
      },
    ],
    [
      'with the file',
      async () => {
        const bought = await buy();
        await ask(bought.key, codeFor(bought));
        await page.locator('[data-ready]').waitFor();
      },
    ],
  ];
  test.each(states)('%s has no fault that axe finds, and fits every width, also with text at twice its size', async (_, reach) => {
    // Languages, colours and widths take turns.
    const isEven = states.findIndex(([, one]) => one === reach) % 2 === 0;
    await open({ locale: isEven ? 'ja' : 'en', colorScheme: isEven ? 'light' : 'dark', reducedMotion: 'reduce' });
    await reach();
    for (const width of isEven ? [1280, 320] : [320, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await smallTargets(page)).toEqual([]);
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.evaluate(`document.documentElement.style.fontSize = ''`);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
