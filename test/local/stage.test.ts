import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type RunningStack, startStack, temporaryFolder } from '../support/scenes/stack.ts';

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
  let stack: RunningStack;
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    data = await temporaryFolder();
    stack = await startStack({ ...cloudSettings, STAGE, DATA_DIR: data.path });
  });
  afterAll(async () => {
    await stack.stop();
    await data.remove();
  });

  const identity = '/__local/identity/.well-known/openid-configuration';
  test.each(['/__local', '/__local/', '/__local/outbox', '/__local/queues', '/__local/mails', '/__local/mails/1', identity, '/'])(
    'has no %s, for programs and browsers',
    async (path) => {
      const [program, browser] = await Promise.all(
        ['*/*', 'text/html'].map((accept) => fetch(stack.address + path, { headers: { accept }, redirect: 'manual' })),
      );
      expect([program?.status, await program?.json()]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
      expect(browser?.status).toBe(404);
    },
  );

  test.each(['/__local/examples', '/__local/identity/end-sessions'])('takes nothing at %s', async (path) => {
    expect((await fetch(stack.address + path, { method: 'POST' })).status).toBe(404);
  });

  test('serves what the cloud has', async () => {
    expect((await fetch(`${stack.address}/healthz`)).status).toBe(200);
    expect((await fetch(`${stack.address}/docs`)).status).toBe(200);
  });
});
