import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A request as its signature sees it. */
export interface SignedRequest {
  method: string;
  /** Percent-decoded. */
  path: string;
  /** Percent-decoded, in the order sent. */
  query: readonly (readonly [name: string, value: string])[];
  /** By lower-case name; repeated headers are joined by a comma. */
  headers: ReadonlyMap<string, string>;
}

/** What a signature of version 4 says of itself. */
export interface Claim {
  accessKeyId: string;
  /** `date/region/service/aws4_request` */
  scope: string;
  /** When it was signed, as `20260131T090000Z`. */
  signedAt: string;
  signedHeaders: string[];
  signature: string;
  /** What it covers of the payload: its SHA-256 in hex, or a word that S3 has instead. */
  payload: string;
}

const algorithm = 'AWS4-HMAC-SHA256';

/** How far the clock of who signs may be from ours. */
export const maxSkewMs = 15 * 60_000;

/** The claim in an Authorization header; undefined when it is malformed. */
export function readAuthorization(authorization: string): Pick<Claim, 'accessKeyId' | 'scope' | 'signedHeaders' | 'signature'> | undefined {
  const form = /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;
  const [, accessKeyId, scope, signedHeaders, signature] = form.exec(authorization) ?? [];
  if (!accessKeyId || !scope || !signedHeaders || !signature) return undefined;
  return { accessKeyId, scope, signedHeaders: signedHeaders.split(';'), signature };
}

/** Whether the scope is one of `service`, and of the day of the signature. */
export function isScopeOf(service: string, { scope, signedAt }: Pick<Claim, 'scope' | 'signedAt'>): boolean {
  const [date, region, named, end] = scope.split('/');
  return date === signedAt.slice(0, 8) && region !== undefined && region !== '' && named === service && end === 'aws4_request';
}

/** In milliseconds; NaN when it is no such time. */
export function timeOf(amzDate: string): number {
  const [, year, month, day, hours, minutes, seconds] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}

/** Whether the signature was made of this request with this key. */
export function isSignedWith(secretAccessKey: string, request: SignedRequest, claim: Claim): boolean {
  const headers = claim.signedHeaders.map((name) => `${name}:${(request.headers.get(name) ?? '').replace(/ +/g, ' ')}\n`);
  const canonical = [
    request.method,
    request.path.split('/').map(encode).join('/'),
    canonicalQuery(request),
    headers.join(''),
    claim.signedHeaders.join(';'),
    claim.payload,
  ].join('\n');
  const toSign = [algorithm, claim.signedAt, claim.scope, sha256Hex(canonical)].join('\n');
  const expected = Buffer.from(hmac(signingKey(secretAccessKey, claim.scope), toSign).toString('hex'));
  const given = Buffer.from(claim.signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export const sha256Hex = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** Whether two texts are the same, in a time that tells nothing. */
export const isSameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

const keptKeys = 1000;
const signingKeys = new Map<string, Buffer>();

/** One key signs for a day. */
function signingKey(secret: string, scope: string): Buffer {
  const name = `${secret} ${scope}`;
  const kept = signingKeys.get(name);
  if (kept) return kept;
  if (signingKeys.size >= keptKeys) signingKeys.clear();
  const key = scope.split('/').reduce<Buffer>((parent, part) => hmac(parent, part), Buffer.from(`AWS4${secret}`));
  signingKeys.set(name, key);
  return key;
}

function canonicalQuery(request: SignedRequest): string {
  return request.query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => ({ name: encode(name), value: encode(value) }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value))
    .map(({ name, value }) => `${name}=${value}`)
    .join('&');
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
