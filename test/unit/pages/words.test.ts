import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { factsOf } from '../../../functions/pages/browser/purchase/facts.ts';
import { receiptFactsOf } from '../../../functions/pages/browser/receipt/receipt-facts.ts';
import { createReaderOf } from '../../../functions/pages/reader.ts';
import { renderCompletion } from '../../../functions/pages/views/completion-view.ts';
import { renderReceipt } from '../../../functions/pages/views/receipt-view.ts';
import { pageAssets } from '../../support/page-assets.ts';
import { forPayer, sampleInvoice, sampleOffers, samplePurchase } from '../../support/samples/sample-purchase.ts';

type Options = Parameters<typeof samplePurchase>[0];

const readerOf = createReaderOf({ operator: {}, assets: pageAssets });
const completion = renderCompletion(readerOf('en', undefined)).toString();
const inJapanese = renderCompletion(readerOf('ja', undefined)).toString();
const empty = /^(!doctype|meta|link|input|br|img)$/i;

/** What a page shows where these facts hold: the words whose parts, all around them, are there for one of the facts. */
function wordsOf(markup: string, facts: readonly string[]): string {
  const shown = [true];
  let words = '';
  for (const [token, slash, tag = '', attributes = ''] of markup.matchAll(/<(\/?)([\w!]+)([^>]*)>|[^<]+/g)) {
    if (tag === '') words += shown.at(-1) ? token : '';
    else if (slash) shown.pop();
    else if (!empty.test(tag)) shown.push(shown.at(-1) === true && isShown(tag, attributes, facts));
  }
  expect(shown).toEqual([true]);
  return words.replaceAll(/\s+/g, ' ');
}

function isShown(tag: string, attributes: string, facts: readonly string[]): boolean {
  const [, when] = / data-when="([^"]*)"/.exec(attributes) ?? [];
  if (when !== undefined) return when.split(' ').some((name) => facts.includes(name));
  return !/ hidden\b/.test(attributes) && !/^(head|noscript|template|script)$/.test(tag);
}

/** The parts of the page of a purchase in which it is said what came of something, by how each begins. */
const places = {
  address: '<details data-correction',
  file: '<template data-file-row',
  device: '<template data-device',
  key: '<details class="replace-key"',
  refresh: '<span data-refresh-outcome',
  updates: '<p data-releases-outcome',
  more: '<form class="offer-form" data-buy="updates"',
  gone: '<p data-offers-gone',
};

test.each<[keyof typeof places, string, string]>([
  ['address', 'email_already_corrected', 'The address was already corrected once.'],
  ['address', 'license_not_usable', 'The address cannot be changed while'],
  ['address', 'completion_token_invalid', 'The address can be corrected only on the page'],
  ['address', 'completion_token_expired', 'Your link no longer works, so this was not done.'],
  ['file', 'license_not_usable', 'Files can be downloaded only while the license is active.'],
  ['file', 'file_not_available', 'This file cannot be downloaded at the moment.'],
  ['file', 'file_not_found', 'This file cannot be downloaded at the moment.'],
  ['file', 'update_not_covered', 'Your license does not include this version.'],
  ['file', 'completion_token_expired', 'Your link has expired, so the download could not start.'],
  ['device', 'moves_exhausted', 'You cannot release any more devices here for now.'],
  ['device', 'deactivation_not_allowed', 'The terms of this license do not allow'],
  ['device', 'activation_not_found', 'This device is no longer in the list.'],
  ['device', 'completion_token_expired', 'Your link no longer works'],
  ['key', 'wrong_issuance_mode', 'Keys of this product cannot be replaced here.'],
  ['key', 'moves_exhausted', 'The key was already replaced in the last 30 days.'],
  ['key', 'license_not_usable', 'Only the key of an active license can be replaced.'],
  ['refresh', 'offline', 'You are offline. Check your connection and try again.'],
  ['refresh', 'dependency_unavailable', 'A service we depend on is not responding.'],
  ['refresh', 'internal_error', 'Something went wrong on our side. Try again in a minute.'],
  ['updates', 'license_not_usable', 'Versions can be downloaded only while the license is active.'],
  ['more', 'checkout_not_available', 'This product cannot be bought now'],
  ['more', 'invalid_request', 'The license cannot have that much more.'],
  ['more', 'price_not_chargeable', 'The license cannot have that much more.'],
  ['more', 'license_not_usable', 'The license cannot be used right now'],
  ['more', 'price_changed', 'The price has changed.'],
  ['gone', 'addition_not_offered', 'This is no longer offered for the license.'],
  ['gone', 'upgrade_not_offered', 'This is no longer offered for the license.'],
  ['gone', 'already_upgraded', 'already'],
])('beside %s %s is said in words of its own', (place, code, said) => {
  const part = completion.slice(completion.indexOf(places[place]));
  const [, words = ''] = new RegExp(`data-outcome="${code}" hidden>(.*?)</span>`).exec(part) ?? [];
  expect(words).toContain(said);
});

