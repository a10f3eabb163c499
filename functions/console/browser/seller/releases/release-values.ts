import type { Release, ReleaseRequest } from '../../../../../build/client.ts';
import { wholeNumber } from '../../forms/values.ts';
import { dayOf, startOf } from '../../text/days.ts';

/** The form's values of a release; of none, those that a new one begins with. */
export const valuesOfRelease = (release?: Release) => ({
  version: release?.version ?? '',
  channel: release?.channel ?? 'stable',
  notes: release?.notes ?? '',
  critical: release?.critical ?? false,
  publish_on_approval: release?.publish_on_approval ?? false,
  rollout_percent: String(release?.rollout_percent ?? ''),
  requires_features: release?.requires_features ?? [],
  covered_at: release?.covered_at === undefined ? '' : dayOf(release.covered_at),
});
export type ReleaseValues = ReturnType<typeof valuesOfRelease>;

/** What is sent of the form: of a draft only what changed, since a release keeps what is not sent. */
export function bodyOfRelease(values: ReleaseValues, changed: readonly string[]): ReleaseRequest {
  const { version, rollout_percent, covered_at, ...rest } = values;
  const sent: ReleaseRequest = {
    ...rest,
    version,
    ...(rollout_percent.trim() !== '' && { rollout_percent: wholeNumber(rollout_percent) }),
    ...(covered_at !== '' && { covered_at: startOf(covered_at) ?? covered_at }),
  };
  return { ...Object.fromEntries(Object.entries(sent).filter(([name]) => changed.includes(name))), version };
}
