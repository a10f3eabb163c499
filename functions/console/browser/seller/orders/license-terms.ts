import { fault } from '../../../../../shared/faults/fault.ts';
import * as rules from '../../../../../shared/faults/rules.ts';
import type { Fault } from '../../forms/faults.ts';
import { wholeNumber } from '../../forms/values.ts';
import { dayOf, endOf } from '../../text/days.ts';

/** What a seller may set of a license, as the form shows it; without a day where updates have no end. */
type TermValues = { activation_limit: string; updates_until: string };

/** The same of a license, or as it is asked for. */
interface Terms {
  activation_limit: number;
  updates_until?: string;
}

export const termValues = ({ activation_limit, updates_until }: Terms): TermValues => ({
  activation_limit: String(activation_limit),
  updates_until: updates_until === undefined ? '' : dayOf(updates_until),
});

/** What is asked for: what differs from the license alone, so that two who change different things do not undo each other. */
export function termsBody(values: TermValues, license: Terms): Partial<Terms> {
  const before = termValues(license);
  const day = values.updates_until === before.updates_until ? undefined : endOf(values.updates_until);
  const isLimit = values.activation_limit !== before.activation_limit || day === undefined;
  return { ...(isLimit && { activation_limit: wholeNumber(values.activation_limit) }), ...(day !== undefined && { updates_until: day }) };
}

/** What the schema of the interface cannot know: that an end of updates stays, and moves later alone. */
export function faultsInTerms({ updates_until: day }: TermValues, { updates_until: present }: Terms): Fault[] {
  if (present === undefined || day === dayOf(present)) return [];
  const wanted = endOf(day);
  if (wanted === undefined) return [{ field: 'updates_until', text: fault(rules.missing) }];
  return wanted > present ? [] : [{ field: 'updates_until', text: fault(rules.updatesNotLater) }];
}
