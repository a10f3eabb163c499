import { describe, expect, test } from '@jest/globals';
import { callbackPaths, roleAt, roles, screenAt, screenPaths } from '../../../functions/console/screens.ts';

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
