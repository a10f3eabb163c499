import type { Locale } from '../../../shared/locale.ts';
import { answers } from './guide/answers.ts';
import { calls } from './guide/calls.ts';
import { care } from './guide/care.ts';
import { fingerprints } from './guide/fingerprints.ts';
import { answers as answersJa } from './guide/ja/answers.ts';
import { calls as callsJa } from './guide/ja/calls.ts';
import { care as careJa } from './guide/ja/care.ts';
import { fingerprints as fingerprintsJa } from './guide/ja/fingerprints.ts';
import { offline as offlineJa } from './guide/ja/offline.ts';
import { start as startJa } from './guide/ja/start.ts';
import { testKeys as testKeysJa } from './guide/ja/test-keys.ts';
import { offline } from './guide/offline.ts';
import type { Section } from './guide/section.ts';
import { start } from './guide/start.ts';
import { testKeys } from './guide/test-keys.ts';

/** For people who build licensing into an app: the same sections in each language. */
export const guides: Readonly<Record<Locale, readonly Section[]>> = {
  en: [calls, start, testKeys, answers, offline, fingerprints, care],
  ja: [callsJa, startJa, testKeysJa, answersJa, offlineJa, fingerprintsJa, careJa],
};
