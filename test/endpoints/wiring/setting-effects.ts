import { expect, jest } from '@jest/globals';
import type { SettingName } from '../../../shared/config.ts';
import { callerHash } from '../../../shared/http/callers/caller-address.ts';
import { queueSettings } from '../../../shared/queue/messages.ts';
import { type Issuer, startIssuer } from '../../support/engines/token-issuer.ts';
import { createCaller, type RequestOptions } from '../../support/http/http-event.ts';
import { type Deployment, type Environment, startDeployment } from '../../support/scenes/deployment.ts';

export type Call = ReturnType<typeof createCaller>;
/** What shows a setting of a function: what is seen under each of several values. Values that show the same prove nothing. */
export type Effect = (name: string, setting: SettingName) => Promise<void>;

export let d: Deployment;
export let issuer: Issuer;
/** Starts what the effects are shown on. */
export async function startEffects(): Promise<void> {
  [d, issuer] = await Promise.all([startDeployment(), startIssuer()]);
  await issuer.addKey('key-1');
}
export const stopEffects = () => Promise.all([d.stop(), issuer.stop()]);

export const asOwner = { 'X-User-ID': 'alice', 'X-User-Email': 'alice@example.com' };
export const asAdmin = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };
let callers = 0;
/** An address that no limit has seen. */
export const newCaller = () => {
  callers += 1;
  return `198.18.${callers >> 8}.${callers & 255}`;
};

export async function differ(name: string, see: (call: Call) => Promise<unknown>, seen: readonly [Environment, unknown][]): Promise<void> {
  expect(new Set(seen.map(([, expected]) => JSON.stringify(expected))).size).toBeGreaterThan(1);
  for (const [environment, expected] of seen) expect(await see(await d.http(name, environment))).toEqual(expected);
}

/** What is seen under each value; `default` is the deployment's own. */
export const shows = (see: (call: Call) => Promise<unknown>, values: Record<string, unknown>): Effect => {
  return (name, setting) =>
    differ(
      name,
      see,
      Object.entries(values).map(([value, expected]) => [value === 'default' ? {} : { [setting]: value }, expected]),
    );
};

/** The same requests by one caller, until the limit is felt: how many were let through while the clock stood still. */
export async function countUntilLimited(call: Call, method: string, target: string, options: RequestOptions = {}): Promise<number> {
  const sourceIp = newCaller();
  jest.useFakeTimers({
    doNotFake: [
      'nextTick',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'queueMicrotask',
      'performance',
      'hrtime',
    ],
  });
  try {
    for (let passed = 0; passed < 125; passed += 1) {
      if ((await call(method, target, { sourceIp, ...options })).status === 429) return passed;
    }
    return Number.POSITIVE_INFINITY;
  } finally {
    jest.useRealTimers();
  }
}

export const limit = (fallback: number, method: string, target: string, body?: unknown): Effect =>
  shows((call) => countUntilLimited(call, method, target, { body }), { 2: 2, 3: 3, default: fallback, 0: Number.POSITIVE_INFINITY });

/** Behind the CDN each viewer has a limit of their own, if the CDN is known by the secret. */
export const originSecret = (limitSetting: SettingName, method: string, target: string, body?: unknown): Effect => {
  const see = async (call: Call) => {
    const sourceIp = newCaller();
    const passed: boolean[] = [];
    for (const viewer of [newCaller(), newCaller()]) {
      const headers = { 'X-Origin-Secret': 'known', 'CloudFront-Viewer-Address': `${viewer}:443` };
      passed.push((await call(method, target, { headers, sourceIp, body })).status !== 429);
    }
    return passed;
  };
  return (name) =>
    differ(name, see, [
      [{ [limitSetting]: '1', ORIGIN_SECRET: 'known' }, [true, true]],
      [{ [limitSetting]: '1', ORIGIN_SECRET: 'another' }, [true, false]],
      [{ [limitSetting]: '1' }, [true, false]],
    ]);
};

/** What keeps a function from starting, as far as its settings do. */
export const startOf = (name: string, environment: Environment) =>
  d.deploy(name, environment).then(
    () => '',
    ({ message }: Error) => (message.startsWith('Configuration refused') ? message : ''),
  );

