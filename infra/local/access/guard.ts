import type { IncomingMessage } from 'node:http';
import { isOwnHost } from '../engines/engine.ts';
import { type Access, AccessDeniedError } from './access.ts';
import type { Call } from './call.ts';
import type { Identities, Identity } from './credentials.ts';
import { type Claim, isSameText, isScopeOf, isSignedWith, maxSkewMs, readAuthorization, sha256Hex, timeOf } from './signature.ts';

/** A refusal before the service itself has looked at the request; `code` is what clients branch on. */
export class GuardError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const invalidToken = () => new GuardError('UnrecognizedClientException', 'The security token included in the request is invalid.');

/** Guards a service: unsigned requests and calls that the policies do not allow are refused. */
export type Guard = ReturnType<typeof createGuard>;

export function createGuard(access: Access, identities: Identities, now: () => Date = () => new Date()) {
  return {
    /**
     * @param service as it is called in the scope of a signature
     * @param callsOf what the request, which is not malformed in its signature, wants to do
     * @throws GuardError with the code that services send, AccessDeniedException too
     */
    authorize(service: string, request: IncomingMessage, body: Buffer, callsOf: () => readonly Call[]): Identity {
      const identity = verify(service, request, body, identities, now());
      try {
        for (const call of callsOf()) access.authorize(identity.principal, call);
      } catch (error) {
        throw error instanceof AccessDeniedError ? new GuardError('AccessDeniedException', error.message) : error;
      }
      return identity;
    },
  };
}

function verify(service: string, request: IncomingMessage, body: Buffer, identities: Identities, now: Date): Identity {
  const { headers, method = '', url = '' } = request;
  if (!isOwnHost(headers.host)) throw new GuardError('AccessDeniedException', 'This is no name of this machine.');
  if (headers.authorization === undefined) {
    throw new GuardError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  }
  const claim = claimOf(request, body);
  if (!claim || !isScopeOf(service, claim)) {
    throw new GuardError('IncompleteSignatureException', 'The Authorization header is not that of a request to this service.');
  }
  const identity = identities.withKey(claim.accessKeyId);
  if (!identity || !isSameText(String(headers['x-amz-security-token'] ?? ''), identity.sessionToken)) throw invalidToken();
  if (!(Math.abs(now.getTime() - timeOf(claim.signedAt)) <= maxSkewMs)) {
    throw new GuardError('InvalidSignatureException', 'Signature expired, or not yet current.');
  }
  const [path = '', query = ''] = url.split('?');
  const signed = { method, path: decodeURIComponent(path), query: [...new URLSearchParams(query)], headers: headerMap(request) };
  if (!claim.signedHeaders.includes('host') || !isSignedWith(identity.secretAccessKey, signed, claim)) {
    throw new GuardError(
      'InvalidSignatureException',
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.',
    );
  }
  return identity;
}

function claimOf({ headers }: IncomingMessage, body: Buffer): Claim | undefined {
  const read = readAuthorization(headers.authorization ?? '');
  return read && { ...read, signedAt: String(headers['x-amz-date'] ?? ''), payload: sha256Hex(body) };
}

const headerMap = ({ headers }: IncomingMessage) => new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
