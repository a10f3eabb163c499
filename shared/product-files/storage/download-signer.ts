import { createObjectUrlSigner } from '../../aws/signed-url.ts';
import { attachmentDisposition } from './file-name.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * What leads to downloads as the store does, for a function that does nothing else with it: without the SDK, which would
 * be most of its code. Undefined where no bucket is configured.
 */
export function findDownloadSigner(
  bucketName: string | undefined,
  now: () => Date = () => new Date(),
): Pick<ObjectStore, 'presignDownload'> | undefined {
  if (bucketName === undefined) return undefined;
  const signUrl = createObjectUrlSigner();
  return {
    presignDownload({ key, versionId, fileName, contentType }, seconds) {
      const query = {
        versionId,
        'response-content-disposition': attachmentDisposition(fileName),
        'response-content-type': contentType,
        'response-cache-control': 'private, no-store',
        'x-id': 'GetObject',
      };
      return signUrl({ bucket: bucketName, key, query }, seconds, now());
    },
  };
}
