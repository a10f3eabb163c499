import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buyerEmailHashes } from '../../shared/buyer-email/buyer-email.ts';
import { readContents } from '../support/engines/table-contents.ts';
import { createPageHarness } from '../support/scenes/pages/page-harness.ts';

let pages: Awaited<ReturnType<typeof createPageHarness>>;

const open = async (settings: Parameters<typeof createPageHarness>[0]['settings'] = {}) => {
  pages = await createPageHarness({ paymentApiBase: 'http://127.0.0.1:9', settings });
};
const call: (typeof pages)['call'] = (...request) => pages.call(...request);
const ask = (fields: Record<string, string> | string, target = '/manage', headers = {}) =>
  call('POST', target, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  });
const ja = { 'accept-language': 'ja' };

beforeAll(() => open());
beforeEach(() => {
  pages.queue.sent.length = 0;
});

describe('the fixed address', () => {
  test('is a page in both languages that needs no script and says what one gets', async () => {
    const english = await call('GET', '/manage');
    expect(english).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=60' } });
    expect(english.text.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script src="\/assets\/manage\.[0-9a-f]{12}\.js" async>$/),
    ]);
    // Without the script nothing takes a link, so nothing asks for one.
    expect(english.text).toMatch(/<section [^>]*data-paste="\/complete" hidden>.*?<form class="email-form" data-form="link" novalidate>/s);
    expect(english.text).toMatch(/<input id="pasted-link" type="text" (?!.*? name=)[^>]*>/);
    expect(english.text).toContain('<form class="email-form card" method="post" action="/manage" novalidate>');
    expect(english.text).toContain('<input id="buyer-email" name="buyer_email" type="email"');
    for (const said of ['Find your purchases', 'See your license key again', 'Print a receipt', 'noindex'])
      expect(english.text).toContain(said);
    const japanese = await call('GET', '/manage?lang=ja');
    expect(japanese.text).toContain('action="/manage?lang=ja"');
    for (const said of ['購入したものを確認する', 'ライセンスキーの確認とコピー', '領収書の印刷']) expect(japanese.text).toContain(said);
  });

  test.each([
    ['buyer@example.com', '/manage', '/manage?sent=yes'],
    ['　Ｂｕｙｅｒ＠Example．com ', '/manage?lang=ja', '/manage?sent=yes&lang=ja'],
  ])('takes %j for the work of a mail, without the address in plain form, and leads on', async (buyer_email, target, location) => {
    const reply = await ask({ buyer_email }, target);
    expect(reply).toMatchObject({ status: 303, text: '', headers: { location, 'cache-control': 'no-store' } });
    expect(pages.queue.sent).toEqual([expect.stringMatching(/^send-links:mai_\w{26}$/)]);
    const contents = JSON.stringify(await readContents(pages));
    expect(contents).toContain(buyerEmailHashes('buyer@example.com', pages.settings.ENCRYPTION_KEYS)[0]);
    expect(contents + pages.logged.join() + pages.queue.sent.join()).not.toMatch(/buyer@example/i);
    expect(contents.includes('"locale":"ja"')).toBe(target.endsWith('ja'));
    const next = await call('GET', location);
    expect(next.status).toBe(200);
    expect(next.text).toContain(target.endsWith('ja') ? 'リンクは24時間使えます' : 'Each link works for 24 hours.');
  });

  test.each(['', 'no address', '"><script>@x.y'])('refuses %j with the form again, and sends nothing', async (buyer_email) => {
    const reply = await ask({ buyer_email }, '/manage', ja);
    expect(reply).toMatchObject({ status: 400, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } });
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    expect(reply.text).toContain('<title>エラー: ');
    expect(reply.text).toContain('aria-invalid="true" aria-describedby="buyer-email-error"');
    expect(reply.text).toContain('<p id="buyer-email-error" class="field-error">name@example.com のような形で');
    expect(reply.text).not.toContain('<script>');
    expect([pages.queue.sent, pages.logged.join().includes('no address')]).toEqual([[], false]);
  });

  test('refuses other bodies, and sends nothing', async () => {
    for (const body of ['', 'other=1', '{"buyer_email":"buyer@example.com"}', 'buyer_email=%FF%FE'])
      expect((await ask(body)).status).toBe(400);
    expect(pages.queue.sent).toEqual([]);
  });

  test('makes the same requests whatever the address, also when it has had its mails', async () => {
    const costOf = async (buyer_email: string) => {
      pages.takeRequestCounts();
      const { status, text, headers } = await ask({ buyer_email });
      const { 'x-request-id': _, ...alike } = headers;
      return { status, text, headers: alike, requests: pages.takeRequestCounts(), sent: pages.queue.take().Records.length };
    };
    const cost = await costOf('known@example.com');
    expect(cost).toMatchObject({ requests: { TransactWriteItems: 1 }, sent: 1 });
    for (let time = 0; time < 4; time += 1) expect(await costOf('nobody@example.com')).toEqual(cost);
  });

  test('is limited like the completion page, by a page that leads back', async () => {
    await open({ RATE_LIMIT_COMPLETE: '2' });
    const statuses = [await ask({ buyer_email: 'a@example.com' }), await ask({ buyer_email: 'b@example.com' })].map(({ status }) => status);
    const refused = await ask({ buyer_email: 'c@example.com' });
    expect([...statuses, refused.status]).toEqual([303, 303, 429]);
    expect(refused.text).toContain('One moment, please');
    expect(refused.text).toContain('href="/manage"');
    expect(refused.text).not.toContain('Nothing was charged');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(20);
    expect(pages.queue.sent).toHaveLength(2);
    await open();
  });

  test('names the operator’s contact, and none when none is set', async () => {
    expect((await call('GET', '/manage')).text).not.toContain('Operator of this service');
    await open({ OPERATOR_CONTACT: 'help@operator.example' });
    for (const target of ['/manage', '/manage?sent=yes', '/complete', '/none']) {
      const { text } = await call('GET', target, { headers: { accept: 'text/html' } });
      expect(text.split('<footer')[0]).toMatch(
        /Operator of this service(<\/dt><dd>|: )<a class="address" href="mailto:help@operator.example">/,
      );
    }
  });
});

