import { type Alike, sameValue, type Value, type Values } from './values.ts';

/** A field that both sides changed, each otherwise. */
export interface Conflict {
  field: string;
  base: Value;
  theirs: Value;
  mine: Value;
}

/**
 * Two edits of one base as one, field by field: what only one side changed is taken, and what both changed alike. A field
 * that both changed otherwise is a conflict; its value stays mine until somebody chooses.
 */
export function mergeEdit<V extends Values>(
  { base, mine, theirs }: Record<'base' | 'mine' | 'theirs', V>,
  alike: Alike = (_, one, other) => sameValue(one, other),
): { values: V; conflicts: Conflict[] } {
  const sides = Object.entries(mine).map(([field, own]) => {
    const [old = own, other = own] = [base[field], theirs[field]];
    const isOwn = !alike(field, own, old) && !alike(field, own, other);
    return { field, base: old, theirs: other, mine: own, isOwn, isConflict: isOwn && !alike(field, other, old) };
  });
  const kept = sides.filter(({ isOwn }) => isOwn).map(({ field, mine }) => [field, mine] as const);
  return {
    values: { ...theirs, ...Object.fromEntries(kept) },
    conflicts: sides.filter(({ isConflict }) => isConflict).map(({ field, base, theirs, mine }) => ({ field, base, theirs, mine })),
  };
}