test.each(Object.entries(places))('beside %s a limit says how long it lasts, and a failure its number', (_, begin) => {
  const outcome = completion.slice(completion.indexOf(begin)).match(/<span class="outcome".*?(?=<span class="outcome"|$)/s)?.[0];
  expect(outcome).toMatch(/data-outcome="rate_limited" hidden><span data-field="wait" data-pattern="[^"]*Try again in \{time\}/);
  expect(outcome).toMatch(/data-outcome="internal_error" hidden>[^<]+<span data-field="request-id" data-pattern="Request number: \{id\}/);
});

describe('the page of a purchase', () => {
  const words = (options: Options, session = { payer: false, justBought: false }) =>
    wordsOf(completion, factsOf(samplePurchase(options), session));

  test.each<[string, string, boolean]>([
    ['refunded', 'This purchase was refunded', false],
    ['disputed', 'This payment is disputed with the card issuer', false],
    ['revoked', 'This license was revoked', false],
    ['suspended', 'This license is suspended', true],
    ['expired', 'This license has expired', true],
  ])('says in plain words that a license is %s', (status, sentence, hasKey) => {
    const said = words({ status });
    expect([said.includes(sentence), said.includes('Copy the key')]).toEqual([true, hasKey]);
    expect([said.includes('Buy it again'), said.includes('Devices in use')]).toEqual([status === 'refunded', status !== 'refunded']);
    for (const untrue of ['Thank you', 'How to use it', 'Has someone else got your key?']) expect(said).not.toContain(untrue);
  });

  test.each<[Options, string]>([
    [{ license: false, files: false }, 'Your order is confirmed; your key is on its way'],
    [{ orderStatus: 'partially_refunded', refunded: 1200 }, 'Part of the amount was refunded.'],
    [{ status: 'disputed', orderStatus: 'disputed', order: { payment_status: 'lost' } }, 'The payment went back through the card issuer'],
    [{ status: 'refunded', order: { held: { why: 'refunded' } } }, 'The purchase that it was upgraded from was refunded'],
    [{ status: 'disputed', order: { held: { why: 'disputed' } } }, 'The payment of the purchase that it was upgraded from is disputed'],
    [{ more: { offers: sampleOffers() } }, 'More updates'],
  ])('says of %j what it means', (options, sentence) => {
    expect(words(options)).toContain(sentence);
    expect(words(options)).not.toContain('The full amount was refunded');
  });

  // What stands in a pattern is shown by its script.
  test.each<[Options, string[]]>([
    [
      { order: { held: { why: 'refunded' } }, status: 'refunded' },
      ['アップグレード元のご購入が返金された', '{amount}です。この返金には含まれて'],
    ],
    [{ order: { held: { why: 'disputed' } }, status: 'disputed' }, ['異議申し立てがあるため', '{amount}です。この異議申し立ての対象では']],
    [{ order: { bought_before: { paid_at: '2026-01-31T08:00:00.000Z' } } }, ['二重のご購入では', '、{time}にもこの商品を']],
  ])('says of %j in Japanese what it means', (options, parts) => {
    const facts = factsOf(samplePurchase(options), { payer: false, justBought: false });
    const shown = inJapanese.replaceAll(/ data-pattern="([^"]*)"([^>]*)>/g, '$2>$1');
    for (const part of parts) expect(wordsOf(shown, facts)).toContain(part);
  });

  test('says of an upgrade in Japanese too for how many devices it is', () => {
    expect(inJapanese).toContain('{seats}で使えます（現在のライセンスは{own}）');
  });

  test.each<[Options, string]>([
    [{}, 'Download the software above'],
    [{ files: false, seller: { site_url: 'https://harbour.example/' } }, 'Get the software from the seller’s website'],
    [{ files: false }, 'Ask the seller how to get the software'],
    [{ files: false, seller: { site_url: 'javascript:alert(1)' } }, 'Ask the seller how to get the software'],
  ])('says of %j one way to the software', (options, way) => {
    expect(
      words(options).match(
        /Download the software above|Get the software from the seller’s website|Ask the seller how to get the software/g,
      ),
    ).toEqual([way]);
  });

  test('gives no license but an active one the mark of one', () => {
    const styles = readFileSync('functions/pages/browser/purchase/completion.css', 'utf8');
    const statuses = [...completion.matchAll(/class="status (\w+)"/g)].map(([, status]) => status);
    expect(statuses.filter((status) => !styles.includes(`.status.${status}::before`))).toEqual(['active']);
  });

  test('thanks who has just bought, and asks the payer alone for the address', () => {
    const payer = { payer: true, justBought: true };
    for (const said of ['Thank you', 'We know no email address for this order', 'Add your email address']) {
      expect(words({}, payer)).toContain(said);
      expect(words({})).not.toContain(said);
    }
    expect(words({ more: forPayer }, payer)).toContain('Not your address? Correct it');
    expect(words({ more: forPayer, status: 'refunded', orderStatus: 'refunded' }, payer)).not.toContain('Not your address?');
  });
});

