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
