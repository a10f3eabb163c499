import { describe, expect, test } from '@jest/globals';
import { type InvoicedOrder, includedTax, invoiceOf } from '../../../shared/invoices/invoice.ts';
import { invoiceIssuerOf, invoiceTermsOf } from '../../../shared/invoices/invoice-terms.ts';
import { type ChargeFacts, type DisputeFact, noChargeFacts } from '../../../shared/payments/payment-facts.ts';

const day = (number: number) => `2026-02-0${number}T09:00:00.000Z`;
const terms = { registrationNumber: 'T1234567890123', sellerName: 'Minato', taxPercent: 10 };
const order = (fields: Partial<InvoicedOrder> = {}): InvoicedOrder => ({
  amount: 4800,
  invoice: terms,
  checkout: { paidAt: day(1) },
  ...fields,
});
const lost = (at: string, amount?: number): DisputeFact => ({ state: 'lost', at, ...(amount !== undefined && { amount }) });
const facts = (fields: Partial<ChargeFacts>): ChargeFacts => ({ ...noChargeFacts, ...fields });

describe('the terms of an invoice', () => {
  const product = { currency: 'JPY', taxPercent: 8 } as const;
  const seller = { displayName: 'Minato', invoiceRegistrationNumber: 'T1234567890123' };
  const operator = { name: 'Kumo K.K.', registrationNumber: 'T1111111111111' };
  const from = (fields: object = {}) => invoiceTermsOf({ product, seller, operator: undefined, total: 1, ...fields });

  test('are kept of a sale in yen, over 0, of a seller with a number', () => {
    const made = { registrationNumber: 'T1234567890123', sellerName: 'Minato', taxPercent: 8 };
    expect(from()).toEqual(made);
    expect(from({ product: { ...product, currency: 'jpy' } })).toEqual(made);
    expect(from({ product: { ...product, currency: 'USD' } })).toBeUndefined();
    expect(from({ total: 0 })).toBeUndefined();
    expect(from({ seller: { displayName: 'Minato' } })).toBeUndefined();
  });

  test('name the seller as the law wants it named, and the operator where it is the issuer', () => {
    expect(from({ product: { ...product, tokushohoSellerName: ' Minato K.K. ' } })).toMatchObject({ sellerName: 'Minato K.K.' });
    expect(from({ product: { ...product, tokushohoSellerName: ' ' } })).toMatchObject({ sellerName: 'Minato' });
    expect(from({ operator })).toMatchObject({ operatorName: 'Kumo K.K.', operatorRegistrationNumber: 'T1111111111111' });
  });

  test('are the operator’s with a number of its own alone', () => {
    const settings = (OPERATOR_INVOICE_NUMBER: string | undefined, OPERATOR_NAME: string | undefined) =>
      invoiceIssuerOf({ OPERATOR_INVOICE_NUMBER, OPERATOR_NAME });
    expect(settings('T1111111111111', 'Kumo K.K.')).toEqual(operator);
    expect(settings('T1111111111111', undefined)).toEqual({ ...operator, name: 'Operator' });
    expect(settings(undefined, 'Kumo K.K.')).toBeUndefined();
  });
});

describe('an invoice', () => {
  test.each([
    [4800, 10, 436],
    [1, 10, 0],
    [11, 10, 1],
    [10, 10, 0],
    [1080, 8, 80],
    [1079, 8, 79],
    [99_999_999, 10, 9_090_909],
    [4800, 0, 0],
  ])('of %i at %i %% has a tax of %i', (amount, taxPercent, taxAmount) => {
    expect(includedTax(amount, taxPercent)).toBe(taxAmount);
    expect(invoiceOf(order({ amount, invoice: { ...terms, taxPercent } }), noChargeFacts)).toEqual({ ...terms, taxPercent, taxAmount });
  });

  test('is of what was paid, by a seller who issued one then', () => {
    expect(invoiceOf(order({ checkout: {} }), noChargeFacts)).toBeUndefined();
    expect(invoiceOf(order({ invoice: undefined }), noChargeFacts)).toBeUndefined();
  });

  const refunded = (times: Record<number, string>, retrieved?: number): Partial<ChargeFacts> => ({
    refundedAmount: Math.max(...Object.keys(times).map(Number)),
    refundTimes: times,
    ...(retrieved !== undefined && { refundRetrieval: { at: day(5), amount: retrieved } }),
  });
  const known: DisputeFact[] = [
    { state: 'won', at: day(5), amount: 900 },
    { state: 'open', at: day(5), amount: 9 },
  ];

  test.each<[string, Partial<ChargeFacts>, number, string]>([
    ['a refund', refunded({ 1000: day(3) }), 1000, day(3)],
    ['several refunds', refunded({ 1000: day(3), 1500: day(4) }), 1500, day(4)],
    ['one of two refunds, as the later failed', refunded({ 1000: day(3), 1500: day(4) }, 1000), 1000, day(3)],
    ['what was retrieved alone', refunded({ 1500: day(4) }, 700), 700, day(4)],
    ['a refund of before times were kept', { refundedAmount: 1000 }, 1000, day(1)],
    ['the same, retrieved', { refundedAmount: 1000, refundRetrieval: { at: day(5), amount: 1000 } }, 1000, day(5)],
    ['a lost dispute about a part', { disputes: { a: lost(day(5), 900) } }, 900, day(5)],
    ['a lost dispute of which nobody knows what it was about', { disputes: { a: lost(day(5)) } }, 4800, day(5)],
    ['two losses and a refund', { ...refunded({ 1000: day(6) }), disputes: { a: lost(day(5), 900), b: lost(day(4), 100) } }, 2000, day(6)],
    ['more than everything', { ...refunded({ 4800: day(2) }), disputes: { a: lost(day(5), 4800) } }, 4800, day(5)],
    [
      'a refund beside disputes that are not lost',
      { ...refunded({ 11: day(2) }), disputes: Object.fromEntries(known.entries()) },
      11,
      day(2),
    ],
  ])('states %s as one entry with its own tax', (_, charge, amount, refundedAt) => {
    const refunds = [{ amount, taxAmount: includedTax(amount, 10), refundedAt }];
    expect(invoiceOf(order(), facts(charge))).toEqual({ ...terms, taxAmount: 436, refunds });
  });

  test('states nothing given back where nothing is', () => {
    const charge = facts({ refundedAmount: 500, refundTimes: { 500: day(2) }, refundRetrieval: { at: day(3), amount: 0 } });
    expect(invoiceOf(order(), charge)).toEqual({ ...terms, taxAmount: 436 });
  });
});
