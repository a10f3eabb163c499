import { describe, expect, test } from '@jest/globals';
import { receiptFactsOf } from '../../../functions/pages/browser/receipt/receipt-facts.ts';
import { sampleInvoice, samplePurchase } from '../../support/samples/sample-purchase.ts';

const facts = (options: Parameters<typeof samplePurchase>[0]) => receiptFactsOf(samplePurchase(options)).filter((fact) => fact !== '');
const refunds = [{ amount: 900, tax_amount: 81, refunded_at: '2026-02-03T00:00:00.000Z' }];

describe('a receipt', () => {
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

  test.each([
    ['one', {}, []],
    ['one at a discount', { discount_amount: 480 }, ['unit-price', 'discount']],
    ['several', { quantity: 3 }, ['several', 'unit-price']],
    ['several at a discount', { quantity: 3, discount_amount: 300 }, ['several', 'unit-price', 'discount']],
  ])('of %s says how many for how much each', (_, order, expected) => {
    expect(facts({ order }).filter((fact) => ['several', 'unit-price', 'discount'].includes(fact))).toEqual(expected);
  });

  test.each([
    ['open', 'disputed', {}, ['disputed']],
    ['lost', 'lost', {}, ['lost']],
    ['lost, on an invoice', 'lost', { invoice: sampleInvoice(10, { refunds }) }, ['refunded', 'lost']],
  ])('whose dispute is %s says so', (_, paymentStatus, order, expected) => {
    const told = facts({ orderStatus: 'disputed', order: { payment_status: paymentStatus, ...order } });
    expect(told.filter((fact) => /^(refunded|disputed|lost)/.test(fact))).toEqual(expected);
  });

  test.each([
    [0, []],
    [1200, ['refunded', 'refunded-in-part']],
    [4800, ['refunded', 'refunded-in-full']],
  ])('of which %i was refunded says so', (refunded, expected) => {
    expect(facts({ refunded }).filter((fact) => fact.startsWith('refunded'))).toEqual(expected);
  });
});
