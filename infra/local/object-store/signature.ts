import type { Credentials } from '../access/credentials.ts';
import { type Claim, isSameText, isScopeOf, isSignedWith, maxSkewMs, readAuthorization, timeOf } from '../access/signature.ts';
import { accessDenied, invalidArgument, S3Error } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';

const maxExpirySeconds = 7 * 24 * 3600;

/** Who signed a request, and how. */
export interface Signer {
  credentials: Credentials;
  /** What the signature covers of the payload: its SHA-256 in hex, UNSIGNED-PAYLOAD, or a STREAMING-… form. */
  payload: string;
  /** Where the signature was, as policies call it. */
  authType: 'REST-HEADER' | 'REST-QUERY-STRING';
}

/**
 * Verifies Signature Version 4, in the Authorization header or in the query.
 *
 * @throws S3Error, with the code that S3 sends for each fault
 */
export function verifySignature(request: S3Request, withKey: (accessKeyId: string) => Credentials | undefined, now: Date): Signer {
  const authType = request.headers.has('authorization') ? 'REST-HEADER' : 'REST-QUERY-STRING';
  const claim = claimOf(request, now);
  const credentials = withKey(claim.accessKeyId);
  const token = request.headers.get('x-amz-security-token') ?? queryValue(request, 'X-Amz-Security-Token');
  if (!credentials || (credentials.sessionToken !== undefined && token === undefined)) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.');
  }
  if (token !== undefined && !isSameText(token, credentials.sessionToken ?? '')) {
    throw new S3Error(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.');
  }
  requireSignedHeaders(request, claim);
  if (!isSignedWith(credentials.secretAccessKey, request, claim)) {
    throw new S3Error(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
  }
  return { credentials, payload: claim.payload, authType };
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
  const read = readAuthorization(authorization);
  if (!read) {
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The authorization header that you provided is not valid.');
  }
  const signedAt = request.headers.get('x-amz-date') ?? '';
  if (Math.abs(now.getTime() - signedTime(signedAt)) > maxSkewMs) {
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.');
  }
  const payload = request.headers.get('x-amz-content-sha256');
  if (payload === undefined) {
    throw new S3Error(400, 'InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  const claim = { ...read, signedAt, payload };
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
  const isKnown = value('X-Amz-Algorithm') === 'AWS4-HMAC-SHA256';
  if (!isKnown || !Number.isInteger(seconds) || seconds < 1 || seconds > maxExpirySeconds) {
    throw new S3Error(400, 'AuthorizationQueryParametersError', 'X-Amz-Algorithm or X-Amz-Expires is not valid.');
  }
  checkScope(claim);
  const signedAt = signedTime(claim.signedAt);
  if (now.getTime() < signedAt - maxSkewMs) throw accessDenied('Request is not yet valid');
  if (now.getTime() >= signedAt + seconds * 1000) throw accessDenied('Request has expired');
  return claim;
}

function checkScope(claim: Pick<Claim, 'scope' | 'signedAt'>): void {
  if (!isScopeOf('s3', claim)) {
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The credential scope is not that of an S3 request.');
  }
}

function signedTime(amzDate: string): number {
  const time = timeOf(amzDate);
  if (Number.isNaN(time)) throw accessDenied('AWS authentication requires a valid Date or x-amz-date header');
  return time;
}

/** S3 refuses a request that carries an `x-amz-` header its signature does not cover. */
function requireSignedHeaders(request: S3Request, { signedHeaders }: Claim): void {
  const unsigned = [...request.headers.keys()].filter((name) => name.startsWith('x-amz-') && !signedHeaders.includes(name));
  if (unsigned.length > 0 || !signedHeaders.includes('host')) {
    throw accessDenied('There were headers present in the request which were not signed');
  }
}
