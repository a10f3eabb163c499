import { useReducer, useRef } from 'preact/hooks';
import { findDraft, keepDraft } from './drafts.ts';
import {
  type Choice,
  draftOf,
  type EditState,
  type OpenConflict,
  type Stored,
  startEdit,
  withChoice,
  withSaved,
  withStored,
  withValue,
} from './edit-state.ts';
import { type Alike, differingFields, sameValue, type Value, type Values } from './values.ts';

interface EditOptions<V extends Values> {
  /** What is edited, among all that this tab can edit: the name of its draft. */
  key: string;
  /** What the service has of it, as the form shows it. What is read anew later is merged. */
  base: V;
  revision?: number | undefined;
  /** Whether what is typed is kept until it is saved or discarded. Searches, secrets and buyers' addresses never are. */
  draft?: boolean;
  /** When two values of a field say the same; usually when they are equal. */
  alike?: Alike;
}

/** A form's values on what they were when it was opened, or last saved. */
export interface Edit<V extends Values = Values> {
  values: V;
  revision: number | undefined;
  /** Whether a draft of it is kept. */
  isKept: boolean;
  alike: Alike;
  /** The names of the fields that say something else than what is stored. */
  changed: readonly string[];
  isChanged: boolean;
  conflicts: readonly OpenConflict[];
  set(field: string, value: Value): void;
  choose(field: string, choice: Choice): void;
  /** Puts what is stored in the place of what was typed. What it returns brings that back. */
  discard(): () => void;
  /** The service took `sent` and has `stored` now; what was typed since stays. */
  saved(sent: V, stored: Stored<V>): void;
  /** Merges what the service has now. */
  merge(stored: Stored<V>): void;
  /** As it is at the moment, also before the form is drawn again. */
  latest(): EditState<V>;
}

interface Cell<V extends Values> {
  key: string;
  given: V;
  state: EditState<V>;
}

const defaultAlike: Alike = (_, one, other) => sameValue(one, other);

/** The edit of what `key` names, which begins with its draft where there is one. */
export function useEdit<V extends Values>({ key, base, revision, draft = true, alike = defaultAlike }: EditOptions<V>): Edit<V> {
  const cell = useRef<Cell<V>>();
  const [, draw] = useReducer((count: number) => count + 1, 0);

  function keep(state: EditState<V>): EditState<V> {
    if (draft) keepDraft(key, draftOf(state, alike));
    return state;
  }

  let now = cell.current;
  if (now?.key !== key) {
    now = { key, given: base, state: keep(startEdit({ values: base, revision }, draft ? findDraft(key) : undefined, alike)) };
  } else if (isNews(now, base, revision)) {
    now = { key, given: base, state: keep(withStored(now.state, { values: base, revision }, alike)) };
  }
  cell.current = now;
  const current = now;

  const latest = () => (cell.current ?? current).state;
  function update(state: EditState<V>) {
    cell.current = { ...(cell.current ?? current), state: keep(state) };
    draw(0);
  }

  const { state } = now;
  const changed = differingFields(state.values, state.base, alike);
  return {
    values: state.values,
    revision: state.revision,
    isKept: draft,
    alike,
    changed,
    isChanged: changed.length > 0 || state.conflicts.some(({ choice }) => choice === undefined),
    conflicts: state.conflicts,
    set: (field, value) => update(withValue(latest(), field, value)),
    choose: (field, choice) => update(withChoice(latest(), field, choice)),
    discard() {
      const before = latest();
      update({ ...before, values: before.base, conflicts: [] });
      return () => update(withStored(before, { values: latest().base, revision: latest().revision }, alike));
    },
    saved: (sent, stored) => update(withSaved(latest(), sent, stored, alike)),
    merge: (stored) => update(withStored(latest(), stored, alike)),
    latest,
  };
}

/** A read that began before the last save may end after it, and is no news. */
function isNews<V extends Values>({ given, state }: Cell<V>, base: V, revision: number | undefined): boolean {
  if (revision !== undefined && state.revision !== undefined) return revision > state.revision;
  return given !== base && differingFields(base, given, defaultAlike).length > 0;
}