describe('a receipt', () => {
  const words = (options: Options, language: 'ja' | 'en' = 'ja') =>
    wordsOf(renderReceipt(readerOf(language, undefined)).toString(), receiptFactsOf(samplePurchase(options)));
  const refunds = [{ amount: 1200, tax_amount: 88, refunded_at: '2026-02-02T16:00:00.000Z' }];

  test.each<[string, Options, string[], RegExp]>([
    [
      'of a seller without a number',
      {},
      ['領収書', '但し、ソフトウェアライセンス代として', '上記の金額を正に領収いたしました。', '適格請求書（インボイス）ではありません。'],
      /返金|適格簡易|税率/,
    ],
    [
      'of a seller with a number',
      { order: { invoice: sampleInvoice(10) } },
      ['適格簡易請求書', '10 % 対象', '登録番号'],
      /ではありません。|軽減|媒介者|単価/,
    ],
    ['at the reduced rate', { order: { invoice: sampleInvoice(8) } }, ['※軽減税率対象', '8 % 対象（軽減税率、税込）'], /10 % 対象/],
    ['without tax', { order: { invoice: sampleInvoice(0) } }, ['領収書', '税率 0 %/対象外', '登録番号'], /適格|軽減|媒介者/],
    [
      'after a refund',
      { refunded: 1200, orderStatus: 'partially_refunded', order: { invoice: sampleInvoice(10, { refunds }) } },
      ['適格返還請求書', '返還日', '返金後の金額'],
      /全額を返金|返金済み|ではありません。/,
    ],
    [
      'after a full refund',
      { refunded: 4800, orderStatus: 'refunded', status: 'refunded' },
      ['上記の金額を正に領収いたしました。', 'その後、全額を返金いたしました。', '返金済み'],
      /異議/,
    ],
    [
      'whose dispute was lost',
      { orderStatus: 'disputed', status: 'disputed', order: { payment_status: 'lost', invoice: sampleInvoice(10, { refunds }) } },
      ['その後、異議申し立てにより、カード会社を通じて支払いが返還されました。', '適格返還請求書'],
      /申し立て中/,
    ],
    ['of nothing', { order: { amount: 0 } }, ['ご注文確認書', '金銭の受領はありません'], /正に領収|ライセンス代|オンライン決済|割引/],
  ])('%s is that document in words', (_, options, said, untrue) => {
    for (const part of said) expect(words(options)).toContain(part);
    expect(words(options)).not.toMatch(untrue);
  });

  test('of a free order says in English that nothing was paid', () => {
    const said = words({ order: { amount: 0 } }, 'en');
    expect(said).toMatch(/Order confirmation.*No money was received for it\./);
    expect(said).not.toMatch(/has been received|For a software license|Stripe\)/);
  });
});
