import { expect, test } from '@jest/globals';
import { readSettings } from '../../shared/config.ts';
import { isAdmin } from '../../shared/http/callers/authenticate.ts';

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
