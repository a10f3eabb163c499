import { sign } from 'node:crypto';
import { encode, joseLease, order, toBytes, withFlippedBit } from './forge.ts';
import {
  claims,
  claimsText,
  first,
  goodHeader,
  goodPayload,
  goodSignature,
  header,
  headerPlus,
  second,
  signature,
  stranger,
  unknownMember,
  withSignature,
} from './subject.ts';
import { of, type Vector } from './vector.ts';

const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
const zero = Buffer.alloc(32);
const flippedPayload = encode(claimsText.replace('export', 'expert'));
const [, unknownPayload = '', unknownSignature = ''] = unknownMember.split('.');

/** What a pinned key has not signed. */
export const forged: readonly Vector[] = [
  of(
    'key-not-pinned',
    'Signed by a key that is not pinned, under the name of one that is.',
    'signature',
    await joseLease(claims, header, stranger),
  ),
  of('key-of-other-kid', 'Signed by the second key under the name of the first.', 'signature', await joseLease(claims, header, second)),
  of(
    'flipped-in-header',
    'One letter of the header changed.',
    'signature',
    `${encode(headerPlus('"x":"b"'))}.${unknownPayload}.${unknownSignature}`,
  ),
  of('flipped-in-payload', 'One letter of the payload changed.', 'signature', `${goodHeader}.${flippedPayload}.${goodSignature}`),
  of('flipped-in-r', 'One bit of r changed.', 'signature', withSignature(withFlippedBit(signature, 5))),
  of('flipped-in-s', 'One bit of s changed.', 'signature', withSignature(withFlippedBit(signature, 60))),
  of('signature-empty', 'An empty signature.', 'signature', withSignature(Buffer.alloc(0))),
  of('signature-63-bytes', 'One byte short.', 'signature', withSignature(signature.subarray(0, 63))),
  of('signature-65-bytes', 'One byte more.', 'signature', withSignature(Buffer.concat([signature, Buffer.alloc(1)]))),
  of('signature-zero-before', 'A zero byte before it.', 'signature', withSignature(Buffer.concat([Buffer.alloc(1), signature]))),
  of('signature-twice', 'Twice the signature.', 'signature', withSignature(Buffer.concat([signature, signature]))),
  of(
    'signature-der',
    'In DER.',
    'signature',
    `${goodHeader}.${goodPayload}.${sign('sha256', Buffer.from(`${goodHeader}.${goodPayload}`), first.privateKey).toString('base64url')}`,
  ),
  of('signature-zeros', 'r and s are 0.', 'signature', withSignature(Buffer.concat([zero, zero]))),
  of('signature-r-zero', 'r is 0.', 'signature', withSignature(Buffer.concat([zero, s]))),
  of('signature-s-zero', 's is 0.', 'signature', withSignature(Buffer.concat([r, zero]))),
  of('signature-r-order', 'r is the order of the curve.', 'signature', withSignature(Buffer.concat([toBytes(order), s]))),
  of('signature-s-order', 's is the order of the curve.', 'signature', withSignature(Buffer.concat([r, toBytes(order)]))),
  of('signature-s-r', 'r and s swapped.', 'signature', withSignature(Buffer.concat([s, r]))),
  of('signature-of-other', 'The signature of another lease.', 'signature', `${goodHeader}.${goodPayload}.${unknownSignature}`),
  of('unsigned-claims', 'No signature, and wrong claims: the signature comes first.', 'signature', `${goodHeader}.${encode('{}')}.`),
];
