import { describe, expect, test } from '@jest/globals';
import { factsOf, isIssuing } from '../../../functions/pages/browser/purchase/facts.ts';
import type { Purchase } from '../../../functions/pages/browser/purchase/purchase.ts';
import { receiptFactsOf } from '../../../functions/pages/browser/receipt/receipt-facts.ts';
import { locales } from '../../../shared/locale.ts';
import { describeAdded, languageOfDescription } from '../../../shared/text/addition-words.ts';
import { forPayer, sampleAddition, sampleInvoice, samplePurchase } from '../../support/samples/sample-purchase.ts';

const [payer, owner] = [
  { payer: true, justBought: true },
  { payer: false, justBought: false },
];
const returning = { payer: true, justBought: false };
const facts = (options: Parameters<typeof samplePurchase>[0] = {}, session = payer) =>
  factsOf(samplePurchase(options), session).filter((fact) => fact !== '');
const waiting = { license: false, files: false };

type Options = NonNullable<Parameters<typeof samplePurchase>[0]>;
const greeting = /^(thanks|revisit|just-bought)$/;
const mailed = /^(payer|mail-)/;
const address = /correct|likely/;
const offered = /files|seller/;
const dispute = /^(held|payment)-/;
const source = /^(license|source|held|payment)-|partly|some/;
const held = (why: 'refunded' | 'disputed', order: object = {}): Options => ({ status: why, order: { held: { why }, ...order } });
const twice = /^bought-before$/;
const bought_before = { paid_at: '2026-01-31T08:00:00.000Z' };
const misspelled = { more: { buyer_email: 'a@gmial.com' } };
const refunded: Options = { status: 'refunded', orderStatus: 'refunded' };
const site = (site_url: string): Options => ({ files: false, seller: { site_url } });

