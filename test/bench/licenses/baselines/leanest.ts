import { createHash, createHmac, createSecretKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createSignedDynamo } from '../../../../shared/db/dynamo/signed-dynamo.ts';
import { deviceKey, licenseKey } from '../../../../shared/db/keys.ts';
import { parseLeaseKeys } from '../../../../shared/leases/lease-keys.ts';
import { keyAlphabet } from '../../../../shared/text/license-key.ts';

/**
 * The least that can answer a validate: no checks, no logs, no routes. It parses the body, makes the same one request
 * with the same client, signs the same lease, and stringifies the answer.
 */
const table = process.env['TABLE_NAME'] ?? '';
const peppers = (process.env['LICENSE_PEPPERS'] ?? '').split(',').map((entry): [string, KeyObject] => {
  const [version = '', secret = ''] = entry.split(':');
  return [version, createSecretKey(Buffer.from(secret, 'base64'))];
});
const signing = parseLeaseKeys(process.env['LEASE_KEYS'] ?? '')?.current;
const dynamo = createSignedDynamo();
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encoded({ alg: 'ES256', typ: 'license-lease+jwt', kid: signing?.publicKey.kid });

export async function handler({ body = '' }: { body?: string }) {
  const { product_id: product, license_key: written, device_fingerprint: fingerprint } = JSON.parse(body);
  const key = written.replaceAll('-', '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const lookups = peppers.map(([version, secret]) => {
    const digest = createHmac('sha256', secret).update(`license\0${product}\0${key}`).digest('base64url');
    return `${version}.${digest}`;
  });
  const hash = fingerprint && createHmac('sha256', key).update(fingerprint).digest().subarray(0, 26);
  const device = hash && [hash[0] % 8, ...hash.subarray(1)].map((value) => keyAlphabet[value % 32]).join('');
  const Keys = [...lookups.map(licenseKey), ...(device ? lookups.map((lookup) => deviceKey(lookup, device)) : [])];
  const { itemsOf } = await dynamo.batchGet({ RequestItems: { [table]: { Keys, ConsistentRead: true } } });
  const license: any = itemsOf[table]?.find(({ sk }) => sk === 'LICENSE');
  const seat = itemsOf[table]?.find(({ sk }) => sk !== 'LICENSE');
  const isLeased = seat && license.offlineDays > 0;
  const answer = {
    valid: license !== undefined,
    code: license ? 'valid' : 'license_not_found',
    checked_at: new Date().toISOString(),
    license_id: license.id,
    status: 'active',
    activation_limit: license.activationLimit,
    activation_count: license.activationCount,
    features: license.features,
    issued_at: license.issuedAt,
    ...(device && { device_activated: seat !== undefined }),
    ...(isLeased && { lease: leaseOf(license, fingerprint) }),
  };
  return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) };
}

function leaseOf(license: any, fingerprint: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    iss: process.env['PUBLIC_BASE_URL'],
    aud: license.productId,
    sub: license.id,
    dev: createHash('sha256').update(`${license.id}\0${fingerprint}`).digest('base64url'),
    iat,
    exp: iat + license.offlineDays * 86_400,
    features: license.features,
    activation_limit: license.activationLimit,
    kind: 'online',
    jti: randomUUID(),
  };
  const signed = `${header}.${encoded(claims)}`;
  if (!signing) throw new Error('No key signs leases.');
  const signature = sign('sha256', Buffer.from(signed), { key: signing.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
