import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import parseSemver from 'semver/functions/parse.js';
import {
  channelsUpTo,
  compareDotted,
  compareVersions,
  installedVersion,
  isDottedNumbers,
} from '../../../shared/releases/versions/version.ts';
import { isStableVersion, isVersion } from '../../../shared/releases/versions/version-form.ts';

describe('versions of releases', () => {
  test('are three numbers, and what is before a release', () => {
    const small = ['1.0.0', '0.0.0', '1.2.3-rc.1', '1.0.0-alpha', '10.20.30-x.7.z-92', '999999999.0.0', '1.0.0-a1234567890', '1.0.0--'];
    const longest = `1.0.0-${'a'.repeat(58)}`;
    expect([...small, longest].filter((version) => !isVersion(version))).toEqual([]);
    const parts = ['', '1', '1.0', '1.0.0+build', '01.0.0', '1.0.0-01', '1.0.0-', '1.0.0-é', 'v1.0.0', '=1.0.0', ' 1.0.0', '1.0.0 '];
    const numbers = ['1234567890.0.0', '1.0.1234567890', '1.0.0-rc.1234567890'];
    expect([...parts, ...numbers, `${longest}a`].filter(isVersion)).toEqual([]);
  });

  test('are what SemVer takes as it stands', () => {
    const parts = fc.array(fc.constantFrom('0', '1', '10', '007', 'a', 'rc', '-', '.', '1.0.0', '+', 'v', ' ', '123456789'), {
      maxLength: 9,
    });
    const written = fc.tuple(fc.constantFrom('', '1.0.0-', '1.2.'), parts).map(([begin, rest]) => begin + rest.join(''));
    fc.assert(
      fc.property(written, (value) => {
        const isSmall = value.length <= 64 && !/(?:^|[.-])\d{10,}(?=$|[.-])/.test(value);
        expect(isVersion(value)).toBe(isSmall && parseSemver(value)?.version === value);
      }),
      { numRuns: 2000 },
    );
  });

  test('stand in the precedence of SemVer', () => {
    const early = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1'];
    const ascending = [...early, '1.0.0', '1.0.10', '1.2.0'];
    expect(ascending.toReversed().toSorted(compareVersions)).toEqual(ascending);
  });

  test.each([
    ['1.2.0', '1.2.0'],
    ['1.2.0+build.51.a-b', '1.2.0'],
    ['1.2.0-rc.1+5', '1.2.0-rc.1'],
    ['1.2.0+é', undefined],
    ['1.2.0+a..b', undefined],
    ['1.2.0+a+b', undefined],
    ['1.2.0+a.é', undefined],
    ['v1.2.0', undefined],
  ])('an updater that says it runs %s runs %s', (told, version) => expect(installedVersion.safeParse(told).data).toBe(version));

  test('without prerelease are stable', () => expect(['1.0.0', '1.0.0-rc.1'].map(isStableVersion)).toEqual([true, false]));

  test('a channel offers what is steadier too', () => {
    expect(channelsUpTo('stable')).toEqual(['stable']);
    expect(channelsUpTo('beta')).toEqual(['stable', 'rc', 'beta']);
  });
});

describe('dotted numbers', () => {
  test('are one to four, of nine digits at most', () => {
    const none = ['', '1.', '.1', '1.2.3.4.5', '1234567890', '1.a', '-1', '1 '];
    const some = ['1', '1.2.3.4', '12.34.999999999', '999999999', '0.0', '007'];
    expect([...none, ...some].filter(isDottedNumbers)).toEqual(some);
  });

  test.each([
    ['1.2', '1.2.0', 0],
    ['1.10', '1.9', 1],
    ['2', '1.999999999', 1],
    ['1.0.0.1', '1', 1],
    ['12.6', '13.0', -1],
  ])('%s compared with %s', (a, b, order) => expect(Math.sign(compareDotted(a, b))).toBe(order));
});
