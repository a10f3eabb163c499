import type { ArtifactRequest, Release } from '../../../../../build/client.ts';
import { channels } from '../../../../../shared/releases/version.ts';
import { State } from '../../parts/state.tsx';
import { wordOf } from '../../words/words.ts';

/** The state, and to how many devices what is published is offered where that is not all. */
export const StateOf = ({ release: { status, rollout_percent: percent = 100 } }: { release: Release }) => (
  <>
    <State of="release" value={status} /> {status === 'published' && percent < 100 && `${percent} %`}
  </>
);

/** The channels that a version may be on, with their words. */
export const channelOptions = (mayBe: (channel: (typeof channels)[number]) => boolean) =>
  channels.filter(mayBe).map((channel) => [channel, wordOf('channel', channel)] as const);

/** For what an artifact is: `macOS · ARM64 · Full · Sparkle`. */
export const artifactWords = ({ platform, arch, kind, feeds = [] }: ArtifactRequest): string =>
  [
    wordOf('platform', platform),
    ...(arch === 'any' ? [] : [wordOf('arch', arch)]),
    wordOf('artifact', kind),
    ...feeds.map((feed) => wordOf('feed', feed)),
  ].join(' · ');
