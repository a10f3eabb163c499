import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type BundledFunction, bundleAll } from '../support/bundles.ts';

jest.setTimeout(120_000);
const kilobyte = 1000;

describe('bundles', () => {
  let functions: BundledFunction[];
  let discard: () => void;
  beforeAll(async () => {
    ({ functions, discard } = await bundleAll());
  });
  afterAll(() => discard());

  test('each holds at most 900 KB', () => {
    const large = functions.filter(({ bundle }) => bundle.bytes > 900 * kilobyte);
    expect(large.map(({ definition, bundle }) => `${definition.name}: ${bundle.bytes}`)).toEqual([]);
  });

  test('the licenses function holds at most 400 KB, and no code for payment, files, queues or mail', () => {
    const licenses = functions.find(({ definition }) => definition.name === 'licenses')!.bundle;
    expect(licenses.bytes).toBeLessThanOrEqual(400 * kilobyte);
    const foreign = /\/(stripe|@aws-sdk\/(client-s3|client-sqs|client-sesv2|s3-request-presigner))\//;
    expect(Object.keys(licenses.inputs).filter((input) => foreign.test(input))).toEqual([]);
  });

  test('none looks for credentials outside its environment', () => {
    const inputs = functions.flatMap(({ bundle }) => Object.keys(bundle.inputs));
    expect(inputs.filter((input) => /credential-provider-(node|ini|sso|process|web-identity)\//.test(input))).toEqual([]);
  });
});
