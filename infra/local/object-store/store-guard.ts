import { type Access, AccessDeniedError } from '../access/access.ts';
import type { Call } from '../access/call.ts';
import type { Credentials, Identities } from '../access/credentials.ts';
import { accessDenied } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';
import type { Signer } from './signature.ts';

/** Whose signatures the store takes, and what each may do. */
export interface StoreGuard {
  withKey(accessKeyId: string): Credentials | undefined;
  /** @throws AccessDeniedError */
  authorize(accessKeyId: string, call: Call): void;
}

/** Each function may do what the policies of the templates allow it. */
export const guardFunctions = (access: Access, identities: Identities): StoreGuard => ({
  withKey: identities.withKey,
  authorize(accessKeyId, call) {
    const identity = identities.withKey(accessKeyId);
    if (!identity) throw accessDenied();
    access.authorize(identity.principal, call);
  },
});

/** One pair of keys, with which everything may be done. */
export const guardWithKey = (credentials: Credentials): StoreGuard => ({
  withKey: (accessKeyId) => (accessKeyId === credentials.accessKeyId ? credentials : undefined),
  authorize: () => undefined,
});

/** @throws S3Error AccessDenied when the policies do not allow the action that the request is */
export function requireAllowed(guard: StoreGuard, request: S3Request, signer: Signer, action: string): void {
  try {
    guard.authorize(signer.credentials.accessKeyId, callOf(request, signer, action));
  } catch (error) {
    throw error instanceof AccessDeniedError ? accessDenied(error.message) : error;
  }
}

/** Whether who asks may be told that there is no such object: without the right to list, S3 denies instead. */
export function mayRevealMissing(guard: StoreGuard, request: S3Request, signer: Signer): boolean {
  try {
    guard.authorize(signer.credentials.accessKeyId, { ...callOf(request, signer, 'ListBucket'), resource: bucketArn(request) });
    return true;
  } catch (error) {
    if (error instanceof AccessDeniedError) return false;
    throw error;
  }
}

const bucketArn = ({ bucket }: S3Request) => `arn:aws:s3:::${bucket}`;

function callOf(request: S3Request, { authType }: Signer, action: string): Call {
  const { key, headers } = request;
  const versionId = queryValue(request, 'versionId');
  const prefix = queryValue(request, 'prefix');
  const ifNoneMatch = headers.get('if-none-match');
  const ofVersion = versionId !== undefined && /^(Get|Delete)Object$/.test(action) ? 'Version' : '';
  return {
    action: `s3:${action}${ofVersion}`,
    resource: key === '' ? bucketArn(request) : `${bucketArn(request)}/${key}`,
    context: {
      's3:authType': authType,
      ...(versionId !== undefined && { 's3:VersionId': versionId }),
      ...(prefix !== undefined && key === '' && { 's3:prefix': prefix }),
      ...(ifNoneMatch !== undefined && { 's3:if-none-match': ifNoneMatch }),
      ...(action === 'PutObject' && { 's3:ObjectCreationOperation': String(createsObject(request)) }),
    },
  };
}

/** Of what `s3:PutObject` allows, beginning an upload in parts and storing a part create none. */
const createsObject = (request: S3Request) =>
  queryValue(request, 'uploads') === undefined && queryValue(request, 'partNumber') === undefined;
