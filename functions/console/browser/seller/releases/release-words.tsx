import type { ArtifactRequest, Release } from '../../../../../build/client.ts';
import { State } from '../../parts/state.tsx';
import { isValueOf, wordOf, wordsOf } from '../../words/words.ts';

/** The state, and to how many devices what is published is offered where that is not all. */
export const StateOf = ({ release: { status, rollout_percent: percent = 100 } }: { release: Release }) => (
  <>
    <State of="release" value={status} /> {status === 'published' && percent < 100 && `${percent} %`}
  </>
);

/** The channels that a version may be on, with their words. */
export const channelOptions = (mayBe: (channel: string) => boolean) => wordsOf('channel').filter(([channel]) => mayBe(channel));

/** Whether a version belongs on the stable channel, and on no other. */
export const isStable = (version: string): boolean => !version.includes('-');

/** The channel of a prerelease that is named after one; else the steadiest that it may be on. */
export function channelOf(version: string): string {
  const [, name = ''] = /-(\w+)/.exec(version) ?? [];
  if (isStable(version)) return 'stable';
  return isValueOf('channel', name) ? name : 'rc';
}

/** For what an artifact is: `macOS · ARM64 · Full · Sparkle`. */
export const artifactWords = ({ platform, arch, kind, feeds = [] }: ArtifactRequest): string =>
  [
    wordOf('platform', platform),
    ...(arch === 'any' ? [] : [wordOf('arch', arch)]),
    wordOf('artifact', kind),
    ...feeds.map((feed) => wordOf('feed', feed)),
  ].join(' · ');
