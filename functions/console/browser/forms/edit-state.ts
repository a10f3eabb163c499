import { type Conflict, mergeEdit } from './merge.ts';
import { type Alike, differingFields, type Value, type Values } from './values.ts';

export type Choice = 'base' | 'theirs' | 'mine';

export interface OpenConflict extends Conflict {
  /** Which side was chosen; without one the form is not sent. */
  choice?: Choice;
}

/** An edit that is under way. */
export interface EditState<V extends Values> {
  /** What the service has, as far as is known. */
  base: V;
  revision: number | undefined;
  values: V;
  conflicts: readonly OpenConflict[];
}

/** What the service has of what is edited. */
export interface Stored<V extends Values> {
  values: V;
  revision?: number | undefined;
}

/** What outlives a reload. */
export interface Draft<V extends Values> {
  base: V;
  values: V;
}

/** An edit of what is stored; with a draft that began on it, or on something older, which is then merged. */
export function startEdit<V extends Values>(stored: Stored<V>, draft: Draft<Values> | undefined, alike: Alike): EditState<V> {
  const { values, revision } = stored;
  const fresh = { base: values, revision, values, conflicts: [] };
  if (!draft) return fresh;
  // It may come from another version of the form.
  const fit = Object.keys(values).filter(
    (field) => isOfKind(values[field], draft.base[field]) && isOfKind(values[field], draft.values[field]),
  );
  const over = (side: Values) => ({ ...values, ...Object.fromEntries(fit.map((field) => [field, side[field]])) });
  return withStored({ ...fresh, base: over(draft.base), values: over(draft.values) }, stored, alike);
}

const isOfKind = (one: Value | undefined, other: Value | undefined) =>
  typeof one === typeof other && Array.isArray(one) === Array.isArray(other);

/** What to keep of an edit: undefined when it changed nothing. A conflict that nobody decided begins again from the draft. */
export function draftOf<V extends Values>({ base, values, conflicts }: EditState<V>, alike: Alike): Draft<V> | undefined {
  const open = conflicts.filter(({ choice }) => choice === undefined);
  if (open.length === 0 && differingFields(values, base, alike).length === 0) return undefined;
  return { base: { ...base, ...Object.fromEntries(open.map(({ field, base }) => [field, base])) }, values };
}

/** The edit on what is stored now, somebody else's changes among it. */
export function withStored<V extends Values>(state: EditState<V>, { values: theirs, revision }: Stored<V>, alike: Alike): EditState<V> {
  const { values, conflicts } = mergeEdit({ base: state.base, mine: state.values, theirs }, alike);
  const asNow = { base: theirs, revision: revision ?? state.revision, values };
  const earlier = new Map(state.conflicts.map((conflict) => [conflict.field, conflict]));
  const fresh = conflicts.map((conflict) => {
    const before = earlier.get(conflict.field);
    return before && before.choice === undefined ? { ...conflict, base: before.base } : conflict;
  });
  const isFresh = (field: string) => conflicts.some((conflict) => conflict.field === field);
  const left = state.conflicts.filter(({ field }) => !isFresh(field) && !alike(field, values[field], theirs[field]));
  return { ...asNow, conflicts: [...left, ...fresh] };
}

/** The edit after its service took `sent`: what was typed since stays. */
export function withSaved<V extends Values>(
  state: EditState<V>,
  sent: V,
  { values: theirs, revision }: Stored<V>,
  alike: Alike,
): EditState<V> {
  const { values } = mergeEdit({ base: sent, mine: state.values, theirs }, alike);
  return { base: theirs, revision: revision ?? state.revision, values, conflicts: [] };
}

/** The edit with another value in a field; of one in conflict it is mine that is chosen. */
export function withValue<V extends Values>(state: EditState<V>, field: string, value: Value): EditState<V> {
  const conflicts = state.conflicts.map((conflict) =>
    conflict.field === field ? ({ ...conflict, mine: value, choice: 'mine' } as const) : conflict,
  );
  return { ...state, values: { ...state.values, [field]: value }, conflicts };
}

/** The edit with one side of a conflict in its field. */
export function withChoice<V extends Values>(state: EditState<V>, field: string, choice: Choice): EditState<V> {
  const conflict = state.conflicts.find((one) => one.field === field);
  if (!conflict) return state;
  const conflicts = state.conflicts.map((one) => (one === conflict ? { ...one, choice } : one));
  return { ...state, values: { ...state.values, [field]: conflict[choice] }, conflicts };
}

export const isDecided = ({ conflicts }: { conflicts: readonly OpenConflict[] }): boolean =>
  conflicts.every(({ choice }) => choice !== undefined);
