import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IssuerAnswer } from '../../../functions/console/browser/session/issuer.ts';
import { returnPath } from '../../../functions/console/browser/session/return-path.ts';
import {
  afterAnswer,
  afterRefusal,
  type HeldTokens,
  isTooShort,
  noTokens,
  renewsAt,
  type TokenLife,
  unrenewable,
  withTokens,
} from '../../../functions/console/browser/session/token-life.ts';
import { callbackPaths, roleAt, roles, screenAt, screenPaths } from '../../../functions/console/screens.ts';
import { createWorld, origin, placeOf } from '../../support/console/session-world.ts';
import { tries } from '../../support/depth.ts';

const seller = (address: string) => returnPath(address, placeOf('seller'));
const admin = (address: string) => returnPath(address, placeOf('admin'));

describe('the path to return to', () => {
  test.each([
    ['/console', '/console'],
    ['/console/', '/console'],
    [`${origin}/console/products/p-1/files`, '/console/products/p-1/files'],
    ['/console/products/p/releases/1.2.0-rc.1', '/console/products/p/releases/1.2.0-rc.1'],
    ['/console/products?lang=ja&q=x', '/console/products?lang=ja'],
    ['/console/products?lang=fr', '/console/products'],
    ['/console/seller?returned=1&lang=en&x=1#y', '/console/seller?lang=en&returned=1'],
    ['/console/seller?returned', '/console/seller?returned='],
    ['/console/seller?returned=<script>', '/console/seller'],
    ['/console/orders?returned=1', '/console/orders'],
    ['/console/callback?code=x', '/console'],
    ['/console/nothing', '/console'],
    ['/console/admin', '/console'],
    ['/console/admin/orders/o1', '/console'],
    ['/consoles', '/console'],
    ['/docs', '/console'],
    ['//evil.example/console', '/console'],
    ['https://evil.example', '/console'],
    ['javascript:alert(1)', '/console'],
    ['/console/products/..', '/console'],
    ['/console/products/%2e%2E', '/console'],
    ['/console/products/a%2fb', '/console'],
    ['/console/products/a%5cb', '/console'],
    ['/console/products/a\\b', '/console'],
    ['/console/products/a b', '/console'],
    ['/console/products/a%00', '/console'],
    ['/console/products/%', '/console'],
    ['/console/products/%E3%81/files', '/console'],
    ['/console/products/%E3%81%82/files', '/console/products/%E3%81%82/files'],
    ['/console/products/', '/console'],
    ['', '/console'],
  ])('of %s is %s', (address, path) => {
    expect(seller(address)).toBe(path);
  });

  test.each([
    ['/console/admin/orders/o1?x', '/console/admin/orders/o1'],
    ['/console/admin/', '/console/admin'],
    ['/console/products/p1', '/console/admin'],
    ['/console', '/console/admin'],
  ])('of an admin at %s is %s', (address, path) => {
    expect(admin(address)).toBe(path);
  });

  test('is a screen of this origin, whatever the address', () => {
    const names = ['console', 'admin', 'products', 'https:', 'evil.example'];
    const signs = ['/', '//', '\\', '..', '.', '%2e', '%2f', '%5c', '%', '%E3', '?', '#', '@', ':', '\t', '\n', ' ', 'é', '\u202e'];
    const piece = fc.constantFrom(...names, ...signs);
    const address = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.array(piece, { maxLength: 8 }).map((parts) => `/console/${parts.join('')}`),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(address, fc.constantFrom('seller', 'admin'), (text, role) => {
        const place = placeOf(role);
        const path = returnPath(text, place);
        const url = new URL(path, origin);
        expect(url.origin + url.pathname + url.search).toBe(origin + path);
        expect(place.isScreen(url.pathname)).toBe(true);
        expect(() => decodeURIComponent(url.pathname)).not.toThrow();
        expect(returnPath(path, place)).toBe(path);
      }),
    );
  });
});

test('a callback with any query ends with its button, and without the query', async () => {
  const world = createWorld();
  const name = fc.constantFrom('code', 'state', 'iss', 'error', 'error_description', 'lang', 'response', 'id_token', 'x', '');
  const params = fc.array(
    fc.tuple(name, fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('STATE', world.config.issuer, 'access_denied'))),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(params, fc.boolean(), fc.constantFrom('/console', '/console/admin'), async (pairs, hasTrip, home) => {
      const storage = world.createStorage();
      const begun = await world.load(home, { storage });
      const [state = ''] = storage.getItem('console:sign-in')?.split(' ') ?? [];
      expect(begun.left).toBeDefined();
      if (!hasTrip) storage.removeItem('console:sign-in');
      const wellFormed = pairs.map(([key, value]): [string, string] => [key, value === 'STATE' ? state : value.toWellFormed()]);
      const page = await world.load(`${home}/callback?${new URLSearchParams(wellFormed)}`, { storage, locale: 'en' });
      expect([page.state().name, page.left, page.address, storage.getItem('console:sign-in')]).toEqual([
        'failed',
        undefined,
        origin + home,
        null,
      ]);
    }),
    { numRuns: tries(100) },
  );
});

const filled = (screen: string) => screen.replace(/:\w+/g, 'x_1');

