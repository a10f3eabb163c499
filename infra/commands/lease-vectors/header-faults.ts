import { createHmac } from 'node:crypto';
import { encode, forgeToken, joseLease, pemOf } from './forge.ts';
import { claims, claimsText, first, goodPayload, header, headerPlus, stranger, withHeader, withHeaderText } from './subject.ts';
import { of, type Vector } from './vector.ts';

const { alg: _alg, ...noAlg } = header;
const { typ: _typ, ...noTyp } = header;
const { kid: _kid, ...noKid } = header;
const { x, y } = first.publicJwk;
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
const hmac = (secret: Buffer | string) => {
  const text = `${encode(JSON.stringify({ ...header, alg: 'HS256' }))}.${goodPayload}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

/** What its header gives away: algorithm, type, members that are refused, and keys that are not pinned. */
export const headerFaults: readonly Vector[] = [
  of('alg-none', 'No signature, and says so.', 'alg', `${encode(JSON.stringify({ ...header, alg: 'none' }))}.${goodPayload}.`),
  of('alg-none-capital', 'The same as None.', 'alg', `${encode(JSON.stringify({ ...header, alg: 'None' }))}.${goodPayload}.`),
  of('alg-none-signed', 'Says none, and has a signature.', 'alg', withHeader({ alg: 'none' })),
  of('alg-missing', 'Without alg.', 'alg', withHeaderText(JSON.stringify(noAlg))),
  of('alg-null', 'alg is null.', 'alg', withHeader({ alg: null })),
  of('alg-array', 'alg is an array.', 'alg', withHeader({ alg: ['ES256'] })),
  of('alg-lower-case', 'es256 is not ES256.', 'alg', withHeader({ alg: 'es256' })),
  of(
    'alg-other-letter-case',
    'ALG is not alg.',
    'alg',
    withHeaderText(headerPlus('"ALG":"ES256"').replace('"alg":"ES256"', '"alg":"none"')),
  ),
  of('alg-es384', 'Another curve.', 'alg', withHeader({ alg: 'ES384' })),
  of('alg-rs256', 'RSA.', 'alg', withHeader({ alg: 'RS256' })),
  of('alg-eddsa', 'EdDSA.', 'alg', withHeader({ alg: 'EdDSA' })),
  of('hs256-public-pem', 'HMAC with the public key in PEM as the secret.', 'alg', hmac(pemOf(point))),
  of('hs256-public-point', 'HMAC with the point of the public key as the secret.', 'alg', hmac(point)),
  of('typ-jwt', 'An ordinary JWT.', 'typ', withHeader({ typ: 'JWT' })),
  of('typ-missing', 'Without typ.', 'typ', withHeaderText(JSON.stringify(noTyp))),
  of('typ-other-letter-case', 'typ is compared to the letter.', 'typ', withHeader({ typ: 'License-Lease+JWT' })),
  of('typ-media-type', 'With application/ before it.', 'typ', withHeader({ typ: 'application/license-lease+jwt' })),
  of(
    'header-jwk',
    'Brings its own key, and is signed by it.',
    'header',
    forgeToken(JSON.stringify({ ...header, jwk: stranger.publicJwk }), claimsText, stranger),
  ),
  of('header-jwk-pinned', 'Brings a key that is pinned.', 'header', withHeader({ jwk: first.publicJwk })),
  of('header-jwk-null', 'jwk is null.', 'header', withHeader({ jwk: null })),
  of('header-jku', 'Names an address of keys.', 'header', withHeader({ jku: 'https://other.example.com/jwks.json' })),
  of('header-x5u', 'Names an address of certificates.', 'header', withHeader({ x5u: 'https://other.example.com/key.pem' })),
  of('header-x5c', 'Brings certificates.', 'header', withHeader({ x5c: ['MIIB'] })),
  of('header-crit', 'Demands a rule.', 'header', withHeader({ crit: ['exp'] })),
  of('header-crit-empty', 'Demands no rule.', 'header', withHeader({ crit: [] })),
  of(
    'kid-unknown',
    'Names a key that is not pinned.',
    'kid',
    await joseLease(claims, { ...header, kid: stranger.publicJwk.kid }, stranger),
  ),
  of('kid-missing', 'Names no key.', 'kid', withHeaderText(JSON.stringify(noKid))),
  of('kid-empty', 'kid is empty.', 'kid', withHeader({ kid: '' })),
  of('kid-number', 'kid is a number.', 'kid', withHeader({ kid: 0 })),
  of('kid-array', 'kid is an array.', 'kid', withHeader({ kid: [first.publicJwk.kid] })),
  of('kid-prefix', 'kid is the beginning of one.', 'kid', withHeader({ kid: first.publicJwk.kid.slice(0, -1) })),
];
