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
import { judged, type Vector } from './vector.ts';

const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
const zero = Buffer.alloc(32);
const flippedPayload = encode(claimsText.replace('export', 'expert'));
const [, unknownPayload = '', unknownSignature = ''] = unknownMember.split('.');

const forgery = judged('signature');

/** What a pinned key has not signed. */
export const forged: readonly Vector[] = [
  forgery(
    'key-not-pinned',
    'Signed by a key that is not pinned, under the name of one that is.',
    await joseLease(claims, header, stranger),
  ),
  forgery('key-of-other-kid', 'Signed by the second key under the name of the first.', await joseLease(claims, header, second)),
  forgery(
    'flipped-in-header',
    'One letter of the header changed.',
    `${encode(headerPlus('"x":"b"'))}.${unknownPayload}.${unknownSignature}`,
  ),
  forgery('flipped-in-payload', 'One letter of the payload changed.', `${goodHeader}.${flippedPayload}.${goodSignature}`),
  forgery('flipped-in-r', 'One bit of r changed.', withSignature(withFlippedBit(signature, 5))),
  forgery('flipped-in-s', 'One bit of s changed.', withSignature(withFlippedBit(signature, 60))),
  forgery('signature-empty', 'An empty signature.', withSignature(Buffer.alloc(0))),
  forgery('signature-63-bytes', 'One byte short.', withSignature(signature.subarray(0, 63))),
  forgery('signature-65-bytes', 'One byte more.', withSignature(Buffer.concat([signature, Buffer.alloc(1)]))),
  forgery('signature-zero-before', 'A zero byte before it.', withSignature(Buffer.concat([Buffer.alloc(1), signature]))),
  forgery('signature-twice', 'Twice the signature.', withSignature(Buffer.concat([signature, signature]))),
  forgery(
    'signature-der',
    'In DER.',
    `${goodHeader}.${goodPayload}.${sign('sha256', Buffer.from(`${goodHeader}.${goodPayload}`), first.privateKey).toString('base64url')}`,
  ),
  forgery('signature-zeros', 'r and s are 0.', withSignature(Buffer.concat([zero, zero]))),
  forgery('signature-r-zero', 'r is 0.', withSignature(Buffer.concat([zero, s]))),
  forgery('signature-s-zero', 's is 0.', withSignature(Buffer.concat([r, zero]))),
  forgery('signature-r-order', 'r is the order of the curve.', withSignature(Buffer.concat([toBytes(order), s]))),
  forgery('signature-s-order', 's is the order of the curve.', withSignature(Buffer.concat([r, toBytes(order)]))),
  forgery('signature-s-r', 'r and s swapped.', withSignature(Buffer.concat([s, r]))),
  forgery('signature-of-other', 'The signature of another lease.', `${goodHeader}.${goodPayload}.${unknownSignature}`),
  forgery('unsigned-claims', 'No signature, and wrong claims: the signature comes first.', `${goodHeader}.${encode('{}')}.`),
];
