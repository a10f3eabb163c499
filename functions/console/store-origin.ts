import { isIP } from 'node:net';
import { endpointOf, readRegion } from '../../shared/aws/signed-client.ts';

/** Where the URLs lead that are signed for this bucket: a host of its own, unless the store is known by an address alone. */
export function storeOriginOf(bucketName: string | undefined): string | undefined {
  if (bucketName === undefined) return undefined;
  const { protocol, hostname, host } = new URL(endpointOf({ name: 's3', endpointVariable: 'AWS_ENDPOINT_URL_S3' }, readRegion()));
  return isIP(hostname.replace(/[[\]]/g, '')) === 0 ? `${protocol}//${bucketName}.${host}` : `${protocol}//${host}`;
}
