import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createPageHarness } from '../../support/scenes/pages/page-harness.ts';
import { type Checkouts, startCheckouts } from '../../support/scenes/strict-checkouts.ts';

const ja = { 'accept-language': 'ja' };

let provider: Checkouts;
let harness: Awaited<ReturnType<typeof createPageHarness>>;
let call: (typeof harness)['call'];
beforeAll(async () => {
  provider = await startCheckouts();
  harness = await createPageHarness({ paymentApiBase: provider.endpoint });
  call = harness.call;
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.opened.length = 0;
});

/** What stands on a page, without its markup. */
const wordsOf = (page: string) => page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
const hidden = (page: string) =>
  Object.fromEntries([...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, ...pair]) => pair));
const post = (fields: Record<string, string>, query = '') =>
  call('POST', `/p/team/checkout${query}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
const oneOrder = { request_key: 'k'.repeat(20), revision: '4' };
const notValid = 'This discount code is not valid for this product now.';

describe('the page of a product', () => {
  test('has fields for what there is to choose, leads owners to their upgrade, and names the number of its seller', async () => {
    const { text, headers } = await call('GET', '/p/team');
    expect(text).toContain('<form class="choice" action="/p/team/checkout"');
    expect(text).toMatch(/<input id="quantity" name="quantity" type="number" min="1" max="20"[^>]* value="1">/);
    expect(text).toMatch(/<input id="code" name="code"[^>]* value="">/);
    expect(text).toMatch(/You may pay less\. <a href="\/manage">/);
    expect(wordsOf(text)).toMatch(/Invoice registration number ?T1234567890123/);
    expect(headers['cache-control']).toBe('public, max-age=60');
    expect((await call('GET', '/p/team?lang=ja')).text).toContain('<input type="hidden" name="lang" value="ja">');
    const other = (await call('GET', '/p/waveform-editor-pro')).text;
    for (const said of ['name="quantity"', 'name="code"', 'You may pay less', 'registration number']) expect(other).not.toContain(said);
  });

  test('with a code shows the old and the new price, sends the code along, and is kept and listed by nobody', async () => {
    await call('GET', '/p/team');
    harness.takeRequestCounts();
    await call('GET', '/p/team');
    expect(harness.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
    const { status, text, headers } = await call('GET', '/p/team?code=%20spring-25%20', { headers: ja });
    expect(harness.takeRequestCounts()).toEqual({ BatchGetItem: 1, GetItem: 1 });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(wordsOf(text)).toContain('$36.75 割引前の価格： $49.00');
    expect(text).toMatch(/<input id="code" name="code"[^>]* value="SPRING-25">/);
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).toContain('href="/p/team?code=+spring-25+&amp;lang=en"');
  });

  test.each([
    ['past its end', 'OVER'],
    ['no code', '!'],
    ['endless', 'x'.repeat(5000)],
  ])('says of a code that is %s that it does not hold, beside the full price', async (_, code) => {
    const { status, text, headers } = await call('GET', `/p/team?code=${code}`);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(wordsOf(text)).toContain(notValid);
    expect(text).toContain('$49.00');
    expect(text).not.toContain('<s>');
  });

  test('beyond the limit of quotes is the page at the full price, with 429, whatever the code', async () => {
    const limited = await createPageHarness({ paymentApiBase: provider.endpoint, settings: { RATE_LIMIT_QUOTE: '2' } });
    const callThere = limited.call;
    await callThere('GET', '/p/team?code=spring-25');
    await callThere('GET', '/p/team/checkout?code=NONE');
    for (const path of ['/p/team', '/p/team/checkout']) {
      const { status, text, headers } = await callThere('GET', `${path}?code=spring-25`);
      expect([status, headers['cache-control'], Number(headers['retry-after']) > 0]).toEqual([429, 'no-store', true]);
      expect(wordsOf(text)).toContain('There were too many tries with discount codes from your network.');
      expect(text).toContain('$49.00');
      expect((await callThere('GET', `${path}?code=+`)).status).toBe(200);
    }
  });
});

describe('the confirmation', () => {
  test('says how many for how much each, the discount, the total, the seats, and carries all of it', async () => {
    const { text, headers } = await call('GET', '/p/team/checkout?quantity=%EF%BC%93&code=spring-25');
    expect(headers['cache-control']).toBe('no-store');
    const words = wordsOf(text).replaceAll(/(price|Discount|Total)(?=\S)/g, '$1 ');
    for (const said of [
      '3, as one license with one key for 9 devices',
      'Unit price $36.75 Price without the discount: $49.00',
      'Discount -$36.75 (code SPRING-25)',
      'Total $110.25 (USD, tax included)',
      'Continue to payment – $110.25',
    ])
      expect(words).toContain(said);
    expect(hidden(text)).toMatchObject({ revision: '4', quantity: '3', code: 'SPRING-25', total: '11025' });
    expect(text).toContain('href="/p/team?quantity=');
  });

  test('of what a code makes free asks for no payment, and of one without a code says its price too', async () => {
    const { text } = await call('GET', '/p/team/checkout?code=WHOLE');
    expect(wordsOf(text)).toContain('Nothing to pay.');
    expect(text).not.toContain('Continue to payment');
    expect(hidden(text)).toMatchObject({ code: 'WHOLE', total: '0' });
    expect(wordsOf((await call('GET', '/p/team/checkout')).text)).toMatch(/Unit price ?\$49\.00 ?Total ?\$49\.00/);
  });

  test.each([
    ['quantity=21', '21'],
    ['quantity=%22%3Eten', '&quot;&gt;ten'],
    [`quantity=${'9'.repeat(400)}`, '9'.repeat(16)],
    ['quantity=1.5&code=spring-25', '1.5'],
    ['code=OVER', undefined],
  ])('of %s says what is wrong beside what was typed, and what it offers instead', async (query, typed) => {
    const { status, text } = await call('GET', `/p/team/checkout?${query}`);
    expect(status).toBe(200);
    expect(wordsOf(text)).toContain(typed ? 'The quantity must be a whole number from 1 to 20.' : notValid);
    expect(text).toMatch(/<details open>.*aria-invalid="true" aria-errormessage="fault-(quantity|code)"/s);
    if (typed)
      expect(text).toMatch(new RegExp(`<input id="quantity" name="quantity" type="text"[^>]* value="${typed}" aria-invalid="true"`));
    expect(hidden(text)).toMatchObject({ quantity: '1', total: query.includes('spring') ? '3675' : '4900' });
  });

  test('takes what a form sends empty as left out', async () => {
    for (const path of ['/p/team', '/p/team/checkout', '/checkout/cancelled']) {
      const { status, text } = await call('GET', `${path}?quantity=&code=&lang=&product=team`);
      expect([path, status, text.includes('aria-invalid')]).toEqual([path, 200, false]);
    }
  });

  test('opens the checkout of what it showed, and sent twice only one', async () => {
    const { text } = await call('GET', '/p/team/checkout?quantity=3&code=spring-25&lang=ja');
    for (let sent = 0; sent < 2; sent += 1)
      expect((await post(hidden(text), '?lang=ja')).headers['location']).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    const [asked, ...more] = provider.opened.map(({ params }) => Object.fromEntries(params));
    expect(asked).toMatchObject({ 'line_items[0][quantity]': '3', 'line_items[0][price_data][unit_amount]': '3675' });
    expect(asked?.['cancel_url']).toContain('code=SPRING-25');
    expect(more).toEqual([]);
  });

  test('answers with the order that it made, also when that took the last redemption; others are led back', async () => {
    const [{ text }, { text: other }] = [
      await call('GET', '/p/team/checkout?code=last-one'),
      await call('GET', '/p/team/checkout?code=last-one'),
    ];
    expect(hidden(text)).toMatchObject({ total: '3900' });
    for (let sent = 0; sent < 2; sent += 1) expect((await post(hidden(text))).headers['location']).toMatch(/^https:/);
    expect((await post(hidden(other))).headers['location']).toBe('/p/team/checkout?quantity=1&code=LAST-ONE');
    expect(provider.opened).toHaveLength(1);
  });

  test.each<[string, Record<string, string>, string]>([
    ['another total', { quantity: '2', total: '4900' }, '/p/team/checkout?quantity=2&changed=yes'],
    ['terms of before', { quantity: '2', revision: '3' }, '/p/team/checkout?quantity=2&changed=yes'],
    ['too many', { quantity: '21' }, '/p/team/checkout?quantity=21'],
    ['a code that no longer holds', { code: 'OVER', total: '2450' }, '/p/team/checkout?code=OVER'],
  ])('with %s is shown again', async (_, fields, location) => {
    expect(await post({ ...oneOrder, ...fields })).toMatchObject({ status: 303, headers: { location } });
    expect(provider.opened).toEqual([]);
  });

  test('of the version before, which has neither quantity nor code nor total, is for one at the full price', async () => {
    expect((await post(oneOrder)).headers['location']).toMatch(/^https:/);
    expect(provider.opened[0]?.params.get('line_items[0][price_data][unit_amount]')).toBe('4900');
  });

  test('that was left leads back to what was asked for', async () => {
    const { text } = await call('GET', '/checkout/cancelled?product=team&quantity=3&code=SPRING-25');
    expect(text).toContain('href="/p/team?quantity=3&amp;code=SPRING-25"');
  });
});
