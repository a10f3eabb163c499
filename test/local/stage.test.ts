import { expect, jest, test } from '@jest/globals';
import { startLocalStack } from '../../infra/local/stack.ts';

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

const own = ['', '/', '/outbox', '/queues', '/mails', '/mails/1', '/identity/.well-known/openid-configuration'];

test.each(['staging', 'production'])(
  'the stack at stage %s serves what the cloud has, and no page of its own, for programs and browsers',
  async (STAGE) => {
    const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
    const env = { ...cloudSettings, STAGE, PORT: '0', DATA_DIR: ':memory:', DYNAMODB_ENDPOINT: engine };
    const { address, stop } = await startLocalStack({ env, log: () => undefined });
    try {
      const statusOf = async (path: string, init: RequestInit = {}) => (await fetch(address + path, init)).status;
      for (const path of ['/healthz', '/docs']) expect([path, await statusOf(path)]).toEqual([path, 200]);
      for (const path of ['/', ...own.map((path) => `/__local${path}`)]) {
        const program = await fetch(address + path);
        const told = [
          path,
          program.status,
          await program.json(),
          await statusOf(path, { headers: { accept: 'text/html' }, redirect: 'manual' }),
        ];
        expect(told).toEqual([path, 404, expect.objectContaining({ code: 'route_not_found' }), 404]);
      }
      for (const path of ['/__local/examples', '/__local/identity/end-sessions'])
        expect([path, await statusOf(path, { method: 'POST' })]).toEqual([path, 404]);
    } finally {
      await stop();
    }
  },
);
