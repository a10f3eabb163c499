import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { returnPath } from '../../../functions/console/browser/session/return-path.ts';
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
