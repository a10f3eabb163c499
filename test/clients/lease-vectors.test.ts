import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { leaseVectors } from '../../infra/commands/lease-vectors/vectors.ts';
import { verifyLease } from '../../infra/documents/clients/license-client.ts';
import { tries } from '../support/depth.ts';

interface Vector {
  name: string;
  lease: string;
  nonce?: string;
  allow_test_keys?: boolean;
  verdict: string;
}

const path = join(import.meta.dirname, '../../infra/documents/clients/lease-vectors.json');
const file = JSON.parse(readFileSync(path, 'utf8'));
const vectors: Vector[] = file.vectors;
const expected = { keys: file.keys, issuer: file.issuer, productId: file.product_id, fingerprint: file.device_fingerprint, now: file.now };
const verdictOf = async (lease: string, nonce?: string, allowTestKeys?: boolean) =>
  (await verifyLease(lease, { ...expected, nonce, allowTestKeys })).verdict;
const good = vectors.find(({ name }) => name === 'good')!.lease;

describe('the vectors', () => {
  test('have names of their own, every verdict, and no private key', () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
    const verdicts = 'valid malformed alg typ header kid signature issuer product device nonce test expired clock';
    expect([...new Set(vectors.map(({ verdict }) => verdict))]).toEqual(verdicts.split(' '));
    for (const key of file.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  test('are those that the command makes: run `npm run vectors` after a change there', () => {
    const made = JSON.parse(JSON.stringify(leaseVectors));
    const withoutSignatures = (vector: Vector) => ({ ...vector, lease: vector.lease.length });
    const isSteady = ({ name }: Vector) => name !== 'signature-der';
    expect({ ...file, vectors: [] }).toEqual({ ...made, vectors: [] });
    expect(vectors.filter(isSteady).map(withoutSignatures)).toEqual(made.vectors.filter(isSteady).map(withoutSignatures));
  });

  test.each(vectors)('$name: $verdict', async ({ lease, nonce, allow_test_keys, verdict }) => {
    expect(await verdictOf(lease, nonce, allow_test_keys)).toBe(verdict);
  });

  // jose takes a typ in any letter case and as a media type, and an aud that is one of several.
  const laxer = ['typ-other-letter-case', 'typ-media-type', 'aud-array', 'aud-array-of-two'];
  const judged = ['valid', 'alg', 'kid', 'signature', 'typ', 'issuer', 'product', 'expired'];
  test.each(vectors.filter(({ name, verdict }) => judged.includes(verdict) && !laxer.includes(name)))(
    '$name is judged by jose as by us',
    async ({ lease, verdict }) => {
      const verified = jwtVerify(lease, createLocalJWKSet({ keys: file.keys }), {
        algorithms: ['ES256'],
        typ: 'license-lease+jwt',
        issuer: file.issuer,
        audience: file.product_id,
        currentDate: new Date(file.now * 1000),
      });
      const accepted = await verified.then(
        () => true,
        () => false,
      );
      expect(accepted).toBe(verdict === 'valid');
    },
  );
});

describe('verifyLease', () => {
  test('refuses a good lease in which any one character is another', async () => {
    const change = fc.tuple(
      fc.nat(good.length - 1),
      fc.oneof(fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }), fc.constantFrom(...good)),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([at, character]) => {
        const changed = good.slice(0, at) + character + good.slice(at + 1);
        expect((await verdictOf(changed)) === 'valid').toBe(changed === good);
      }),
      { numRuns: tries(500) },
    );
  });

  test('refuses a good lease from which something is cut, or into which something is put', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length), fc.nat(3), fc.string({ maxLength: 3 }), async (at, cut, put) => {
        const changed = good.slice(0, at) + put + good.slice(at + cut);
        expect((await verdictOf(changed)) === 'valid').toBe(changed === good);
      }),
      { numRuns: tries(300) },
    );
  });

  test('calls text that is no lease malformed', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(fc.base64String(), { maxLength: 4 }).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (lease) => expect(await verdictOf(lease)).toBe('malformed')),
      { numRuns: tries(300) },
    );
  });

  test('judges whatever objects are in the parts without failing, and never takes them for valid', async () => {
    const part = fc
      .oneof(
        fc.json(),
        fc.object().map((value) => JSON.stringify(value)),
      )
      .map((text) => Buffer.from(text).toString('base64url'));
    await fc.assert(
      fc.asyncProperty(part, part, async (header, payload) => {
        expect(await verdictOf(`${header}.${payload}.${good.split('.')[2]}`)).not.toBe('valid');
      }),
      { numRuns: tries(300) },
    );
  });

  test('finds no name twice where a text only looks like one', async () => {
    const header = (more: string) => Buffer.from(`{"alg":"none","a":${more}}`).toString('base64url');
    const verdict = async (more: string) => verdictOf(`${header(more)}.${Buffer.from('{}').toString('base64url')}.`);
    for (const once of ['"\\"alg\\":"', '["alg","alg"]', '{"alg":{"alg":1}}', '"alg" ', '{"":{"":1}}'])
      expect(await verdict(once)).toBe('alg');
    for (const twice of ['1,"alg" :1', '1,"\\u0061":2', '{"b":1,"b":1}', '[{"b":1,"\\u0062"\n:1}]', '1,"__proto__":1,"__proto__":2']) {
      expect(await verdict(twice)).toBe('malformed');
    }
  });
});
