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
import { judged, type Vector } from './vector.ts';

const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
const otherS = toBytes(order - toNumber(s));
const [lowS, highS] = toNumber(s) > order / 2n ? [otherS, s] : [s, otherS];

const holds = judged('valid');

/** What holds. */
export const valid: readonly Vector[] = [
  holds('good', 'As the service signs it.', good),
  holds('good-offline', 'Of kind offline, for a year.', await signed({ kind: 'offline', exp: now + 366 * 86_400 })),
  holds('good-second-key', 'Signed by the second pinned key.', await joseLease(claims, { ...header, kid: second.publicJwk.kid }, second)),
  holds('good-low-s', 'Both forms of an ECDSA signature hold: this one with the lower s.', withSignature(Buffer.concat([r, lowS]))),
  holds('good-high-s', 'The same with the higher s.', withSignature(Buffer.concat([r, highS]))),
  holds('good-no-features', 'No features.', await signed({ features: [] })),
  holds('good-late-end', 'Ends after the year 2106, beyond 32 bits.', await signed({ exp: 4_300_000_000 })),
  holds(
    'good-unknown-claims',
    'Claims that are not known are ignored, nested ones too.',
    await signed({ more: { a: [[[[{ b: null }]]]] } }),
  ),
  holds(
    'good-other-letter-case',
    'Names are compared to the letter: this ISS is not iss.',
    withPayload(claimsPlus('"ISS":"https://other.example.com","DEV":"x","Exp":1')),
  ),
  holds('good-white-space', 'White space in the JSON is harmless.', withPayload(`\n${JSON.stringify(claims, undefined, 2)}\r\n\t `)),
  holds('good-unknown-header', 'A header that is not known is ignored.', unknownMember),
  holds('good-longest', 'Exactly 65,536 characters.', leaseOfLength(65_536)),
  holds('nonce-as-expected', 'Has the nonce that the app sent.', await signed({ nonce: 'Zm9vYmFy' }), 'Zm9vYmFy'),
  holds('nonce-not-expected', 'Has a nonce, and the app sent none.', await signed({ nonce: 'Zm9vYmFy' })),
  holds('expires-in-a-second', 'One second before its end.', await signed({ exp: now + 1 })),
  holds('updates-until', 'Says until when updates come.', await signed({ updates_until: now + 365 * 86_400 })),
  holds(
    'updates-over',
    'Updates came until a year ago: the lease holds all the same.',
    await signed({ updates_until: now - 365 * 86_400 }),
  ),
  holds('clock-300-behind', 'Signed 300 seconds ahead of the clock.', await signed({ iat: now + 300 })),
];
