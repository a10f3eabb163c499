import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { accessDenied, invalidArgument, S3Error } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

interface Claim {
  accessKeyId: string;
  /** `date/region/s3/aws4_request` */
  scope: string;
  /** When it was signed, as `20260131T090000Z`. */
  signedAt: string;
  signedHeaders: string[];
  signature: string;
  /** `x-amz-content-sha256`, or UNSIGNED-PAYLOAD. */
  payload: string;
}

const algorithm = 'AWS4-HMAC-SHA256';
const maxSkewMs = 15 * 60_000;
const maxExpirySeconds = 7 * 24 * 3600;

/**
 * Verifies Signature Version 4, in the Authorization header or in the query.
 *
 * Returns what the signature covers of the payload: its SHA-256 in hex,
 * UNSIGNED-PAYLOAD, or a STREAMING-… form.
 *
 * @throws S3Error, with the code that S3 sends for each fault
 */
export function verifySignature(request: S3Request, credentials: Credentials, now: Date): string {
  const claim = claimOf(request, now);
  if (claim.accessKeyId !== credentials.accessKeyId) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.');
  }
  requireSignedHeaders(request, claim);
  const expected = signatureOf(request, claim, credentials.secretAccessKey);
  const given = Buffer.from(claim.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Error(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
  }
  return claim.payload;
}

function claimOf(request: S3Request, now: Date): Claim {
  const inHeader = request.headers.get('authorization');
  const inQuery = queryValue(request, 'X-Amz-Algorithm') !== undefined;
  if (inHeader !== undefined && inQuery) {
    throw invalidArgument('Only one auth mechanism allowed');
  }
  if (inHeader !== undefined) return headerClaim(request, inHeader, now);
  if (inQuery) return queryClaim(request, now);
  throw accessDenied();
}

function headerClaim(request: S3Request, authorization: string, now: Date): Claim {
  const form = /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;
  const [, accessKeyId, scope, signedHeaders, signature] = form.exec(authorization) ?? [];
  if (!accessKeyId || !scope || !signedHeaders || !signature) {
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The authorization header that you provided is not valid.');
  }
  const signedAt = request.headers.get('x-amz-date') ?? '';
  if (Math.abs(now.getTime() - timeOf(signedAt)) > maxSkewMs) {
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.');
  }
  const payload = request.headers.get('x-amz-content-sha256');
  if (payload === undefined) {
    throw new S3Error(400, 'InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  const claim = { accessKeyId, scope, signedAt, signedHeaders: signedHeaders.split(';'), signature, payload };
  checkScope(claim);
  return claim;
}

function queryClaim(request: S3Request, now: Date): Claim {
  const value = (name: string) => {
    const found = queryValue(request, name);
    if (found === undefined) {
      throw new S3Error(400, 'AuthorizationQueryParametersError', `Query-string authentication requires the ${name} parameter.`);
    }
    return found;
  };
  const [accessKeyId = '', ...scope] = value('X-Amz-Credential').split('/');
  const claim = {
    accessKeyId,
    scope: scope.join('/'),
    signedAt: value('X-Amz-Date'),
    signedHeaders: value('X-Amz-SignedHeaders').split(';'),
    signature: value('X-Amz-Signature'),
    payload: queryValue(request, 'X-Amz-Content-Sha256') ?? request.headers.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD',
  };
  const seconds = Number(value('X-Amz-Expires'));
  if (value('X-Amz-Algorithm') !== algorithm || !Number.isInteger(seconds) || seconds < 1 || seconds > maxExpirySeconds) {
    throw new S3Error(400, 'AuthorizationQueryParametersError', 'X-Amz-Algorithm or X-Amz-Expires is not valid.');
  }
  checkScope(claim);
  const signedAt = timeOf(claim.signedAt);
  if (now.getTime() < signedAt - maxSkewMs) throw accessDenied('Request is not yet valid');
  if (now.getTime() >= signedAt + seconds * 1000) throw accessDenied('Request has expired');
  return claim;
}

function checkScope(claim: Pick<Claim, 'scope' | 'signedAt'>): void {
  const [date, region, service, end] = claim.scope.split('/');
  if (date !== claim.signedAt.slice(0, 8) || !region || service !== 's3' || end !== 'aws4_request') {
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The credential scope is not that of an S3 request.');
  }
}

function timeOf(amzDate: string): number {
  const [, year, month, day, hours, minutes, seconds] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(time)) {
    throw accessDenied('AWS authentication requires a valid Date or x-amz-date header');
  }
  return time;
}

/** S3 refuses a request that carries an `x-amz-` header its signature does not cover. */
function requireSignedHeaders(request: S3Request, { signedHeaders }: Claim): void {
  const unsigned = [...request.headers.keys()].filter((name) => name.startsWith('x-amz-') && !signedHeaders.includes(name));
  if (unsigned.length > 0 || !signedHeaders.includes('host')) {
    throw accessDenied('There were headers present in the request which were not signed');
  }
}

function signatureOf(request: S3Request, claim: Claim, secret: string): Buffer {
  const headers = claim.signedHeaders.map((name) => `${name}:${(request.headers.get(name) ?? '').replace(/ +/g, ' ')}\n`);
  const canonical = [
    request.method,
    request.path.split('/').map(encode).join('/'),
    canonicalQuery(request),
    headers.join(''),
    claim.signedHeaders.join(';'),
    claim.payload,
  ].join('\n');
  const toSign = [algorithm, claim.signedAt, claim.scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = claim.scope.split('/').reduce((parent: string | Buffer, part) => hmac(parent, part), `AWS4${secret}`);
  return Buffer.from(hmac(key, toSign).toString('hex'));
}

function canonicalQuery(request: S3Request): string {
  return request.query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => ({ name: encode(name), value: encode(value) }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value))
    .map(({ name, value }) => `${name}=${value}`)
    .join('&');
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
