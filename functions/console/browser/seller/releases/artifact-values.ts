import type { ArtifactRequest, Bundle } from '../../../../../build/client.ts';
import { wholeNumber } from '../../forms/values.ts';

/** What the form of an artifact holds. */
export type ArtifactValues = Required<Omit<ArtifactRequest, 'block_map_size' | 'bundle'>> & {
  block_map_size: string;
  bundle: Bundle | '';
};

/** The form's values of an artifact, or of what a new one begins with. */
export const valuesOfArtifact = (artifact: ArtifactRequest): ArtifactValues => ({
  file_id: artifact.file_id,
  platform: artifact.platform,
  arch: artifact.arch,
  kind: artifact.kind,
  feeds: artifact.feeds ?? [],
  build: artifact.build ?? '',
  minimum_os: artifact.minimum_os ?? '',
  from_version: artifact.from_version ?? '',
  package_id: artifact.package_id ?? '',
  block_map_size: String(artifact.block_map_size ?? ''),
  bundle: artifact.bundle ?? '',
  ed25519_signature: artifact.ed25519_signature ?? '',
  minisign_signature: artifact.minisign_signature ?? '',
});

/** What is sent of an artifact: what is left empty is not. */
export function bodyOfArtifact({ feeds, block_map_size, ...values }: ArtifactValues): ArtifactRequest {
  const { file_id, platform, arch, kind, ...optional } = values;
  const filled = Object.entries(optional).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]));
  return {
    ...Object.fromEntries(filled),
    file_id,
    platform,
    arch,
    kind,
    ...(feeds.length > 0 && { feeds }),
    ...(block_map_size.trim() !== '' && { block_map_size: wholeNumber(block_map_size) }),
  };
}

const optional = [
  'build',
  'minimum_os',
  'from_version',
  'package_id',
  'block_map_size',
  'bundle',
  'ed25519_signature',
  'minisign_signature',
] as const;

/** The optional fields that an artifact of this kind for these updaters may need, and those that hold something. */
export function fieldsOf(values: ArtifactValues): (typeof optional)[number][] {
  const { kind, feeds } = values;
  const wanted: readonly string[] = [
    'minimum_os',
    ...(kind === 'delta' ? ['from_version'] : []),
    ...(kind === 'blockmap' ? [] : feeds.flatMap((feed) => wantedBy[feed])),
  ];
  return optional.filter((name) => wanted.includes(name) || values[name] !== '');
}

const wantedBy = {
  appcast: ['build', 'ed25519_signature'],
  tauri: ['bundle', 'minisign_signature'],
  electron: ['block_map_size'],
  velopack: ['package_id'],
};

/** What names each artifact within its release, whatever is before it: its file, and which one of that file it is. */
export const keysOf = (artifacts: readonly { file_id: string }[]): string[] =>
  artifacts.map(({ file_id }, at) => {
    const before = artifacts.slice(0, at).filter((other) => other.file_id === file_id).length;
    return before === 0 ? file_id : `${file_id}:${before}`;
  });

/**
 * What is sent of all artifacts of a draft, with one in the place of that which the key names, or else after all others;
 * without one, without that.
 */
export function artifactsWith(
  { artifacts }: { artifacts: readonly ArtifactRequest[] },
  key: string,
  changed?: ArtifactRequest,
): ArtifactRequest[] {
  const at = keysOf(artifacts).indexOf(key);
  const sent = artifacts.map((artifact) => bodyOfArtifact(valuesOfArtifact(artifact)));
  if (changed === undefined) return sent.filter((_, place) => place !== at);
  return at < 0 ? [...sent, changed] : sent.with(at, changed);
}
