import { expect, test } from '@jest/globals';
import { likelyAddress } from '../../../functions/pages/browser/purchase/likely-address.ts';

test.each([
  ['h.sato@gmial.com', 'h.sato@gmail.com'],
  ['Sato@GMAIL.CON', 'Sato@gmail.com'],
  ['sato@gnail.cm', 'sato@gmail.com'],
  ['sato@gmail.co.jp', 'sato@gmail.com'],
  ['sato@icloud.jp', 'sato@icloud.com'],
  ['sato@iclud.com', 'sato@icloud.com'],
  ['sato@yahoo.cmo', 'sato@yahoo.com'],
  ['sato@yaho.co.jp', 'sato@yahoo.co.jp'],
  ['sato@docomo.ne.jo', 'sato@docomo.ne.jp'],
  ['sato@ezwed.ne.jp', 'sato@ezweb.ne.jp'],
  ['sato@sotfbank.ne.jp', 'sato@softbank.ne.jp'],
  ['sato@otulook.jp', 'sato@outlook.jp'],
  ['sato@yahoo.co.pj', 'sato@yahoo.co.jp'],
  ['sato@hotnail.com', 'sato@hotmail.com'],
  ['sato@hotmail.co.jo', 'sato@hotmail.co.jp'],
  ['sato@ymobile.ne.j', 'sato@ymobile.ne.jp'],
  ['sato@outlook.om', 'sato@outlook.com'],
  ['sato@outlok.jp', 'sato@outlook.jp'],
])('of %s %s was probably meant', (address, meant) => {
  expect(likelyAddress(address)).toBe(meant);
});

test.each([
  ...['sato@gmail.com', 'sato@Yahoo.co.jp', 'sato@mail.com', 'sato@email.com', 'sato@ymail.com', 'sato@small.com'],
  ...['sato@yahoo.co.uk', 'sato@outlook.de', 'sato@softbank.co.jp', 'sato@example.com', 'sato@a.jp', 'sato@例え.jp'],
])('of %s nothing else is supposed', (address) => {
  expect(likelyAddress(address)).toBeUndefined();
});
