import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { importJWK, jwtVerify } from 'jose';
import { button, focused, heading, isSeen, page, seen } from '../support/http/in-browser.ts';
import { press, reach } from '../support/http/keyboard.ts';
import type { ApiAnswer } from '../support/http/page-server.ts';
import { leaseKeysOf, requestCodeOf } from '../support/samples/leases.ts';
import { type LeaseScene, openLeaseScene } from '../support/scenes/lease-scene.ts';
import { type Answers, answerWith, asked, describePages, ok, open, refused, server } from '../support/scenes/pages/buyer-pages.ts';

const until = 'March 3, 2026 at 9:00 AM GMT+9';
const wholeFile = 'The license file is ready';

let scene: LeaseScene;

/** The endpoint itself, over its own table. */
const askService = async (body: Record<string, unknown>): Promise<Awaited<ReturnType<ApiAnswer>>> => {
  const { status, json, headers } = await scene.call('POST', '/v1/licenses/offline-activations', { body });
  return { status, body: json, headers: { 'Retry-After': headers['retry-after'] ?? '' } };
};
const answer = (reply: Answers[string]) => answerWith({ 'offline-activations': reply });

const key = () => page.locator('#license-key');
const code = () => page.locator('#request-code');
const send = () => page.locator('button[type=submit]').click();

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

