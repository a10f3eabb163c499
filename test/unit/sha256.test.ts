import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Sha256 } from '../../shared/aws/sha256.ts';

const text = (data: string) => new TextEncoder().encode(data);
const hashed = async (hash: Sha256, ...parts: string[]) => {
  for (const part of parts) hash.update(text(part));
  return Buffer.from(await hash.digest()).toString('hex');
};

test('hashes what it is given, and begins anew after a reset', async () => {
  const hash = new Sha256();
  expect(await hashed(hash, 'a', 'b')).toBe(createHash('sha256').update('ab').digest('hex'));
  hash.reset();
  expect(await hashed(hash, 'c')).toBe(createHash('sha256').update('c').digest('hex'));
});

test('signs under text, under bytes and under part of a buffer, however often the same are given', async () => {
  const whole = text('before key after');
  const bytes = whole.subarray(7, 10);
  for (const secret of ['key', bytes, bytes, new DataView(whole.buffer, 7, 3), bytes.slice().buffer]) {
    expect(await hashed(new Sha256(secret), 'data')).toBe(createHmac('sha256', 'key').update('data').digest('hex'));
  }
});