describe('pages that go nowhere', () => {
  test('lead to the fixed address', async () => {
    for (const target of ['/none', '/p/none']) {
      const { status, text } = await call('GET', `${target}?lang=ja`, { headers: { accept: 'text/html' } });
      expect([status, text.includes('href="/manage?lang=ja"')]).toEqual([404, true]);
    }
    const { text } = await call('GET', '/complete');
    expect(/<noscript>(.*?)<\/noscript>/s.exec(text)?.[1]).toContain('href="/manage"');
  });

  test('the receipt holds nothing of any purchase before its script runs, and is no invoice', async () => {
    const { text, headers } = await call('GET', '/receipt?lang=ja');
    expect(headers['cache-control']).toBe('public, max-age=60');
    const saying = ['領収書', '但し、ソフトウェアライセンス代として', '適格請求書（インボイス）ではありません', 'テストモード', 'noindex'];
    for (const said of saying) expect(text).toContain(said);
    expect(/<noscript>(.*?)<\/noscript>/s.exec(text)?.[1]).toContain('JavaScript');
  });
});

describe('the completion page', () => {
  test.each([
    ['devices', ['moves_exhausted', 'deactivation_not_allowed', 'activation_not_found']],
    ['replace-key', ['wrong_issuance_mode', 'moves_exhausted', 'license_not_usable']],
    ['correction', ['email_already_corrected', 'license_not_usable', 'completion_token_invalid']],
    ['file-row', ['license_not_usable', 'file_not_available', 'file_not_found']],
  ])('has words for what the service may answer about %s', async (part, own) => {
    for (const lang of ['en', 'ja']) {
      const { text } = await call('GET', `/complete?lang=${lang}`);
      const section = new RegExp(`data-${part}[ >].*?(?=</details>|</template>)`, 's').exec(text)?.[0] ?? '';
      const outcomes = section.matchAll(/data-outcome="(\w+)" hidden>(.*?)(?=<span data-outcome|$)/gs);
      const words = new Map([...outcomes].map(([, name = '', said = '']) => [name, said]));
      const everywhere = ['completion_token_expired', 'rate_limited', 'offline', 'unreachable', 'dependency_unavailable', 'internal_error'];
      const all = [...own, ...everywhere];
      expect([...words.keys()]).toEqual(expect.arrayContaining(all));
      const isSaid = (name: string) =>
        words
          .get(name)
          ?.replaceAll(/<[^>]*>/g, '')
          .trim() !== '';
      expect(all.filter((name) => name !== 'rate_limited' && !isSaid(name))).toEqual([]);
    }
  });
});
