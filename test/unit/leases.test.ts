import { createHmac, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Keyring } from '../../shared/crypto/keyring.ts';
import type { LicenseId, ProductId } from '../../shared/ids.ts';
import { createLeaseIssuer, deviceClaim, type LeaseTerms } from '../../shared/leases/lease.ts';
import { parseRequestCode } from '../../shared/leases/request-code.ts';
import { createProofVerifier } from '../../shared/leases/update-proof.ts';
import { mintUpdateTicket } from '../../shared/leases/update-ticket.ts';
import { leaseKeysOf } from '../support/samples/leases.ts';
import { keyringText } from '../support/samples/licenses.ts';

const prefixed = (bytes: Buffer | string) => `LAR1.${Buffer.from(bytes).toString('base64url')}`;
const codeOf = (said: unknown) => prefixed(JSON.stringify(said));
const [p, d, n] = ['prod_1', 'device-1', 'a'.repeat(22)];

test('a request code says product and device, and a label and a nonce if it likes', () => {
  expect(parseRequestCode(codeOf({ p, d }))).toEqual({ productId: p, deviceFingerprint: d });
  const all = { productId: p, deviceFingerprint: d, deviceLabel: 'Büro', nonce: n };
  expect(parseRequestCode(codeOf({ p, d, l: 'Büro', n, later: 1 }))).toEqual(all);
});

test('white space in a request code means nothing, also what cannot be seen', () => {
  const code = codeOf({ p, d });
  const spread = [...code].join('\u00a0');
  for (const text of [` ${code}\r\n`, spread, code.replaceAll('1', '\u200b 1\u200b\t')]) {
    expect(parseRequestCode(text)).toEqual({ productId: p, deviceFingerprint: d });
  }
});

test.each([
  ['nothing', ''],
  ['no prefix', codeOf({ p, d }).slice('LAR1.'.length)],
  ['another prefix', codeOf({ p, d }).replace('LAR1', 'LAR2')],
  ['the prefix within', `x${codeOf({ p, d })}`],
  ['no JSON', prefixed('{')],
  ['no object', codeOf([])],
  ['no product', codeOf({ d })],
  ['no device', codeOf({ p })],
  ['an empty device', codeOf({ p, d: '' })],
  ['a zero in a text', codeOf({ p: 'a\0b', d })],
  ['half a character', prefixed('{"p":"\\ud800","d":"x"}')],
  ['bytes that are no text', prefixed(Buffer.from('{"p":"\xff","d":"x"}', 'latin1'))],
  ['symbols of no use', `${codeOf({ p, d })}!`],
  ['padding', `${codeOf({ p, d })}=`],
])('what has %s is no request code', (_, code) => {
  expect(parseRequestCode(code)).toBeUndefined();
});

test('a request code has 4,000 symbols at most, spaces apart', () => {
  const withPadding = (length: number) => codeOf({ p, d, x: 'x'.repeat(length) });
  const room = Math.floor(((4000 - codeOf({ p, d, x: '' }).length) * 3) / 4);
  const lengths = Array.from({ length: 8 }, (_, more) => room - 4 + more);
  for (const code of lengths.map(withPadding)) expect(parseRequestCode(code) !== undefined).toBe(code.length <= 4000);
  const longest = lengths.map(withPadding).findLast(({ length }) => length <= 4000) ?? '';
  expect(longest).toHaveLength(4000);
  expect(parseRequestCode(`${longest}  `)).toBeDefined();
});

const license = { id: 'lic_1' as LicenseId, productId: 'prd_1' as ProductId, features: [], activationLimit: 1 };
const issuer = 'https://a.example';
const now = new Date('2026-03-01T09:00:00.000Z');
const [leaseKeys, tickets] = [leaseKeysOf('2', '1'), Keyring.parse(keyringText('2', '1'))];
const verify = createProofVerifier({ leaseKeys, ticketKeys: tickets, issuer });
const proven = { licenseId: license.id, device: deviceClaim(license.id, 'laptop') };

const leaseOf = (fields: Partial<LeaseTerms> = {}, by = createLeaseIssuer({ keys: leaseKeys, issuer })) =>
  by({ kind: 'online', days: 14, license, deviceFingerprint: 'laptop', ...fields }, now);
