import compareSemver from 'semver/functions/compare.js';
import * as z from 'zod/mini';
import { fault } from '../../faults/fault.ts';
import * as rules from '../../faults/rules.ts';
import { text } from '../../schemas.ts';
import { isVersion } from './version-form.ts';

/** From the most stable. A subscriber of a channel is also offered more stable ones. */
export const channels = ['stable', 'rc', 'beta', 'alpha', 'dev'] as const;
export const Channel = z.enum(channels);
export type Channel = z.infer<typeof Channel>;

/** The channel itself and those that are steadier. */
export const channelsUpTo = (channel: Channel): readonly Channel[] => channels.slice(0, channels.indexOf(channel) + 1);

/** The version of a release, as its seller sends it. */
export const version = text(64).check(z.refine(isVersion, fault(rules.notVersion)));

const withoutBuild = z.transform((value: string) => value.replace(/\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*/, ''));

/** The version that an updater says it runs: build metadata, which has no precedence, is left out. */
export const installedVersion = z.pipe(z.pipe(text(200), withoutBuild), version);

/** By the precedence of SemVer 2.0.0: below 0 when `a` is lower. */
export const compareVersions = (a: string, b: string): number => compareSemver(a, b);

/** 1 to 4 dotted numbers of at most 18 digits: builds that are times are as long. */
const dotted = /^\d{1,18}(?:\.\d{1,18}){0,3}$/;
export const isDottedNumbers = (value: string): boolean => dotted.test(value);
export const dottedNumbers = text(75).check(z.refine(isDottedNumbers, fault(rules.notDottedNumbers)));

/** Number by number, missing ones as 0: below 0 when `a` is lower. */
export function compareDotted(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const index of [0, 1, 2, 3]) {
    const order = compareDigits(left[index] ?? '0', right[index] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

const numbersOf = (dottedText: string) => dottedText.split('.').map((digits) => digits.replace(/^0+(?=\d)/, ''));

/** Of numbers without leading zeros the longer is the higher, however many digits a number of JavaScript can tell apart. */
const compareDigits = (a: string, b: string) => a.length - b.length || (a < b ? -1 : Number(a > b));
