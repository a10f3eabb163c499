import type { Channel } from '../../../../../shared/releases/versions/version.ts';
import { wholeNumber } from '../../forms/values.ts';
import { dayOf, startOf } from '../../text/days.ts';

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

/** What a release says of itself, as far as its form holds it. */
export interface Written {
  version: string;
  channel: Channel;
  notes: string;
  critical: boolean;
  publish_on_approval: boolean;
  rollout_percent?: number;
  requires_features: string[];
  covered_at?: string;
}

/** The form's values of a release; of none, those that a new one begins with. */
export const valuesOfRelease = (release?: Written): ReleaseValues => ({
  version: release?.version ?? '',
  channel: release?.channel ?? 'stable',
  notes: release?.notes ?? '',
  critical: release?.critical ?? false,
  publish_on_approval: release?.publish_on_approval ?? false,
  rollout_percent: String(release?.rollout_percent ?? ''),
  requires_features: release?.requires_features ?? [],
  covered_at: release?.covered_at === undefined ? '' : dayOf(release.covered_at),
});

/** What is sent of the form: of a draft only what changed, since a release keeps what is not sent. */
export function bodyOfRelease(values: ReleaseValues, changed: readonly string[]): Pick<Written, 'version'> & Partial<Written> {
  const { version, rollout_percent, covered_at, ...rest } = values;
  const sent: Written = {
    ...rest,
    version,
    ...(rollout_percent.trim() !== '' && { rollout_percent: wholeNumber(rollout_percent) }),
    ...(covered_at !== '' && { covered_at: startOf(covered_at) ?? covered_at }),
  };
  return { ...Object.fromEntries(Object.entries(sent).filter(([name]) => changed.includes(name))), version };
}