const lease = leaseOf();
/** Of so many features, each as long as it may be; a product may have a hundred. */
const longLease = (features: number) => leaseOf({ license: { ...license, features: Array(features).fill('x'.repeat(64)) } });
const { ticket } = mintUpdateTicket(tickets, license, 'laptop', now);
const shownBy = (text: string | undefined) => ({ ticket: '-', lease: text });
const later = (days: number, milliseconds = 0) => new Date(now.getTime() + days * 24 * 3600_000 + milliseconds);

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token with another header or other claims, signed rightly. */
function forged(token: string, header: object, claims: object = {}): string {
  const [first = '', second = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  const signed = `${encoded({ ...JSON.parse(first), ...header })}.${encoded({ ...JSON.parse(second), ...claims })}`;
  const signature = token.startsWith(ticket.slice(0, 20))
    ? createHmac('sha256', tickets.current.secret).update(signed).digest()
    : sign('sha256', Buffer.from(signed), { key: leaseKeys.current.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

describe('a lease proves', () => {
  test.each([
    ['the device it was given to', shownBy(lease), proven],
    ['the same for a device without network', shownBy(leaseOf({ kind: 'offline' })), proven],
    ['the same with white space around', shownBy(` ${lease} `), proven],
    ['the same when an older key signed it', shownBy(leaseOf({}, createLeaseIssuer({ keys: leaseKeysOf('1'), issuer }))), proven],
    ['nothing when there is none', shownBy(undefined), 'proof_missing'],
    ['nothing when it is blank', shownBy('  '), 'proof_missing'],
    ['nothing of a key that is not ours', shownBy(leaseOf({}, createLeaseIssuer({ keys: leaseKeysOf('3'), issuer }))), 'proof_invalid'],
    ['nothing in another’s name', shownBy(leaseOf({}, createLeaseIssuer({ keys: leaseKeys, issuer: 'https://b.test' }))), 'proof_invalid'],
    ['nothing for another product', shownBy(leaseOf({ license: { ...license, productId: 'prd_2' as ProductId } })), 'proof_invalid'],
    ['nothing of a test key', shownBy(leaseOf({ test: true })), 'proof_invalid'],
    ['nothing when it is a ticket', shownBy(ticket), 'proof_invalid'],
    ['nothing under another algorithm', shownBy(forged(lease, { alg: 'none' })), 'proof_invalid'],
    ['nothing under another type', shownBy(forged(lease, { typ: 'JWT' })), 'proof_invalid'],
    ['nothing with more in its header', shownBy(forged(lease, { crit: [] })), 'proof_invalid'],
    ['nothing without its claims', shownBy(forged(lease, {}, { dev: 1 })), 'proof_invalid'],
    ['nothing when it was changed', shownBy(lease.replace(/\.(.)/, (_, letter) => `.${letter === 'e' ? 'f' : 'e'}`)), 'proof_invalid'],
    ['nothing when its signature is written otherwise', shownBy(`${lease}A`), 'proof_invalid'],
    ['the device when it is long', shownBy(longLease(100)), proven],
    ['nothing when it is too long', shownBy(longLease(120)), 'proof_invalid'],
    ['nothing when it is no token', shownBy('\u202ea.b.c'), 'proof_invalid'],
    ['nothing when its parts are no objects', shownBy(`${encoded(null)}.${encoded([])}.AA`), 'proof_invalid'],
  ])('%s', (_what, shown, expected) => {
    expect(verify(shown, license.productId, now)).toEqual(expected);
  });

  test('until its last second', () => {
    expect([-1, 0].map((milliseconds) => verify(shownBy(lease), license.productId, later(14, milliseconds)))).toEqual([
      proven,
      'proof_expired',
    ]);
  });
});

describe('a ticket proves', () => {
  test.each([
    ['the device it was given to, whatever the header', { ticket, lease: 'x' }, proven],
    ['nothing in lower case', { ticket: ticket.toLowerCase(), lease }, 'proof_invalid'],
    ['nothing under a lost key', { ...mintUpdateTicket(Keyring.parse(keyringText('3')), license, 'laptop', now), lease }, 'proof_invalid'],
    ['nothing when another key has its version', { ticket: forged(ticket, { kid: '1' }), lease }, 'proof_invalid'],
    ['nothing when it is a completion token', { ticket: forged(ticket, { typ: 'completion+jwt' }), lease }, 'proof_invalid'],
    ['nothing for another product', { ticket: forged(ticket, {}, { aud: 'prd_2' }), lease }, 'proof_invalid'],
    ['nothing when its signature is a shorter one', { ticket: `${ticket.slice(0, ticket.lastIndexOf('.'))}.c2ln`, lease }, 'proof_invalid'],
    ['nothing when it is cut', { ticket: ticket.slice(0, -1), lease }, 'proof_invalid'],
    ['nothing when it is a lease', { ticket: lease, lease }, 'proof_invalid'],
    ['nothing when it is empty', { ticket: '', lease }, 'proof_missing'],
    ['nothing with escapes', { ticket: `%2D${ticket}`, lease }, 'proof_invalid'],
  ])('%s', (_what, shown, expected) => {
    expect(verify(shown, license.productId, now)).toEqual(expected);
  });

  test('for 24 hours', () => {
    const { expiresAt } = mintUpdateTicket(tickets, license, 'laptop', now);
    expect(expiresAt).toEqual(later(1));
    const shown = { ticket, lease: undefined };
    expect([-1, 0].map((milliseconds) => verify(shown, license.productId, later(1, milliseconds)))).toEqual([proven, 'proof_expired']);
  });
});
