import { expect, test } from '@jest/globals';
import { checkAmount } from '../../infra/local/payment-provider/objects/amounts.ts';
import { defaultCurrencies } from '../../shared/currencies.ts';

test.each(defaultCurrencies)('%s can be charged at the fake payment provider', (currency) => {
  expect(() => checkAmount(100_000, currency.toLowerCase())).not.toThrow();
});
