import { describe, expect, test } from '@jest/globals';
import { factsOf, isIssuing } from '../../../functions/pages/browser/purchase/facts.ts';
import type { Purchase } from '../../../functions/pages/browser/purchase/purchase.ts';
import { locales } from '../../../shared/locale.ts';
import { describeAdded, languageOfDescription } from '../../../shared/text/addition-words.ts';
import { forPayer, sampleAddition, samplePurchase } from '../../support/samples/sample-purchase.ts';

const [payer, owner] = [
  { payer: true, justBought: true },
  { payer: false, justBought: false },
];
const returning = { payer: true, justBought: false };
const facts = (options: Parameters<typeof samplePurchase>[0] = {}, session = payer) =>
  factsOf(samplePurchase(options), session).filter((fact) => fact !== '');
const waiting = { license: false, files: false };

describe('a purchase', () => {
  test.each([
    ['just bought', {}, payer, ['thanks', 'just-bought']],
    ['shown before', {}, returning, ['revisit']],
    ['opened from a mail', {}, owner, ['revisit']],
    ['just bought, its key still to come', waiting, payer, ['revisit', 'just-bought']],
    ['just bought and suspended', { status: 'suspended' }, payer, ['revisit']],
    ['just bought and refunded', { status: 'refunded', orderStatus: 'refunded' }, payer, ['revisit']],
    ['just bought and refunded before its key came', { ...waiting, orderStatus: 'refunded' }, payer, ['revisit']],
  ])('%s is greeted accordingly', (_, options, session, expected) => {
    const greetings = ['thanks', 'revisit', 'just-bought'];
    expect(facts(options, session).filter((fact) => greetings.includes(fact))).toEqual(expected);
  });

  test.each([
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
    ['the link went out', { more: forPayer }, payer, ['payer', 'mail-sent']],
    ['the key is still to come', { ...waiting, more: forPayer }, payer, ['payer', 'mail-to-send']],
    ['no address is known', {}, payer, ['payer', 'mail-unknown']],
    ['it is partly refunded', { more: forPayer, orderStatus: 'partially_refunded' }, returning, ['payer', 'mail-sent']],
    ['it is refunded', { more: forPayer, orderStatus: 'refunded' }, payer, []],
    ['it is disputed', { more: forPayer, orderStatus: 'disputed' }, payer, []],
    ['the link came by mail', { more: forPayer }, owner, []],
  ])('tells the payer alone where its link went: %s', (_, options, session, expected) => {
    expect(facts(options, session).filter((fact) => /^(payer|mail-)/.test(fact))).toEqual(expected);
  });

  test.each([
    ['as typed', { more: forPayer }, payer, ['correctable']],
    ['of a likely other domain', { more: { buyer_email: 'a@gmial.com' } }, payer, ['correctable', 'likely-address']],
    ['unknown', {}, payer, ['correctable']],
    ['corrected', { more: { buyer_email: 'a@gmial.com' } }, { ...payer, corrected: true }, ['corrected']],
    ['of someone with a link from a mail', { more: forPayer }, owner, []],
  ])('has its address corrected once: %s', (_, options, session, expected) => {
    expect(facts(options, session).filter((fact) => /correct|likely/.test(fact))).toEqual(expected);
  });

  test.each([
    [{}, ['files']],
    [{ files: false }, ['no-files-no-site']],
    [{ files: false, seller: { site_url: 'https://a.example/' } }, ['seller-site', 'no-files-but-site']],
    [{ files: false, seller: { site_url: 'HTTP://a.example/' } }, ['seller-site', 'no-files-but-site']],
    [{ files: false, seller: { site_url: 'javascript:alert(1)//https://' } }, ['no-files-no-site']],
    [{ seller: { site_url: 'https://a.example/', tokushoho_address: ' ', tokushoho_contact: ' ' } }, ['seller-site', 'files']],
    [{ seller: { tokushoho_address: 'a', tokushoho_contact: 'b' } }, ['seller-address', 'seller-contact', 'files']],
  ])('%j has %j', (options, expected) => {
    expect(facts(options).filter((fact) => /files|seller/.test(fact))).toEqual(expected);
  });

  test.each([
    [{}, []],
    [{ refunded: 1, orderStatus: 'partially_refunded' }, ['partly-refunded', 'some-refunded']],
    [{ refunded: 4800, orderStatus: 'refunded', status: 'refunded' }, ['some-refunded']],
  ])('%j was refunded: %j', (options, expected) => {
    expect(facts(options).filter((fact) => /partly|some/.test(fact))).toEqual(expected);
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

  test.each([
    ['open', { orderStatus: 'disputed', order: { payment_status: 'disputed' } }, ['held-by-dispute']],
    ['lost', { orderStatus: 'disputed', order: { payment_status: 'lost' } }, ['payment-lost']],
    ['about the order that was upgraded', { orderStatus: 'paid' }, ['held-by-dispute']],
  ])('whose dispute is %s says so', (_, options, expected) => {
    expect(facts({ ...options, status: 'disputed' }).filter((fact) => /^(held|payment)-/.test(fact))).toEqual(expected);
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
