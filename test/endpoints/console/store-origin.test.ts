import { expect, test } from '@jest/globals';
import { storeOriginOf } from '../../../functions/console/store-origin.ts';
import { createObjectStore } from '../../../shared/product-files/storage/object-store.ts';

/** Where an upload goes that is signed here and now. */
async function uploadOrigin(bucketName: string): Promise<string> {
  const upload = { key: 'files/a', contentType: 'application/zip', sizeBytes: 1, sha256Hex: '00'.repeat(32) };
  return new URL((await createObjectStore({ bucketName }).presignUpload(upload, 60)).url).origin;
}

test.each([
  ['us-east-1', undefined, 'https://our-files.s3.us-east-1.amazonaws.com'],
  ['ap-northeast-1', undefined, 'https://our-files.s3.ap-northeast-1.amazonaws.com'],
  ['cn-north-1', undefined, 'https://our-files.s3.cn-north-1.amazonaws.com.cn'],
  ['us-east-1', 'http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ['us-east-1', 'http://[::1]:9000/', 'http://[::1]:9000'],
  ['us-east-1', 'http://localhost:9000', 'http://our-files.localhost:9000'],
  ['us-east-1', 'https://store.example.com', 'https://our-files.store.example.com'],
])('in %s, with the endpoint %s, uploads go to %s', async (region, endpoint, origin) => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: region });
  if (endpoint === undefined) delete process.env['AWS_ENDPOINT_URL_S3'];
  else process.env['AWS_ENDPOINT_URL_S3'] = endpoint;
  expect([storeOriginOf('our-files'), await uploadOrigin('our-files')]).toEqual([origin, origin]);
});

test('without a bucket there is no store', () => {
  expect(storeOriginOf(undefined)).toBeUndefined();
});
