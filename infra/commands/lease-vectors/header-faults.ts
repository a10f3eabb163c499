import { createHmac } from 'node:crypto';
import { encode, forgeToken, joseLease, pemOf } from './forge.ts';
import { claims, claimsText, first, goodPayload, header, headerPlus, stranger, withHeader, withHeaderText } from './subject.ts';
import { judged, type Vector } from './vector.ts';

const { x, y } = first.publicJwk;
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
const hmac = (secret: Buffer | string) => {
  const text = `${encode(JSON.stringify({ ...header, alg: 'HS256' }))}.${goodPayload}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

const alg = judged('alg');
const typ = judged('typ');
const member = judged('header');
const kid = judged('kid');

/** What its header gives away: algorithm, type, members that are refused, and keys that are not pinned. */
export const headerFaults: readonly Vector[] = [
  alg('alg-none', 'No signature, and says so.', `${encode(JSON.stringify({ ...header, alg: 'none' }))}.${goodPayload}.`),
  alg('alg-none-capital', 'The same as None.', `${encode(JSON.stringify({ ...header, alg: 'None' }))}.${goodPayload}.`),
  alg('alg-none-signed', 'Says none, and has a signature.', withHeader({ alg: 'none' })),
  alg('alg-missing', 'Without alg.', withHeader({ alg: undefined })),
  alg('alg-null', 'alg is null.', withHeader({ alg: null })),
  alg('alg-array', 'alg is an array.', withHeader({ alg: ['ES256'] })),
  alg('alg-lower-case', 'es256 is not ES256.', withHeader({ alg: 'es256' })),
  alg('alg-other-letter-case', 'ALG is not alg.', withHeaderText(headerPlus('"ALG":"ES256"').replace('"alg":"ES256"', '"alg":"none"'))),
  alg('alg-es384', 'Another curve.', withHeader({ alg: 'ES384' })),
  alg('alg-rs256', 'RSA.', withHeader({ alg: 'RS256' })),
  alg('alg-eddsa', 'EdDSA.', withHeader({ alg: 'EdDSA' })),
  alg('hs256-public-pem', 'HMAC with the public key in PEM as the secret.', hmac(pemOf(point))),
  alg('hs256-public-point', 'HMAC with the point of the public key as the secret.', hmac(point)),
  typ('typ-jwt', 'An ordinary JWT.', withHeader({ typ: 'JWT' })),
  typ('typ-missing', 'Without typ.', withHeader({ typ: undefined })),
  typ('typ-other-letter-case', 'typ is compared to the letter.', withHeader({ typ: 'License-Lease+JWT' })),
  typ('typ-media-type', 'With application/ before it.', withHeader({ typ: 'application/license-lease+jwt' })),
  member(
    'header-jwk',
    'Brings its own key, and is signed by it.',
    forgeToken(JSON.stringify({ ...header, jwk: stranger.publicJwk }), claimsText, stranger),
  ),
  member('header-jwk-pinned', 'Brings a key that is pinned.', withHeader({ jwk: first.publicJwk })),
  member('header-jwk-null', 'jwk is null.', withHeader({ jwk: null })),
  member('header-jku', 'Names an address of keys.', withHeader({ jku: 'https://other.example.com/jwks.json' })),
  member('header-x5u', 'Names an address of certificates.', withHeader({ x5u: 'https://other.example.com/key.pem' })),
  member('header-x5c', 'Brings certificates.', withHeader({ x5c: ['MIIB'] })),
  member('header-crit', 'Demands a rule.', withHeader({ crit: ['exp'] })),
  member('header-crit-empty', 'Demands no rule.', withHeader({ crit: [] })),
  kid('kid-unknown', 'Names a key that is not pinned.', await joseLease(claims, { ...header, kid: stranger.publicJwk.kid }, stranger)),
  kid('kid-missing', 'Names no key.', withHeader({ kid: undefined })),
  kid('kid-empty', 'kid is empty.', withHeader({ kid: '' })),
  kid('kid-number', 'kid is a number.', withHeader({ kid: 0 })),
  kid('kid-array', 'kid is an array.', withHeader({ kid: [first.publicJwk.kid] })),
  kid('kid-prefix', 'kid is the beginning of one.', withHeader({ kid: first.publicJwk.kid.slice(0, -1) })),
];