test.each<[string, RegExp, Options, Parameters<typeof factsOf>[1], string[]]>([
  ['just bought', greeting, {}, payer, ['thanks', 'just-bought']],
  ['shown before', greeting, {}, returning, ['revisit']],
  ['opened from a mail', greeting, {}, owner, ['revisit']],
  ['just bought, its key still to come', greeting, waiting, payer, ['revisit', 'just-bought']],
  ['just bought and suspended', greeting, { status: 'suspended' }, payer, ['revisit']],
  ['just bought and refunded', greeting, refunded, payer, ['revisit']],
  ['refunded before its key came', greeting, { ...waiting, orderStatus: 'refunded' }, payer, ['revisit']],
  ['whose link went out', mailed, { more: forPayer }, payer, ['payer', 'mail-sent']],
  ['whose key is still to come', mailed, { ...waiting, more: forPayer }, payer, ['payer', 'mail-to-send']],
  ['of no known address', mailed, {}, payer, ['payer', 'mail-unknown']],
  [
    'of an address that no mail reaches',
    mailed,
    { ...waiting, more: { ...forPayer, buyer_email_unreachable: true } },
    payer,
    ['payer', 'mail-unreachable'],
  ],
  ['partly refunded', mailed, { more: forPayer, orderStatus: 'partially_refunded' }, returning, ['payer', 'mail-sent']],
  ['refunded', mailed, { more: forPayer, orderStatus: 'refunded' }, payer, []],
  ['disputed', mailed, { more: forPayer, orderStatus: 'disputed' }, payer, []],
  ['whose upgraded order is refunded', mailed, held('refunded'), payer, []],
  ['whose link came by mail', mailed, { more: forPayer }, owner, []],
  ['under the address as typed', address, { more: forPayer }, payer, ['correctable']],
  ['under one of a likely other domain', address, misspelled, payer, ['correctable', 'likely-address']],
  ['under an unknown one', address, {}, payer, ['correctable']],
  ['under a corrected one', address, misspelled, { ...payer, corrected: true }, ['corrected']],
  ['of someone with a link from a mail', address, { more: forPayer }, owner, []],
  ['with files', offered, {}, payer, ['files']],
  ['without files', offered, { files: false }, payer, ['no-files-no-site']],
  ['with a site alone', offered, site('https://a.example/'), payer, ['seller-site', 'no-files-but-site']],
  ['with a site in capitals', offered, site('HTTP://a.example/'), payer, ['seller-site', 'no-files-but-site']],
  ['with a site that is none', offered, site('javascript:alert(1)//https://'), payer, ['no-files-no-site']],
  ['of a seller without words', offered, { seller: { tokushoho_address: ' ', tokushoho_contact: ' ' } }, payer, ['files']],
  [
    'of a seller with an address',
    offered,
    { seller: { tokushoho_address: 'a', tokushoho_contact: 'b' } },
    payer,
    ['seller-address', 'seller-contact', 'files'],
  ],
  ['bought before', twice, { order: { bought_before } }, payer, ['bought-before']],
  ['bought before, and refunded itself', twice, { orderStatus: 'refunded', order: { bought_before } }, payer, []],
  ['of which nothing is refunded', /partly|some/, {}, payer, []],
  [
    'of which a part is refunded',
    /partly|some/,
    { refunded: 1, orderStatus: 'partially_refunded' },
    payer,
    ['partly-refunded', 'some-refunded'],
  ],
  ['of which all is refunded', /partly|some/, { ...refunded, refunded: 4800 }, payer, ['some-refunded']],
  [
    'whose dispute is open',
    dispute,
    { status: 'disputed', orderStatus: 'disputed', order: { payment_status: 'disputed' } },
    payer,
    ['held-by-dispute'],
  ],
  [
    'whose dispute is lost',
    dispute,
    { status: 'disputed', orderStatus: 'disputed', order: { payment_status: 'lost' } },
    payer,
    ['payment-lost'],
  ],
  ['whose upgraded order is disputed', source, held('disputed'), payer, ['license-held', 'source-disputed', 'source-paid']],
  ['whose upgraded order is refunded', source, held('refunded'), payer, ['license-held', 'source-refunded', 'source-paid']],
  ['that was free, of one refunded', source, held('refunded', { amount: 0 }), payer, ['license-held', 'source-refunded']],
  [
    'of one refunded, its key to come',
    source,
    { ...held('refunded'), license: false },
    payer,
    ['license-held', 'source-refunded', 'source-paid'],
  ],
  [
    'of one refunded, in part itself',
    source,
    { ...held('refunded'), orderStatus: 'partially_refunded', refunded: 1 },
    payer,
    ['license-held', 'source-refunded', 'source-paid', 'some-refunded'],
  ],
  ['of one refunded, refunded itself', source, { ...held('refunded'), orderStatus: 'refunded' }, payer, ['license-refunded']],
  [
    'of one refunded, disputed itself',
    source,
    { ...held('refunded', { payment_status: 'disputed' }), orderStatus: 'disputed' },
    payer,
    ['license-disputed', 'held-by-dispute', 'source-refunded', 'source-paid'],
  ],
  [
    'of one refunded, lost itself',
    source,
    { ...held('refunded', { payment_status: 'lost' }), orderStatus: 'disputed' },
    payer,
    ['license-disputed', 'payment-lost'],
  ],
  ['of one refunded, and revoked', source, { ...held('refunded'), status: 'revoked' }, payer, ['license-revoked']],
])('of a purchase %s the page shows of %s what %j has', (_, told, options, session, expected) => {
  expect(facts(options, session).filter((fact) => told.test(fact))).toEqual(expected);
});

