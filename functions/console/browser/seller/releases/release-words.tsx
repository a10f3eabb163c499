import type { ArtifactRequest, Release } from '../../../../../build/client.ts';
import { isStableVersion } from '../../../../../shared/releases/versions/version-form.ts';
import { State } from '../../components/state.tsx';
import type { Option } from '../../fields/choices.tsx';
import { states } from '../../words/states.ts';
import { wordOf } from '../../words/words.ts';

/** The state, and to how many devices what is published is offered where that is not all. */
export const StateOf = ({ release: { status, rollout_percent: percent = 100 } }: { release: Release }) => (
  <>
    <State of="release" value={status} /> {status === 'published' && percent < 100 && `${percent} %`}
  </>
);

/** The values of a kind, each with its word. */
export const optionsOf = (kind: 'channel' | 'platform' | 'arch' | 'artifact' | 'feed' | 'bundle'): readonly Option[] =>
  Object.entries(states[kind]);

/** The channels that a version may be on; any for none. */
export const channelsOf = (version: string): readonly Option[] =>
  optionsOf('channel').filter(([channel]) => version === '' || isStableVersion(version) === (channel === 'stable'));

/** For what an artifact is: `macOS · ARM64 · Full · Sparkle`. */
export const artifactWords = ({ platform, arch, kind, feeds = [] }: ArtifactRequest): string =>
  [
    wordOf('platform', platform),
    ...(arch === 'any' ? [] : [wordOf('arch', arch)]),
    wordOf('artifact', kind),
    ...feeds.map((feed) => wordOf('feed', feed)),
  ].join(' · ');
