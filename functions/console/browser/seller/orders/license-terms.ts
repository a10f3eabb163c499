import type { SoldOrder } from '../../../../../build/client.ts';
import { fault } from '../../../../../shared/faults/fault.ts';
import * as rules from '../../../../../shared/faults/rules.ts';
import type { Fault } from '../../forms/faults.ts';
import { wholeNumber } from '../../forms/values.ts';
import { dayOf, endOf } from '../../text/days.ts';

/** What a seller may set of a license. */
type Terms = Pick<NonNullable<SoldOrder['license']>, 'activation_limit' | 'updates_until'>;

/** The same as the form shows it; without a day where updates have no end. */
export const termValues = ({ activation_limit, updates_until }: Terms) => ({
  activation_limit: String(activation_limit),
  updates_until: updates_until === undefined ? '' : dayOf(updates_until),
});
type TermValues = ReturnType<typeof termValues>;

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
