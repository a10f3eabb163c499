import { expect, jest } from '@jest/globals';
import type { SettingName } from '../../../shared/config.ts';
import type { Environment } from '../../support/scenes/deployment.ts';
import { otherBucket } from '../../support/scenes/marketplace.ts';
import { type Call, differ, type Effect, guarded, issuer, stage, startOf } from '../wiring/setting-effects.ts';

/** With a console, and somewhere to sign in. */
const on = (): Environment => ({ CONSOLE_CLIENT_ID: 'console', OIDC_ISSUER: issuer.url });
const config = async (call: Call) => (await call('GET', '/console/config.json')).json;
const connected = async (call: Call) =>
  /connect-src ([^;]*)/.exec((await call('GET', '/console')).headers['content-security-policy'] ?? '')?.[1]?.split(' ') ?? [];

/** What is seen of a console that is on, under each value. */
const whenOn = (see: (call: Call) => Promise<unknown>, values: Record<string, unknown>): Effect => {
  return (name, setting) =>
    differ(
      name,
      see,
      Object.entries(values).map(([value, expected]) => [value === 'default' ? on() : { ...on(), [setting]: value }, expected]),
    );
};

/** What the settings of the console do. */
export const consoleEffects = (): Partial<Record<SettingName, Effect>> => ({
  ...guarded(),
  STAGE: stage,
  AUTH_MODE: async (name) => {
    const signIn = { ...on(), OIDC_AUDIENCE: 'an-api' };
    expect(await startOf(name, { ...signIn, AUTH_MODE: 'oidc' })).toContain('CONSOLE_CLIENT_ID is not in OIDC_AUDIENCE');
    expect(await startOf(name, { ...signIn, AUTH_MODE: 'local' })).toBe('');
  },
  OIDC_AUDIENCE: async (name) => {
    const signIn = { ...on(), AUTH_MODE: 'oidc' };
    expect(await startOf(name, { ...signIn, OIDC_AUDIENCE: 'an-api' })).toContain('CONSOLE_CLIENT_ID is not in OIDC_AUDIENCE');
    expect(await startOf(name, { ...signIn, OIDC_AUDIENCE: 'an-api,console' })).toBe('');
  },
  OIDC_ISSUER: (name) =>
    differ(name, async (call) => (await call('GET', '/console/config.json')).json.issuer ?? '', [
      [on(), issuer.url],
      [{ ...on(), OIDC_ISSUER: '' }, ''],
    ]),
  OIDC_KEYS_SECONDS: async (name) => {
    const see = async (call: Call) => {
      await config(call);
      const { length } = issuer.requests;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5000);
      await config(call);
      clock.mockRestore();
      return issuer.requests.length - length;
    };
    await differ(name, see, [
      [{ ...on(), OIDC_KEYS_SECONDS: '4' }, 1],
      [{ ...on(), OIDC_KEYS_SECONDS: '60' }, 0],
    ]);
  },
  CONSOLE_CLIENT_ID: (name) =>
    differ(name, async (call) => (await config(call)).client_id ?? '', [
      [on(), 'console'],
      [{ ...on(), CONSOLE_CLIENT_ID: '4abc' }, '4abc'],
      [{ ...on(), CONSOLE_CLIENT_ID: '' }, ''],
    ]),
  CONSOLE_TOKEN: whenOn(async (call) => (await config(call)).token, { default: 'access', access: 'access', id: 'id' }),
  PUBLIC_BASE_URL: (name) =>
    differ(name, async (call) => (await connected(call)).includes(issuer.url), [
      [on(), true],
      [{ ...on(), PUBLIC_BASE_URL: `${issuer.url}/` }, false],
    ]),
  CURRENCIES: whenOn(async (call) => (await config(call)).currencies, { 'jpy, usd': ['JPY', 'USD'], EUR: ['EUR'] }),
  MAX_FILE_BYTES: whenOn(async (call) => (await config(call)).limits.max_file_bytes, { default: 5 * 1024 ** 3, '100': 100 }),
  SELLER_STORAGE_BYTES: whenOn(async (call) => (await config(call)).limits.seller_storage_bytes, { default: 50 * 1024 ** 3, '7': 7 }),
  // By an address all buckets of the store have one origin; without bucket there is none.
  BUCKET_NAME: (name) => {
    const store = new URL(process.env['AWS_ENDPOINT_URL_S3'] ?? '').origin;
    return differ(name, async (call) => (await connected(call)).includes(store), [
      [on(), true],
      [{ ...on(), BUCKET_NAME: otherBucket }, true],
      [{ ...on(), BUCKET_NAME: '' }, false],
    ]);
  },
});
