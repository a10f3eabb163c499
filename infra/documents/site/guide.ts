import { answers } from './guide/answers.ts';
import { calls } from './guide/calls.ts';
import { care } from './guide/care.ts';
import { fingerprints } from './guide/fingerprints.ts';
import { offline } from './guide/offline.ts';
import type { Section } from './guide/section.ts';
import { start } from './guide/start.ts';

/** For people who build licensing into an app. */
export const guide: readonly Section[] = [calls, start, answers, offline, fingerprints, care];