describe('screens', () => {
  test('are found by their path, each for its own role', () => {
    for (const role of roles) {
      for (const screen of screenPaths[role]) {
        expect([screenAt(filled(screen), role), roleAt(filled(screen))]).toEqual([screen, role]);
        for (const other of roles.filter((each) => each !== role)) expect(screenAt(filled(screen), other)).toBeUndefined();
      }
    }
  });

  test('that are named go before those of an id', () => {
    expect(screenAt('/console/products/new', 'seller')).toBe('/console/products/new');
    expect(screenAt('/console/products/newer', 'seller')).toBe('/console/products/:product_id');
  });

  test('are no callbacks, which have a role all the same', () => {
    for (const role of roles) {
      expect([roleAt(callbackPaths[role]), screenAt(callbackPaths[role], role)]).toEqual([role, undefined]);
    }
  });

  test('are none elsewhere', () => {
    const near = ['/console/', '/console/admin/', '/console/products/', '/console/products//files', '/console/products/a/b/c'];
    const beside = ['/consoles', '/Console', 'console', '/console?x', '/console/admin/products', '/console/seller/x'];
    const paths = [...near, ...beside, '', '/', '//evil.example/console'];
    expect(paths.filter((path) => roleAt(path) !== undefined)).toEqual([]);
  });
});

const minute = 60_000;
const life = withTokens(noTokens, { bearer: 'first', refreshToken: 'one', endsAt: 10 * minute }, 'usr_1', 0);
const held = life.held as HeldTokens;
const given = (tokens: object): IssuerAnswer => ({
  name: 'given',
  tokens: { bearer: 'second', endsAt: 20 * minute, refreshToken: 'two', userId: undefined, ...tokens },
});
/** What is held then, in short. */
const words = ({ held, pauses, nextTryAt }: TokenLife) =>
  [held ? `${held.bearer} by ${held.refreshToken}${held.isRefused ? ', refused' : ''}` : 'over', pauses, nextTryAt].join(' | ');

describe('tokens', () => {
  test('are renewed a minute before their end, and a short life in its middle', () => {
    expect(renewsAt(life)).toBe(9 * minute);
    expect(renewsAt(withTokens(noTokens, { bearer: 'x', refreshToken: 'x', endsAt: minute }, 'usr_1', 0))).toBe(minute / 2);
  });

  test('make a caller wait within their last five seconds, and once they are refused', () => {
    expect([isTooShort(held, 10 * minute - 5_001), isTooShort(held, 10 * minute - 5_000)]).toEqual([false, true]);
    expect(isTooShort({ ...held, isRefused: true }, 0)).toBe(true);
  });

  test.each([
    ['new ones', given({}), 'second by two | 0 | 0'],
    ['new ones of the same person', given({ userId: 'usr_1' }), 'second by two | 0 | 0'],
    ['new ones of another person', given({ userId: 'usr_2' }), 'over | 1 | 7'],
    ['one that is not rotated', given({ refreshToken: undefined }), 'second by one | 0 | 0'],
    ['none that the API takes', given({ bearer: undefined }), `first by undefined | 1 | ${10 * minute}`],
    ['a refusal', { name: 'refused' } as const, 'over | 1 | 7'],
    ['no answer', { name: 'unreachable' } as const, 'first by one | 2 | 4100'],
  ])('after a renewal that brought %s', (_, answer, expected) => {
    expect(words(afterAnswer({ ...life, pauses: 1, nextTryAt: 7 }, held, answer, 100))).toBe(expected);
  });

  test('are asked for after 2 s, doubled up to 30 s, while no answer comes', () => {
    let now = life;
    const waits = Array.from({ length: 6 }, () => {
      now = afterAnswer(now, held, { name: 'unreachable' }, 0);
      return now.nextTryAt;
    });
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(renewsAt(now)).toBe(9 * minute);
  });

  test.each([
    ['live', held, 0, `first by one | 0 | ${10 * minute}`],
    ['have ended', held, 10 * minute, 'over | 0 | 0'],
    ['were refused', { ...held, isRefused: true }, 0, 'over | 0 | 0'],
    ['are not there', undefined, 0, 'over | 0 | 0'],
  ])('that nothing renews and that %s', (_, of, now, expected) => {
    expect(words(unrenewable({ ...life, held: of }, now))).toBe(expected);
  });

  test('are renewed at once when the API refuses them, and over when it does so again within a minute', () => {
    const refused = afterRefusal({ ...life, nextTryAt: 5 }, 'first', 100);
    expect([words(refused), renewsAt(refused)]).toEqual(['first by one, refused | 0 | 0', 0]);
    const next = withTokens(refused, { bearer: 'second', refreshToken: 'two', endsAt: 20 * minute }, 'usr_1', 200);
    expect(words(afterRefusal(next, 'second', 100 + minute - 1))).toBe('over | 0 | 0');
    expect(words(afterRefusal(next, 'second', 100 + minute))).toBe('second by two, refused | 0 | 0');
  });

  test('stay as they are when another token is refused, or the same twice, or none is held', () => {
    const refused = afterRefusal(life, 'first', 0);
    for (const [of, token] of [
      [life, 'other'],
      [refused, 'first'],
      [noTokens, 'first'],
    ] as const)
      expect(afterRefusal(of, token, 1)).toBe(of);
  });
});
