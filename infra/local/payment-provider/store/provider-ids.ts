import { randomInt } from 'node:crypto';

const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits from a CSPRNG. */
export const randomSymbols = (length: number) => Array.from({ length }, () => symbols[randomInt(symbols.length)]).join('');

const lengths = {
  acct: 16,
  acctlink: 40,
  ch: 24,
  cs_test: 58,
  cus: 14,
  du: 24,
  evt: 24,
  evt_test: 48,
  fee: 24,
  pi: 24,
  pm: 24,
  py: 24,
  pyr: 24,
  re: 24,
  req: 14,
  tr: 24,
  txn: 24,
} as const;

/** An id in the form the provider gives it, e.g. `pi_…`. */
export const newProviderId = (prefix: keyof typeof lengths) => `${prefix}_${randomSymbols(lengths[prefix])}`;
