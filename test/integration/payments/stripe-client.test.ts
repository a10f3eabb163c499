import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Engine, serve } from '../../../infra/local/engines/engine.ts';
import type { AppError } from '../../../shared/errors.ts';
import { createStripeClient, ProviderRefusedError } from '../../../shared/payments/provider/stripe-client.ts';

describe('stripe client', () => {
  let engine: Engine;
  let requests = 0;

  afterEach(() => engine.stop());

  async function clientOf(...answers: { status: number; body?: unknown }[]) {
    requests = 0;
    const server = createServer((_, response) => {
      const { status, body } = answers[Math.min(requests, answers.length - 1)]!;
      requests += 1;
      response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_1' });
      response.end(JSON.stringify(body));
    });
    engine = await serve(server);
    return createStripeClient({ secretKey: 'sk_test_x', apiBase: engine.endpoint });
  }

  test('tries a failing provider once more', async () => {
    const client = await clientOf({ status: 500 }, { status: 200, body: { id: 'ch_1' } });
    expect(await client.call((stripe) => stripe.charges.retrieve('ch_1'))).toMatchObject({ id: 'ch_1' });
    expect(requests).toBe(2);
  });

  test.each([[500], [503], [429], [409], [400, 'rate_limit'], [400, 'lock_timeout'], [400, 'payment_intent_rate_limit_exceeded']])(
    'an answer of %i %s means that the provider is unavailable',
    async (status, code = 'x') => {
      const client = await clientOf({ status, body: { error: { type: 'invalid_request_error', code, message: 'private text' } } });
      const error = await client.call((stripe) => stripe.charges.retrieve('ch_1')).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'dependency_unavailable', retryAfterSeconds: 2 });
      expect(String((error as AppError).cause)).not.toContain('private text');
      expect(requests).toBeLessThanOrEqual(2);
    },
  );

  test('gives an attempt 8 s, tries once more, and reports nothing of its own accord', async () => {
    const client = await clientOf({ status: 200 });
    const limits = await client.call(async (stripe) => {
      const { _api: api, _enableTelemetry: tells } = stripe as unknown as { _api: Record<string, unknown>; _enableTelemetry: boolean };
      return [api['timeout'], api['maxNetworkRetries'], tells];
    });
    expect(limits).toEqual([8000, 1, false]);
  });

  test('a provider that cannot be reached is unavailable', async () => {
    const client = await clientOf({ status: 200 });
    await engine.stop();
    await expect(client.call((stripe) => stripe.charges.retrieve('ch_1'))).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });

  test('a refusal keeps its codes and none of its text', async () => {
    const body = { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'private text', param: 'line_items' } };
    const client = await clientOf({ status: 400, body });
    const error = await client.call((stripe) => stripe.v2.core.accounts.retrieve('acct_1')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderRefusedError);
    expect(error).toMatchObject({ code: 'amount_too_small', status: 400, param: 'line_items' });
    expect(JSON.stringify(Object.getOwnPropertyNames(error).map((name) => (error as Record<string, unknown> & Error)[name]))).not.toContain(
      'private text',
    );
  });
});
