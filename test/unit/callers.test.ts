import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { readSettings } from '../../shared/config.ts';
import { isAdmin } from '../../shared/http/callers/authenticate.ts';
import { callerAddress, callerHash, isFromCdn, subscriberName, subscribersBehind } from '../../shared/http/callers/caller-address.ts';
import { httpEvent } from '../support/http/http-event.ts';

const secret = 'shared-with-the-cdn';
const addressOf = (headers: Record<string, string>, originSecret: string | undefined = secret) =>
  callerAddress(httpEvent([], 'GET', '/', { headers, sourceIp: '192.0.2.1' }), originSecret);

describe('the caller’s address', () => {
  test.each([
    ['198.51.100.7:46532', '198.51.100.7'],
    ['2001:db8:1:2::7:46532', '2001:db8:1:2::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['::ffff:198.51.100.7:46532', '::ffff:198.51.100.7'],
    ['::ffff:c633:6407:46532', '::ffff:c633:6407'],
    ['[::ffff:c633:6407]:46532', '::ffff:c633:6407'],
  ])('is the viewer’s behind the CDN: %s', (viewer, address) => {
    expect(addressOf({ 'X-Origin-Secret': secret, 'CloudFront-Viewer-Address': viewer })).toBe(address);
  });

  const viewer = { 'CloudFront-Viewer-Address': '198.51.100.7:1' };
  const known = { 'X-Origin-Secret': secret };
  const unknown = { ...known, 'CloudFront-Viewer-Address': 'localhost:1' };
  test.each<[string, Record<string, string>]>([
    ['without the origin’s secret', viewer],
    ['with another secret', { ...viewer, 'X-Origin-Secret': 'guess' }],
    ['with an empty secret', { ...viewer, 'X-Origin-Secret': '' }],
    ['with part of the secret', { ...viewer, 'X-Origin-Secret': secret.slice(0, -1) }],
    ['with the secret twice', { ...viewer, 'X-Origin-Secret': `${secret},${secret}` }],
    ['without the secret, whatever client it names', { 'True-Client-IP': '198.51.100.7' }],
    ['when the client’s address is none', { ...known, 'True-Client-IP': 'localhost' }],
    ['when the viewer’s address is none', unknown],
    ['when the viewer’s address is none, whatever client the viewer names', { ...unknown, 'True-Client-IP': '198.51.100.7' }],
    ['when the CDN names no viewer', known],
    ['when there are two', { ...known, 'CloudFront-Viewer-Address': '198.51.100.7:1,198.51.100.8:1' }],
    ['whatever else is sent', { 'X-Forwarded-For': '198.51.100.7', Forwarded: 'for=198.51.100.7', 'X-Real-IP': '198.51.100.7', Via: 'x' }],
  ])('is the gateway’s %s', (_, headers) => {
    expect(addressOf(headers)).toBe('192.0.2.1');
  });

  test.each(['198.51.100.7', '2001:db8:1:2::7'])('is the client’s where the CDN names that alone: %s', (client) => {
    expect(addressOf({ 'X-Origin-Secret': secret, 'True-Client-IP': client })).toBe(client);
  });

  test('is never the one that a viewer claims beside the CDN, and the gateway’s where no secret is set', () => {
    expect(addressOf({ ...known, ...viewer, 'True-Client-IP': '203.0.113.9' })).toBe('198.51.100.7');
    const event = httpEvent([], 'GET', '/', { headers: { ...viewer, 'X-Origin-Secret': '' }, sourceIp: '192.0.2.1' });
    expect(callerAddress(event, undefined)).toBe('192.0.2.1');
  });
});

describe('the CDN', () => {
  const [first, second, third] = ['first-secret-of-cdn', 'second-secret-of-cdn', 'third-secret-of-cdn'];
  const isKnown = (presented: string, originSecret: string) => isFromCdn({ headers: { 'x-origin-secret': presented } }, originSecret);

  test('is known in each step of a change of the secret, in which it sends the list that it was given', () => {
    for (const [sent, known] of [
      [first, first],
      [first, `${second}, ${first}`],
      [`${second},${first}`, `${second},${first}`],
      [`${second},${first}`, second],
      [second, second],
    ]) {
      expect(isKnown(sent!, known!)).toBe(true);
    }
    expect([isKnown(first, second), isKnown(third, `${first},${second}`)]).toEqual([false, false]);
    expect(isKnown(`${first},${third}`, second)).toBe(false);
  });

  test('is not known by a fragment of a random text that holds commas', () => {
    const random = 'a,b!x,q0987654321234567';
    expect(isKnown(random, random)).toBe(true);
    for (const fragment of ['a', 'b!x', 'q0987654321234567', '']) expect(isKnown(fragment, random)).toBe(false);
  });

  test('is not known where no secret is set, or none is sent', () => {
    expect(isFromCdn({ headers: { 'x-origin-secret': first } }, undefined)).toBe(false);
    expect(isFromCdn({ headers: {} }, first)).toBe(false);
  });
});

describe('a subscriber', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::ffff:C000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['0:0::ffff:c000:201', '192.0.2.1'],
    ['::ffff:0:0', '0.0.0.0'],
    ['::ffff:255.254.253.252', '255.254.253.252'],
    ['::ffff:192.0.2.1%eth0', '192.0.2.1'],
    ['::fffe:c000:201', '0:0:0:0'],
    ['::ffff:0:c000:201', '0:0:0:0'],
    ['1::ffff:c000:201', '1:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['no address', 'no address'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:db8:1:2::192.0.2.1', '2001:db8:1:2'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4'],
  ])('of %s is %s', (address, subscriber) => {
    expect(subscriberName(address)).toBe(subscriber);
  });

  test.each([
    ['192.0.2.1', ['192.0.2.1 1']],
    ['::ffff:c000:201', ['192.0.2.1 1']],
    ['a buyer', ['a buyer 1']],
    ['2001:db8:1:2::7', ['2001:db8:1:2 1', '2001:db8:1/48 16']],
    ['2001:db8::7', ['2001:db8:0:0 1', '2001:db8:0/48 16']],
  ])('of %s shares with those of the same width', (address, shares) => {
    expect(subscribersBehind(address).map(({ name, width }) => `${name} ${width}`)).toEqual(shares);
  });
});

