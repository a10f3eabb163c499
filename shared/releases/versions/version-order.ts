import compareSemver from 'semver/functions/compare.js';

/** By the precedence of SemVer 2.0.0: below 0 when `a` is lower. */
export const compareVersions = (a: string, b: string): number => compareSemver(a, b);