/** A function that only has its configuration judged by the stage. */
export const stage: Effect = async (name) => {
  expect(await startOf(name, { STAGE: '' })).toContain('STAGE is missing');
  expect(await startOf(name, {})).toBe('');
};

/** `see` looks at what is in the table. */
export const table = (see: (call: Call) => Promise<unknown>, found: unknown, missing: unknown): Effect => {
  return (name) =>
    differ(name, see, [
      [{}, found],
      [{ TABLE_NAME: d.emptyTable }, missing],
    ]);
};

/** The lines that are logged meanwhile. */
async function linesOf(act: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  try {
    await act();
  } finally {
    write.mockRestore();
  }
  return lines.map((line) => JSON.parse(line));
}

type Start = (name: string, environment: Environment) => Promise<Parameters<typeof createCaller>[0]>;

/** What is answered to two requests, of which the second has the secret of the CDN; the documents tell nothing of the refusal. */
const codesOf = async (start: Start, name: string, environment: Environment) => {
  const call = createCaller(await start(name, environment), [], { described: false });
  const replies = [await call('GET', '/'), await call('GET', '/', { headers: { 'X-Origin-Secret': 'known' } })];
  return replies.map(({ json, headers }) => json?.code ?? headers['content-type']);
};

/** Whether the function refuses whoever the CDN did not send. */
const originRequired =
  (start: Start): Effect =>
  async (name) => {
    expect(await codesOf(start, name, { ORIGIN_SECRET: 'known' })).toEqual(['route_not_found', 'route_not_found']);
    expect(await codesOf(start, name, { ORIGIN_SECRET: 'known', ORIGIN_REQUIRED: 'true' })).toEqual(['forbidden', 'route_not_found']);
  };

/** The settings of a function that refuses nobody but whom the CDN did not send. */
export const guarded = (start: Start = (name, changes) => d.deploy(name, changes)): Record<string, Effect> => ({
  ORIGIN_REQUIRED: originRequired(start),
  ORIGIN_SECRET: async (name) => {
    const required = { ORIGIN_REQUIRED: 'true' };
    expect(await codesOf(start, name, { ...required, ORIGIN_SECRET: 'known' })).toEqual(['forbidden', 'route_not_found']);
    expect(await codesOf(start, name, { ...required, ORIGIN_SECRET: 'another' })).toEqual(['forbidden', 'forbidden']);
  },
  CALLER_HASH_KEY: async (name) => {
    for (const key of ['key-of-callers-one', 'key-of-callers-two']) {
      const lines = await linesOf(() => codesOf(start, name, { ORIGIN_REQUIRED: 'true', ORIGIN_SECRET: 'another', CALLER_HASH_KEY: key }));
      expect(lines.map(({ caller }) => caller)).toEqual([callerHash('192.0.2.1', key), callerHash('192.0.2.1', key)]);
    }
  },
});

/** The settings of every function that may refuse a caller, shown by what the log then calls the caller. */
export function refusals(refuse: (call: Call, options: RequestOptions) => Promise<unknown>, environment: Environment = {}) {
  const [cdn, viewer] = [newCaller(), newCaller()];
  const [key, otherKey] = ['key-of-callers-one', 'key-of-callers-two'];
  const headers = { 'X-Origin-Secret': 'known', 'CloudFront-Viewer-Address': `${viewer}:443` };
  const see = async (call: Call) => {
    const lines = await linesOf(() => refuse(call, { sourceIp: cdn, headers }));
    return lines.find(({ message }) => message === 'request_refused')?.['caller'];
  };
  const shown = (changes: Environment, expected: string): [Environment, string] => [
    { ...environment, CALLER_HASH_KEY: key, ...changes },
    expected,
  ];
  return {
    ORIGIN_REQUIRED: originRequired((name, changes) => d.deploy(name, changes)),
    CALLER_HASH_KEY: (name: string) =>
      differ(name, see, [shown({}, callerHash(cdn, key)), shown({ CALLER_HASH_KEY: otherKey }, callerHash(cdn, otherKey))]),
    ORIGIN_SECRET: (name: string) =>
      differ(name, see, [
        shown({ ORIGIN_SECRET: 'known' }, callerHash(viewer, key)),
        shown({ ORIGIN_SECRET: 'another' }, callerHash(cdn, key)),
      ]),
  };
}