describe('a purchase', () => {
  test.each<[string, Options, string]>([
    ['paid', {}, 'active'],
    ['suspended', { status: 'suspended' }, 'suspended'],
    ['without a key yet', waiting, 'none'],
    ['refunded before its key came', { ...waiting, orderStatus: 'refunded' }, 'refunded'],
    ['disputed before its key came', { ...waiting, orderStatus: 'disputed' }, 'disputed'],
  ])('%s has one status', (_, options, status) => {
    expect(facts(options).filter((fact) => fact.startsWith('license-'))).toEqual([`license-${status}`]);
    expect(isIssuing(samplePurchase(options))).toBe(status === 'none');
  });

  test.each([
    [{}, ['license', 'devices', 'key', 'link-lasts']],
    [{ updatesUntil: '2027-01-31T12:00:00.000Z' }, ['license', 'devices', 'updates-end']],
    [{ status: 'refunded', more: { expires_at: undefined } }, ['license']],
    [waiting, ['link-lasts']],
  ])('%j has %j of what may be missing', (options, expected) => {
    expect(facts(options)).toEqual(expect.arrayContaining(['purchase', ...expected]));
    for (const fact of ['devices', 'updates-end']) expect(facts(options).includes(fact)).toBe(expected.includes(fact));
  });

  test.each([
    ['just paid', {}, payer, ['addition', 'addition-none', 'thanks-for-addition', 'mail-sent']],
    ['opened from a mail', {}, owner, ['addition', 'addition-none', 'revisit']],
    ['refunded', { orderStatus: 'refunded', refunded: 4800 }, payer, ['addition', 'addition-refunded', 'revisit']],
    ['disputed', { orderStatus: 'disputed' }, owner, ['addition', 'addition-disputed', 'revisit']],
    ['lost', { orderStatus: 'disputed', order: { payment_status: 'lost' } }, payer, ['addition', 'addition-lost', 'revisit']],
    ['refunded in part', { orderStatus: 'partially_refunded', refunded: 1 }, owner, ['addition', 'addition-none', 'revisit']],
  ])('that added to a license, %s, shows nothing of that license', (_, options, session, expected) => {
    const addition = sampleAddition({ ...options, more: forPayer });
    const told = /addition|licen|thanks|revisit|just-bought|mail-|partly|key|devices|offer/;
    expect(factsOf(addition, session).filter((fact) => told.test(fact))).toEqual(expected);
    expect(isIssuing(addition)).toBe(false);
  });

  test.each(locales)('says what it added so that its language can be told: %s', (locale) => {
    for (const kind of ['seats', 'updates'] as const)
      expect(languageOfDescription(describeAdded({ kind, quantity: 3, updatesDays: 90 }, locale))).toBe(locale);
  });

  test('of a service that says nothing of refunds has none', () => {
    const { amount_refunded: _, ...order } = samplePurchase().order;
    expect(factsOf({ ...samplePurchase(), order: order as Purchase['order'] }, owner)).not.toContain('some-refunded');
  });
});

describe('a receipt', () => {
  const facts = (options: Parameters<typeof samplePurchase>[0]) => receiptFactsOf(samplePurchase(options)).filter((fact) => fact !== '');
  const refunds = [{ amount: 900, tax_amount: 81, refunded_at: '2026-02-03T00:00:00.000Z' }];

  test.each([
    ['of a seller without a number', {}, ['paid', 'plain', 'no-invoice']],
    ['of nothing', { amount: 0 }, ['free', 'no-invoice']],
    ['of a seller with a number', { invoice: sampleInvoice(10) }, ['paid', 'qualified', 'invoice', 'rate-10']],
    ['at the reduced rate', { invoice: sampleInvoice(8) }, ['paid', 'qualified', 'invoice', 'rate-8']],
    ['without tax', { invoice: sampleInvoice(0) }, ['paid', 'plain', 'invoice', 'rate-0']],
    [
      'in the place of the seller',
      { invoice: sampleInvoice(10, { operator_name: 'O' }) },
      ['paid', 'qualified', 'invoice', 'rate-10', 'by-operator'],
    ],
    [
      'of which something was given back',
      { invoice: sampleInvoice(10, { refunds }) },
      ['paid', 'qualified', 'invoice', 'rate-10', 'given-back', 'refunded', 'refunded-in-part'],
    ],
  ])('%s is that document', (_, order, expected) => {
    expect(facts({ order })).toEqual(['receipt', ...expected]);
  });

  const counts = /^(several|unit-price|discount)$/;
  const disputed = (payment_status: string, order: object = {}) => ({ orderStatus: 'disputed', order: { payment_status, ...order } });
  test.each<[string, RegExp, Parameters<typeof facts>[0], string[]]>([
    ['of one', counts, {}, []],
    ['of one at a discount', counts, { order: { discount_amount: 480 } }, ['unit-price', 'discount']],
    ['of several', counts, { order: { quantity: 3 } }, ['several', 'unit-price']],
    ['of several at a discount', counts, { order: { quantity: 3, discount_amount: 300 } }, ['several', 'unit-price', 'discount']],
    ['whose dispute is open', /^(refunded|disputed|lost)/, disputed('disputed'), ['disputed']],
    ['whose dispute is lost', /^(refunded|disputed|lost)/, disputed('lost'), ['lost']],
    ['that lost on an invoice', /^(refunded|lost)/, disputed('lost', { invoice: sampleInvoice(10, { refunds }) }), ['refunded', 'lost']],
    ['of which nothing was refunded', /^refunded/, { refunded: 0 }, []],
    ['of which a part was refunded', /^refunded/, { refunded: 1200 }, ['refunded', 'refunded-in-part']],
    ['of which all was refunded', /^refunded/, { refunded: 4800 }, ['refunded', 'refunded-in-full']],
  ])('%s says so', (_, told, options, expected) => {
    expect(facts(options).filter((fact) => told.test(fact))).toEqual(expected);
  });
});
