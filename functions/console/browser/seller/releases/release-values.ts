import type { ArtifactRequest, Bundle, Channel, Release, ReleaseRequest } from '../../../../../build/client.ts';
import { wholeNumber } from '../../forms/values.ts';

/** What the form of a draft holds. */
export type ReleaseValues = {
  version: string;
  channel: Channel;
  notes: string;
  critical: boolean;
  publish_on_approval: boolean;
  rollout_percent: string;
  requires_features: string[];
  covered_at: string;
};

/** The form's values of a release; of none, those that a new one begins with. */
export const valuesOfRelease = (release?: Release): ReleaseValues => ({
  version: release?.version ?? '',
  channel: release?.channel ?? 'stable',
  notes: release?.notes ?? '',
  critical: release?.critical ?? false,
  publish_on_approval: release?.publish_on_approval ?? false,
  rollout_percent: textOf(release?.rollout_percent),
  requires_features: release?.requires_features ?? [],
  covered_at: release?.covered_at === undefined ? '' : dayOf(release.covered_at),
});

const textOf = (number: number | undefined) => (number === undefined ? '' : String(number));

/** What is sent of the form: of a draft only what changed, since a release keeps what is not sent. */
export function bodyOfRelease(values: ReleaseValues, changed: readonly string[]): ReleaseRequest {
  const { version, rollout_percent, covered_at, ...rest } = values;
  const sent: ReleaseRequest = {
    ...rest,
    version,
    ...(rollout_percent.trim() !== '' && { rollout_percent: wholeNumber(rollout_percent) }),
    ...(covered_at !== '' && { covered_at: instantOf(covered_at) }),
  };
  return { ...Object.fromEntries(Object.entries(sent).filter(([name]) => changed.includes(name))), version };
}

/** The day of an instant in the reader's zone, as a field for days has it. */
export function dayOf(at: string): string {
  const time = new Date(at);
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** When a day begins in the reader's zone; what is no day is left for the schema to refuse. */
function instantOf(day: string): string {
  const begins = new Date(`${day}T00:00:00`);
  return Number.isNaN(begins.getTime()) ? day : begins.toISOString();
}

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
  block_map_size: textOf(artifact.block_map_size),
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

/** The fields that an artifact of this kind in these feeds may need, besides those that each has. */
export function fieldsOf({ kind, feeds }: Pick<ArtifactValues, 'kind' | 'feeds'>): (keyof ArtifactValues)[] {
  const isFor = (feed: (typeof feeds)[number]) => feeds.includes(feed) && kind !== 'blockmap';
  return [
    ...(isFor('appcast') ? (['build', 'ed25519_signature'] as const) : []),
    ...(isFor('tauri') ? (['bundle', 'minisign_signature'] as const) : []),
    ...(isFor('velopack') ? (['package_id'] as const) : []),
    ...(isFor('electron') ? (['block_map_size'] as const) : []),
    ...(kind === 'delta' ? (['from_version'] as const) : []),
    'minimum_os',
  ];
}
