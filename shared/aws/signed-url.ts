import { buildQueryString, HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from './sha256.ts';
import { endpointOf, readCredentials, readRegion } from './signed-client.ts';

/** An object of a bucket, and what its reply is to say of it. */
export interface SignedObject {
  bucket: string;
  key: string;
  query: Record<string, string>;
}

/** Makes a URL under which anyone can read the object for so many seconds from `now` on. */
export type SignObjectUrl = (object: SignedObject, seconds: number, now: Date) => Promise<string>;

const s3 = { name: 's3', endpointVariable: 'AWS_ENDPOINT_URL_S3' } as const;

/** URLs as the SDK's presigner makes them, of its own signer: the rest of its client would be most of a function. */
export function createObjectUrlSigner(): SignObjectUrl {
  const region = readRegion();
  const endpoint = new URL(endpointOf(s3, region));
  // Another store than AWS's own has no name for each bucket.
  const isAws = /\.amazonaws\.com(?:\.cn)?$/.test(endpoint.hostname);
  const signer = new SignatureV4({
    service: s3.name,
    region,
    credentials: readCredentials,
    sha256: Sha256,
    applyChecksum: false,
    uriEscapePath: false,
  });

  return async ({ bucket, key, query }, seconds, now) => {
    const host = isAws ? `${bucket}.${endpoint.host}` : endpoint.host;
    const path = isAws ? `/${key}` : `/${bucket}/${key}`;
    const request = new HttpRequest({
      method: 'GET',
      protocol: endpoint.protocol,
      hostname: host,
      path,
      query,
      headers: { host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
    });
    const signed = await signer.presign(request, { expiresIn: seconds, signingDate: now });
    return `${endpoint.protocol}//${host}${path}?${buildQueryString(signed.query ?? {})}`;
  };
}
