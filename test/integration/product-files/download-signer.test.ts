import { beforeAll, expect, test } from '@jest/globals';
import { findDownloadSigner } from '../../../shared/product-files/storage/download-signer.ts';
import { createObjectStore, createS3Client } from '../../../shared/product-files/storage/object-store.ts';
import { testCredentials } from '../../support/engines/test-object-store.ts';

const now = () => new Date('2026-03-01T09:00:00.000Z');
const object = { key: 'files/prd_1/fil_1', versionId: 'v+/=1', fileName: '写真 (1).dmg', contentType: 'application/zip; a="b"' };

beforeAll(() => {
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
    AWS_REGION: 'eu-west-1',
  });
});

test.each([
  ['AWS', undefined],
  ['a store of its own', 'http://127.0.0.1:9001'],
])('the function of updaters signs as the SDK does, for %s', async (_where, endpoint) => {
  if (endpoint === undefined) delete process.env['AWS_ENDPOINT_URL_S3'];
  else process.env['AWS_ENDPOINT_URL_S3'] = endpoint;
  const client = createS3Client({ region: 'eu-west-1' });
  const [expected, signed] = await Promise.all([
    createObjectStore({ bucketName: 'files', client, now }).presignDownload(object, 60),
    findDownloadSigner('files', now)?.presignDownload(object, 60),
  ]);
  const parts = (url = '') => [new URL(url).origin, new URL(url).pathname, Object.fromEntries(new URL(url).searchParams)];
  expect(parts(signed)).toEqual(parts(expected));
});
