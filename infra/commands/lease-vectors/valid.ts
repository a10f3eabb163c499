import { joseLease, order, toBytes, toNumber } from './forge.ts';
import {
  claims,
  claimsPlus,
  good,
  header,
  leaseOfLength,
  now,
  second,
  signature,
  signed,
  unknownMember,
  withPayload,
  withSignature,
} from './subject.ts';
import { of, type Vector } from './vector.ts';

const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
const otherS = toBytes(order - toNumber(s));
const [lowS, highS] = toNumber(s) > order / 2n ? [otherS, s] : [s, otherS];

/** What holds. */
export const valid: readonly Vector[] = [
  of('good', 'As the service signs it.', 'valid', good),
  of('good-offline', 'Of kind offline, for a year.', 'valid', await signed({ kind: 'offline', exp: now + 366 * 86_400 })),
  of(
    'good-second-key',
    'Signed by the second pinned key.',
    'valid',
    await joseLease(claims, { ...header, kid: second.publicJwk.kid }, second),
  ),
  of('good-low-s', 'Both forms of an ECDSA signature hold: this one with the lower s.', 'valid', withSignature(Buffer.concat([r, lowS]))),
  of('good-high-s', 'The same with the higher s.', 'valid', withSignature(Buffer.concat([r, highS]))),
  of('good-no-features', 'No features.', 'valid', await signed({ features: [] })),
  of('good-late-end', 'Ends after the year 2106, beyond 32 bits.', 'valid', await signed({ exp: 4_300_000_000 })),
  of(
    'good-unknown-claims',
    'Claims that are not known are ignored, nested ones too.',
    'valid',
    await signed({ more: { a: [[[[{ b: null }]]]] } }),
  ),
  of(
    'good-other-letter-case',
    'Names are compared to the letter: this ISS is not iss.',
    'valid',
    withPayload(claimsPlus('"ISS":"https://other.example.com","DEV":"x","Exp":1')),
  ),
  of('good-white-space', 'White space in the JSON is harmless.', 'valid', withPayload(`\n${JSON.stringify(claims, undefined, 2)}\r\n\t `)),
  of('good-unknown-header', 'A header that is not known is ignored.', 'valid', unknownMember),
  of('good-longest', 'Exactly 65,536 characters.', 'valid', leaseOfLength(65_536)),
  of('nonce-as-expected', 'Has the nonce that the app sent.', 'valid', await signed({ nonce: 'Zm9vYmFy' }), 'Zm9vYmFy'),
  of('nonce-not-expected', 'Has a nonce, and the app sent none.', 'valid', await signed({ nonce: 'Zm9vYmFy' })),
  of('expires-in-a-second', 'One second before its end.', 'valid', await signed({ exp: now + 1 })),
  of('updates-until', 'Says until when updates come.', 'valid', await signed({ updates_until: now + 365 * 86_400 })),
  of(
    'updates-over',
    'Updates came until a year ago: the lease holds all the same.',
    'valid',
    await signed({ updates_until: now - 365 * 86_400 }),
  ),
  of('clock-300-behind', 'Signed 300 seconds ahead of the clock.', 'valid', await signed({ iat: now + 300 })),
];
