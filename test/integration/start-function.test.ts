import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Engine, serve } from '../../infra/local/engines/engine.ts';
import { startFunction } from '../../shared/start-function.ts';

describe('a function', () => {
  const before = { ...process.env };
  let store: Engine;
  let secret: string | undefined;
  let reads = 0;

  beforeEach(async () => {
    reads = 0;
    const server = createServer((_, response) => {
      reads += 1;
      const [status, body] = secret === undefined ? [400, { __type: 'ResourceNotFoundException' }] : [200, { SecretString: secret }];
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    });
    store = await serve(server);
    process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = store.endpoint;
    process.env['STAGE'] = 'staging';
    process.env['TABLE_NAME'] = 'table';
  });
  afterEach(async () => {
    jest.useRealTimers();
    process.env = { ...before };
    await store.stop();
  });

  const start = () =>
    startFunction('test', ['STAGE', 'TABLE_NAME', 'PAYMENT_WEBHOOK_SECRET'], ({ PAYMENT_WEBHOOK_SECRET }) => async (event: string) => [
      event,
      ...PAYMENT_WEBHOOK_SECRET,
    ]);

  test('starts with secrets of its environment', async () => {
    process.env['PAYMENT_WEBHOOK_SECRET'] = 'whsec_a01234567890,whsec_b01234567890';
    expect(await start()('event', undefined as never)).toEqual(['event', 'whsec_a01234567890', 'whsec_b01234567890']);
  });

  test('refuses to start with a setting at fault, wherever its secrets are', () => {
    process.env['PAYMENT_WEBHOOK_SECRET'] = 'arn:aws:secretsmanager:x';
    delete process.env['TABLE_NAME'];
    expect(start).toThrow('TABLE_NAME is missing');
    process.env['TABLE_NAME'] = 'table';
    process.env['AUTH_MODE'] = 'local';
    expect(start).toThrow('AUTH_MODE local needs STAGE local');
  });

  describe('that is primed', () => {
    const startPrimed = (prime: () => Promise<unknown>) =>
      startFunction('test', ['STAGE', 'PAYMENT_WEBHOOK_SECRET'], () => Object.assign(async (event: string) => event, { prime }));

    test.each([
      ['its environment', 'whsec_a01234567890'],
      ['the store', 'arn:aws:secretsmanager:x'],
    ])('with secrets of %s is ready once that is done, and does it once', async (_place, setting) => {
      process.env['PAYMENT_WEBHOOK_SECRET'] = setting;
      secret = 'whsec_a01234567890';
      const primed: string[] = [];
      const handle = startPrimed(async () => void primed.push('primed'));
      await handle.ready;
      expect(primed).toEqual(['primed']);
      expect(await handle('event', undefined as never)).toBe('event');
      expect(primed).toEqual(['primed']);
    });

    test.each([
      ['fails', () => Promise.reject(new Error('no table'))],
      ['does not end', () => new Promise(() => undefined)],
    ])('is ready in time when that %s', async (_how, prime) => {
      process.env['PAYMENT_WEBHOOK_SECRET'] = 'whsec_a01234567890';
      const handle = startPrimed(prime);
      await handle.ready;
      expect(await handle('event', undefined as never)).toBe('event');
    });
  });

  describe('whose secrets are in the store', () => {
    const ask = (handle: ReturnType<typeof start>) => handle('asked', undefined as never);
    const asked = (held: string) => ['asked', held];
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'queueMicrotask'] });
      process.env['PAYMENT_WEBHOOK_SECRET'] = 'arn:aws:secretsmanager:x';
      secret = 'whsec_first_012345';
    });

    test.each([
      ['after five minutes', undefined, 300],
      ['as soon as SECRETS_SECONDS says', '20', 20],
    ])('reads them once, and again %s', async (_, SECRETS_SECONDS, kept) => {
      if (SECRETS_SECONDS) Object.assign(process.env, { SECRETS_SECONDS });
      const handle = start();
      reads = 0;
      expect(await ask(handle)).toEqual(asked('whsec_first_012345'));
      secret = 'whsec_second_01234';
      jest.setSystemTime(Date.now() + kept * 1000 - 1000);
      expect(await ask(handle)).toEqual(asked('whsec_first_012345'));
      expect(reads).toBe(1);
      for (const next of [secret, undefined]) {
        secret = next;
        jest.setSystemTime(Date.now() + kept * 1000 + 1000);
        expect(await ask(handle)).toEqual(asked('whsec_second_01234'));
      }
    });

    test('refuses a local default, and SECRETS_SECONDS that would read them all the time', async () => {
      secret = 'whsec_local_platform';
      await expect(ask(start())).rejects.toThrow('PAYMENT_WEBHOOK_SECRET holds a local default');
      process.env['SECRETS_SECONDS'] = '0';
      expect(start).toThrow('SECRETS_SECONDS is malformed');
    });
  });
});