describePages('the activation page in a browser', () => {
  let bought: Bought;
  beforeAll(async () => {
    scene = await openLeaseScene();
  });
  beforeEach(async () => {
    answer(askService);
    bought = await buy();
  });

  test('turns key and request code once into a file that an app can verify, or a text that is copied', async () => {
    const isOver = Promise.withResolvers<void>();
    answer((body) => isOver.promise.then(() => askService(body)));
    await open('/activate', { permissions: ['clipboard-read', 'clipboard-write'] });
    await ask(bought.key, codeFor(bought));
    await page.locator('button[type=submit]').dblclick();
    await key().press('Enter');
    await seen('Getting the license file…');
    expect(await page.locator('form [role=status]').last().textContent()).toBe('Getting the license file…');
    isOver.resolve();
    await seen(wholeFile);
    expect(await focused()).toBe(wholeFile);
    for (const text of ['The device now counts as one in use.', until, '1 of 2', 'Releasing the device does not end the file'])
      await seen(text);
    expect(asked).toEqual([['licenses/offline-activations', { license_key: bought.key, request_code: codeFor(bought) }]]);

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

    await button('Copy as text').click();
    await seen('Copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(lease);
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("denied"))');
    await button('Copy as text').click();
    await seen('The text is selected');
    expect([await isSeen('Copied.'), await page.evaluate('getSelection().toString()')]).toEqual([false, lease]);
  });

  test('says that a device that has a seat takes no other, in Japanese too', async () => {
    await scene.activateOffline(bought.license.productId, bought.key, 'air-gapped');
    await open('/activate', { locale: 'ja' });
    await ask(` ${bought.key.toLowerCase()} `, [...codeFor(bought)].join('\n'));
    await seen('ライセンスファイルの用意ができました');
    for (const text of ['台数は変わりません。', '2026年3月3日 9:00 JST', '2台中 1台']) await seen(text);
    expect(await scene.seatsOf(bought.license)).toBe(1);
  });

  test('leaves key, code and lease in no address, request line, referrer or storage, and nowhere once it was started over, reloaded or left', async () => {
    await open('/activate');
    const save = page.locator('[data-save]');
    const getFile = async () => {
      await ask(bought.key, codeFor(bought));
      await seen(wholeFile);
      return page.locator('[data-lease]').inputValue();
    };
    const isEmpty = async (...secrets: string[]) => {
      expect(await heading()).toBe('Activate a device without internet access');
      for (const secret of [bought.key, codeFor(bought), until, '1 of 2', ...secrets]) expect(await contents()).not.toContain(secret);
    };
    const first = await getFile();
    const address = (await save.getAttribute('href')) ?? '';
    expect(await contents()).not.toContain(bought.key);
    expect([page.url(), await page.evaluate('history.length')]).toEqual([`${server.baseUrl}/activate`, 2]);

    // The policy of the page lets no script load what is at such an address, so what was revoked is noted.
    await page.evaluate(
      'globalThis.revoked = []; const revoke = URL.revokeObjectURL; URL.revokeObjectURL = (address) => { revoked.push(address); revoke.call(URL, address); }',
    );
    await button('Start over with another device').click();
    expect(await focused()).toBe('license-key');
    await isEmpty(first, address);
    expect([await save.getAttribute('href'), await page.evaluate('revoked')]).toEqual([null, [address]]);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    expect(JSON.stringify(server.requests)).not.toContain(bought.key);
    expect(server.requests.every(({ referrer }) => referrer === undefined)).toBe(true);

    await key().fill(bought.key);
    await code().fill(codeFor(bought));
    await page.reload();
    await page.locator('form').waitFor();
    expect([await key().inputValue(), await code().inputValue()]).toEqual(['', '']);
    const second = await getFile();
    await page.goto(`${server.baseUrl}/onboarding/return`);
    await page.goBack();
    await page.locator('form').waitFor();
    await isEmpty(second);
    const third = await getFile();
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    await isEmpty(third);
  });

  test('shows a fault at its field, before anything is sent or when the service finds it', async () => {
    /** Shown where the focus is, while the other field is as it was. */
    async function expectFault(field: 'license-key' | 'request-code', text: string): Promise<void> {
      await seen(text);
      expect(await focused()).toBe(field);
      const invalid = await Promise.all([key(), code()].map((input) => input.getAttribute('aria-invalid')));
      expect(invalid).toEqual([String(field === 'license-key'), String(field === 'request-code')]);
      const described = await page.evaluate<string>(
        `document.activeElement.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).innerText).join(' ')`,
      );
      expect(described).toContain(text);
    }
    await open('/activate');
    await send();
    for (const text of ['Please enter the request code that the app shows.', 'Please enter the license key.']) await seen(text);
    expect([await focused(), await code().getAttribute('aria-invalid')]).toEqual(['license-key', 'true']);
    await ask(bought.key, '"><img src=x onerror=alert(1)>');
    await expectFault('request-code', 'This request code is not complete.');
    expect([await isSeen('Please enter the license key.'), asked]).toEqual([false, []]);
    // Which the service alone finds.
    await ask('LIC1-00000-00000-00000-00000-00001', codeFor(bought));
    await expectFault('license-key', 'This license key seems to be mistyped or incomplete.');
    await ask(bought.key, codeFor(bought).slice(0, -3));
    await expectFault('request-code', 'This request code is not complete.');
    await ask((await buy()).key, codeFor(bought));
    await expectFault('license-key', 'No license of this app has this key.');
  });

  /** What the page says in a box of its own, to which the focus moves, while the entries stay. */
  async function expectProblem(title: string, text: string): Promise<void> {
    for (const words of [title, text]) await seen(words);
    expect(await page.locator('.notice:visible').count()).toBe(1);
    expect(await page.evaluate<string>(`document.activeElement.querySelector('h2').textContent`)).toContain(title);
    expect([await key().getAttribute('aria-invalid'), await key().inputValue(), await code().inputValue()]).toEqual([
      'false',
      bought.key,
      codeFor(bought),
    ]);
    expect(await page.locator('button[type=submit] > :visible').textContent()).toBe('Get the license file');
  }

  test('tells apart what is in the way, loses nothing that was entered, and goes on once a seat is free', async () => {
    bought = await buy({ activationLimit: 1 });
    await scene.ask('activate', bought.on('desk'));
    await open('/activate');
    await ask(bought.key, codeFor(bought));
    await expectProblem('This license is in use on as many devices as it allows', 'Release a device yourself');
    await page.locator('.notice a[href="/manage"]:visible').waitFor();
    const markup = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    const away = 'We cannot reach the service';
    for (const [reply, title, text] of [
      [refused('rate_limited', 429, { 'Retry-After': '42' }), 'One moment, please', 'Please try again in 42 seconds.'],
      [refused('dependency_unavailable', 503), 'A service we depend on is not responding', 'What you entered stays here.'],
      [refused('a_code_of_tomorrow'), 'Something went wrong on our side', 'Request number: req-4711'],
      [{ status: 500, body: { code: markup, message: markup, request_id: markup } }, 'Something went wrong on our side', markup],
      [ok({ valid: false, code: 'license_refunded' }), 'This license is no longer paid for', 'Your purchase page says which'],
      [
        ok({ valid: false, code: 'license_disputed' }),
        'This license is on hold because of a dispute',
        'or of the one that it was upgraded from',
      ],
      [ok({ valid: false, code: 'license_of_tomorrow' }), 'This license cannot be used right now', 'Please ask the seller why'],
      // Some networks answer in the name of others.
      [ok('<html>Log in to this network</html>'), away, 'the same device is never counted twice'],
      [ok({ valid: true, lease: 'a.b.c' }), away, 'the same device is never counted twice'],
    ] as const) {
      answer(reply);
      await send();
      await expectProblem(title, text);
    }
    expect(await page.locator('img').count()).toBe(0);
    await page.context().setOffline(true);
    await send();
    await expectProblem(away, 'Please check your connection');
    await page.context().setOffline(false);
    answer(askService);
    await scene.ask('deactivate', bought.on('desk'));
    await send();
    await seen(wholeFile);
  });

  test('the keyboard alone is enough', async () => {
    await open('/activate');
    await reach(page, key());
    await page.keyboard.type(bought.key);
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('request-code');
    await page.keyboard.insertText(codeFor(bought).slice(0, 30));
    await page.keyboard.press('Enter');
    await page.keyboard.insertText(codeFor(bought).slice(30));
    await reach(page, page.locator('[data-pick-file]'));
    await press(page, page.locator('button[type=submit]'));
    await seen(wholeFile);
    await reach(page, page.locator('[data-save]'));
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    await reach(page, page.locator('[data-copy]'));
    await press(page, page.locator('[data-start-over]'));
    expect(await focused()).toBe('license-key');
  });

  test('reads the code from a file, and leaves what was entered when there is none in it', async () => {
    await open('/activate');
    const pick = async (buffer: Buffer) => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('Read the code from a file…').click()]);
      await chooser.setFiles({ name: 'request.txt', mimeType: 'text/plain', buffer });
    };
    await pick(Buffer.from(`${codeFor(bought)}\r\n`));
    await seen('The code was read from the file.');
    // No file is chosen where the choice is called off.
    await page.locator('[data-file]').setInputFiles([]);
    expect([await isSeen('There is no request code in this file.'), await code().inputValue()]).toEqual([false, codeFor(bought)]);
    await pick(Buffer.alloc(1_000_000, 'A'));
    await seen('There is no request code in this file.');
    // Browsers pass over the choice of a file that is chosen already.
    expect([await page.locator('[data-file]').inputValue(), await code().inputValue()]).toEqual(['', codeFor(bought)]);
    expect(await isSeen('The code was read from the file.')).toBe(false);
    await pick(Buffer.from(codeFor(bought, { d: 'other' })));
    await seen('The code was read from the file.');
    await ask(bought.key, await code().inputValue());
    await seen(wholeFile);
    await page.getByRole('button', { name: 'Start over' }).click();
    expect(await isSeen('The code was read from the file.')).toBe(false);
  });

  test.each(['ja', 'en'])('fits every width, also with text at twice its size, in %s', async (locale) => {
    await open('/activate', { locale });
    const expectFit = async () => {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    };
    await send();
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    await expectFit();
    await ask(bought.key, codeFor(bought));
    await page.locator('[data-ready]').waitFor();
    await expectFit();
  });
});
