import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type LocalStack, startLocalStack } from '../../infra/local/stack.ts';

jest.setTimeout(120_000);

/** What a stack needs that is no local stage, all but the stage. */
const cloudSettings = {
  AUTH_MODE: 'oidc',
  OIDC_ISSUER: 'https://issuer.example.com',
  OIDC_AUDIENCE: 'license-service',
  PUBLIC_BASE_URL: 'https://licenses.example.com',
  PAYMENT_SECRET_KEY: 'sk_test_notlocal',
  PAYMENT_WEBHOOK_SECRET: 'whsec_0123456789ab',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_ba9876543210',
};

describe.each(['staging', 'production'])('the stack at stage %s', (STAGE) => {
  let stack: LocalStack;
  beforeAll(async () => {
    const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
    const env = { ...cloudSettings, STAGE, PORT: '0', DATA_DIR: ':memory:', DYNAMODB_ENDPOINT: engine };
    stack = await startLocalStack({ env, log: () => undefined });
  });
  afterAll(() => stack.stop());

  const own = ['', '/', '/outbox', '/queues', '/mails', '/mails/1', '/identity/.well-known/openid-configuration'];
  test('serves what the cloud has, and no page of its own, for programs and browsers, nor takes anything there', async () => {
    for (const path of ['/healthz', '/docs']) expect([path, (await fetch(stack.address + path)).status]).toEqual([path, 200]);
    for (const path of ['/', ...own.map((path) => `/__local${path}`)]) {
      const [program, browser] = await Promise.all(
        ['*/*', 'text/html'].map((accept) => fetch(stack.address + path, { headers: { accept }, redirect: 'manual' })),
      );
      const told = [path, program?.status, await program?.json(), browser?.status];
      expect(told).toEqual([path, 404, expect.objectContaining({ code: 'route_not_found' }), 404]);
    }
    for (const path of ['/__local/examples', '/__local/identity/end-sessions']) {
      expect([path, (await fetch(stack.address + path, { method: 'POST' })).status]).toEqual([path, 404]);
    }
  });
});