describe('the name of a caller in the log', () => {
  test('is the same under one key, another under another, and cannot be made without', () => {
    const name = callerHash('192.0.2.1', 'a key');
    expect(callerHash('::ffff:192.0.2.1', 'a key')).toBe(name);
    expect(callerHash('192.0.2.1', 'another key')).not.toBe(name);
    for (const text of ['192.0.2.1', 'a key192.0.2.1', '192.0.2.1a key']) {
      expect(createHash('sha256').update(text).digest('base64url')).not.toContain(name);
    }
    expect(name).toMatch(/^[\w-]{22}$/);
  });
});

/** Entries with odd spaces and letter case, and some that are empty. */
const allowlist = ' Root.Admin@Example.com ,, sub:user|42 ,kim@example.com,';
const isOn = (list: string, userId: string, email: string | undefined) =>
  isAdmin({ userId, email }, readSettings(['ADMIN_ALLOWLIST'], { ADMIN_ALLOWLIST: list }).ADMIN_ALLOWLIST);

test.each([
  ['anyone', 'root.admin@example.com'],
  ['anyone', 'ROOT.ADMIN@EXAMPLE.COM'],
  ['user|42', undefined],
  ['user|42', 'someone@example.com'],
])('an admin is who is on the list, by address or by user id: %s, %s', (user, email) => {
  expect(isOn(allowlist, user, email)).toBe(true);
});

test.each([
  ...['admin@example.com', 'xroot.admin@example.com', 'root.admin@example.com.evil.example', 'root.admin@example.co', 'root.admin'],
  ...['\u212aim@example.com', '@example.com', 'rootxadmin@example.com', ' ', '', 'sub:user|42', 'user|42', allowlist.trim()],
])('an admin is not whose address only resembles an entry: %j', (email) => {
  expect(isOn(allowlist, 'anyone', email)).toBe(false);
});

test.each(['root.admin@example.com', 'user|421', 'user|4', 'user', 'xuser|42', 'USER|42', 'sub:user|42', 'sub:', ''])(
  'an admin is not whose user id only resembles an entry: %j',
  (user) => {
    expect(isOn(allowlist, user, undefined)).toBe(false);
  },
);

test('an admin is nobody where the list is empty', () => {
  for (const list of ['', ',', ' , ']) {
    for (const email of ['root.admin@example.com', '', ' ', 'undefined']) expect(isOn(list, 'anyone', email)).toBe(false);
  }
});
