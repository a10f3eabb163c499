import type { Channel, Release, ReleaseRequest } from '../../../../../build/client.ts';
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
