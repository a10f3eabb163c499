import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LogMessage } from '../../shared/logging/log-messages.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { generateLicenseKey } from '../../shared/text/license-key.ts';
import { tries } from '../support/depth.ts';
import { processorMs } from '../support/processor-time.ts';

const key = generateLicenseKey('LIC1', randomBytes);
const long = generateLicenseKey('A23456789012', randomBytes);

/** What must never leave, in the spellings in which it is met. */
const secrets: Record<string, string> = {
  'a license key': key,
  'a license key with a long prefix': long,
  'a license key in lower case': key.toLowerCase(),
  'a license key with spaces': key.replaceAll('-', ' '),
  'a license key with dashes of print': key.replaceAll('-', '–'),
  'a license key without dashes': key.replaceAll('-', ''),
  'a long license key without dashes': long.replaceAll('-', ''),
  'a completion token': 'eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJvcmRfMSJ9.c2lnbmF0dXJl-_',
  'a token of long parts': `eyJhbGciOiJFUzI1NiJ9.eyJ${'c'.repeat(60)}.${'d'.repeat(86)}`,
  'an API token': `lst_01KG9TAD3X6ZH25F01K4N8Q9ST_${'aB-_9'.repeat(8)}xyz`,
  'a bearer header': 'Bearer abc.def-ghi_jkl',
  'an e-mail address': 'taro.yamada+shop@mail.example.co.jp',
  'an e-mail address of another script': '太郎@例え.jp',
  'a presigned URL': 'https://bucket.s3.amazonaws.com/files/a.zip?X-Amz-Signature=0123456789abcdef&X-Amz-Expires=300',
  'a completion link': 'http://127.0.0.1:3000/complete#token=x',
  'a provider key': 'sk_test_51AbCdEfGhIjKl',
  'a restricted provider key': 'rk_live_51AbCdEfGhIjKl',
  'a webhook secret': 'whsec_local_platform',
};

function logged(fields: Record<string, unknown>, message = 'something_happened'): string {
  const lines: string[] = [];
  createLogger({ function: 'test' }, (line) => lines.push(line)).error(message as LogMessage, fields);
  expect(lines).toHaveLength(1);
  expect(() => JSON.parse(lines[0] ?? '')).not.toThrow();
  return lines[0] ?? '';
}

/** Whether the text, or the longest word of it, is there. */
const shows = (line: string, secret: string) =>
  line.includes(secret) || line.includes(secret.split(/[\s–-]/).sort((a, b) => b.length - a.length)[0] ?? secret);

describe('the logger', () => {
  test.each([0, 1, 5, 12, 20, 28])('shows no part of a secret %i letters of which are within what is kept of a long text', (within) => {
    const line = logged({ detail: `${'x'.repeat(3999 - within)} ${key} y` });
    expect(line).toContain('[…]');
    for (let at = 0; at + 6 <= key.length; at += 1) expect(line).not.toContain(key.slice(at, at + 6));
  });

  describe.each(Object.entries(secrets))('never shows %s', (_, secret) => {
    test.each<[string, (text: string) => Record<string, unknown>]>([
      ['in any field', (text) => ({ detail: text })],
      ['amid a sentence', (text) => ({ detail: `It was "${text}", they said (${text}).` })],
      ['deep inside', (text) => ({ a: [{ b: { c: [text] } }] })],
      ['as the name of a field', (text) => ({ [text]: 1 })],
      ['in an error', (text) => ({ error: new Error(`Failed for ${text}\nand ${text}`, { cause: new TypeError(text) }) })],
      [
        'in the other fields of an error',
        (text) => ({ error: Object.assign(new Error('x'), { Item: { secret: text }, $response: text, code: text }) }),
      ],
      ['in the middle of a long text', (text) => ({ detail: `${'word '.repeat(790)}${text}${' word'.repeat(900)}` })],
      ['across the end of what is kept of a long text', (text) => ({ detail: `${'x'.repeat(3990)} ${text} y` })],
    ])('%s', (_, place) => {
      expect(shows(logged(place(secret)), secret)).toBe(false);
      expect(shows(logged({}, Object.values(place(secret)).join(' ')), secret)).toBe(false);
    });
  });

  test.each([
    ['keys', 'license_key licenseKey sealedKey LICENSE_PEPPERS TOKEN_KEYS ENCRYPTION_KEYS sealedCipher idempotency_key'],
    ['tokens and secrets', 'token completion_token Authorization cookie secret password payment_signature'],
    ['people and devices', 'buyer_email contactEmail device_fingerprint deviceFingerprint device_label deviceLabel'],
    ['what opens a file', 'upload_url downloadUrl url required_headers body'],
  ])('masks whatever is in the fields of %s', (_, names) => {
    for (const name of names.split(' ')) {
      const line = logged({ [name]: 'plain-looking value', nested: { [name]: { deep: 'plain-looking value' } } });
      expect([name, line]).toEqual([name, expect.not.stringContaining('plain-looking')]);
    }
  });

  test('shows what operators need', () => {
    const error = Object.assign(new Error('The table does not answer.'), { name: 'TimeoutError', code: 'ECONNRESET' });
    const line = JSON.parse(
      logged({
        requestId: 'JKJaXmPLvHcESHA=',
        productId: 'prd_01ARZ3NDEKTSV4RRFFQ69G5FAV',
        error,
        count: 3n,
        at: new Date(0),
        bytes: Buffer.from('x'),
      }),
    );
    expect(line).toMatchObject({
      level: 'error',
      message: 'something_happened',
      function: 'test',
      requestId: 'JKJaXmPLvHcESHA=',
      productId: 'prd_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      count: '3',
      at: '1970-01-01T00:00:00.000Z',
      bytes: '[1 bytes]',
      error: { name: 'TimeoutError', message: 'The table does not answer.', code: 'ECONNRESET' },
    });
    expect(line.error.stack[0]).toContain('logger.test.ts');
    expect(logged({ name: 'TransactionInProgressException', path: '/node_modules/@aws-sdk/client.js' })).not.toContain('redacted');
  });

  test('survives whatever it is given, in little time', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    logged({ circular, date: new Date(Number.NaN), nothing: undefined, none: null, symbol: Symbol('x'), call: () => 1 });
    for (const letter of ['a', 'A1', '@', 'a@', '-', 'eyJ', 'https://', 'LIC1-']) {
      const text = letter.repeat(100_000);
      expect(processorMs(() => logged({ text, error: new Error(text) }))).toBeLessThan(500);
    }
  });

  test('shows no secret in any structure', () => {
    const secret = fc.constantFrom(...Object.values(secrets));
    const text = fc.tuple(fc.string(), secret, fc.string()).map(([before, hidden, after]) => `${before} ${hidden} ${after}`);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        text,
        secret,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.string({ maxLength: 8 }), tie('tree'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const line = logged({ value });
        expect(Object.values(secrets).filter((hidden) => line.includes(hidden))).toEqual([]);
      }),
      { numRuns: tries(500) },
    );
  });
});
