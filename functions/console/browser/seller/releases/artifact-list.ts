import type { Artifact, ArtifactRequest, Release } from '../../../../../build/client.ts';
import { bodyOfArtifact, valuesOfArtifact } from './release-values.ts';

/** What names each artifact within its release, whatever is before it: its file, and which one of that file it is. */
export const keysOf = (artifacts: readonly Pick<Artifact, 'file_id'>[]): string[] =>
  artifacts.map(({ file_id }, at) => {
    const before = artifacts.slice(0, at).filter((other) => other.file_id === file_id).length;
    return before === 0 ? file_id : `${file_id}:${before}`;
  });

/** What a draft has, as it is sent. */
const sentOf = ({ artifacts }: Pick<Release, 'artifacts'>) => artifacts.map((artifact) => bodyOfArtifact(valuesOfArtifact(artifact)));

/** The artifacts with one in the place of that which the key names, or after all others. */
export function withArtifact(release: Pick<Release, 'artifacts'>, key: string | undefined, artifact: ArtifactRequest): ArtifactRequest[] {
  const at = key === undefined ? -1 : keysOf(release.artifacts).indexOf(key);
  return at < 0 ? [...sentOf(release), artifact] : sentOf(release).with(at, artifact);
}

/** The artifacts without that which the key names. */
export function withoutArtifact(release: Pick<Release, 'artifacts'>, key: string): ArtifactRequest[] {
  const at = keysOf(release.artifacts).indexOf(key);
  return sentOf(release).filter((_, place) => place !== at);
}