/** The settings of every function that knows who calls, shown by a request that `ok` answers to the right caller and `refused` to nobody. */
export function identity(headers: Record<string, string>, ask: () => [string, string], ok: number, refused: number) {
  const status = (given: Record<string, string>) => async (call: Call) => (await call(...ask(), { headers: given })).status;
  const { 'X-User-ID': sub, 'X-User-Email': email } = headers;
  const bearer = async (audience: string) => ({
    Authorization: `Bearer ${await issuer.sign('key-1', { ...(sub !== undefined && { sub }), email, email_verified: true, aud: audience })}`,
  });
  const oidc = () => ({ AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'our-client' });
  const origin = 'https://console.example.com';
  return {
    ...refusals((call, options) => call(...ask(), options)),
    STAGE: async (name: string) => {
      expect(await startOf(name, { STAGE: 'production' })).toContain('AUTH_MODE local needs STAGE local');
      expect(await startOf(name, {})).toBe('');
    },
    AUTH_MODE: (name: string) =>
      differ(name, status(headers), [
        [{}, ok],
        [oidc(), refused],
      ]),
    OIDC_ISSUER: async (name: string) => {
      const other = await startIssuer();
      await other.addKey('key-1');
      await differ(name, status(await bearer('our-client')), [
        [oidc(), ok],
        [{ ...oidc(), OIDC_ISSUER: other.url }, refused],
      ]);
      await other.stop();
    },
    OIDC_AUDIENCE: async (name: string) =>
      differ(name, status(await bearer('our-client')), [
        [oidc(), ok],
        [{ ...oidc(), OIDC_AUDIENCE: 'another-client' }, refused],
      ]),
    OIDC_KEYS_SECONDS: async (name: string) => {
      const token = await bearer('our-client');
      const see = async (call: Call) => {
        const { length } = issuer.requests;
        expect(await status(token)(call)).toBe(ok);
        const later = Date.now() + 5000;
        const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
        expect(await status(token)(call)).toBe(ok);
        clock.mockRestore();
        return issuer.requests.slice(length).filter((url) => url === '/keys').length;
      };
      await differ(name, see, [
        [{ ...oidc(), OIDC_KEYS_SECONDS: '4' }, 2],
        [{ ...oidc(), OIDC_KEYS_SECONDS: '6' }, 1],
        [oidc(), 1],
      ]);
    },
    CONSOLE_ORIGINS: shows(
      async (call) => (await call(...ask(), { headers: { ...headers, Origin: origin } })).headers['access-control-allow-origin'] ?? '',
      { [`https://other.example.com,${origin}`]: origin, 'https://other.example.com': '', default: '' },
    ),
  };
}

/** How long after something came to wait its review is due. */
export const hoursBetween = (shown: Record<string, string>): number => {
  const since = shown['submitted_at'] ?? shown['applied_at'] ?? shown['uploaded_at'];
  return (Date.parse(shown['review_due_at'] ?? '') - Date.parse(since ?? '')) / 3_600_000;
};

/** How many things are seen in a list; `''` when it is refused. */
export const sizeOf = (target: string | (() => string), headers: Record<string, string>) => async (call: Call) =>
  (await call('GET', typeof target === 'string' ? target : target(), { headers })).json.items?.length ?? '';

/** What a message in the queue of this setting shows: that it came there, and to no other queue. */
export const queue = (kind: string, act: (call: Call) => Promise<unknown>): Effect => {
  return async (name, setting) => {
    const [right, wrong] = [await d.newQueue(), await d.newQueue()];
    const queues = Object.fromEntries(queueSettings.map((name) => [name, wrong.url]));
    await act(await d.http(name, { ...queues, [setting]: right.url }));
    expect([await right.kinds(), await wrong.kinds()]).toEqual([expect.arrayContaining([kind]), []]);
  };
};

/** A request that is over the limit of one at the second time. */
export const twice = (method: string, target: string, body?: unknown) => async (call: Call, options: RequestOptions) => {
  for (let times = 0; times < 2; times += 1) await call(method, target, { ...options, body });
};
