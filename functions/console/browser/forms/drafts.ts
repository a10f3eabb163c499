import type { Draft } from './edit-state.ts';
import type { Value, Values } from './values.ts';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'draft:';

interface Kept {
  by: string;
  base: Values;
  values: Values;
}

const isObject = (thing: unknown): thing is object => typeof thing === 'object' && thing !== null;
const isText = (thing: unknown): thing is string => typeof thing === 'string';

function isValue(thing: unknown): thing is Value {
  if (isObject(thing)) return Object.values(thing).every(isText);
  return isText(thing) || typeof thing === 'boolean';
}

const areValues = (thing: unknown): thing is Values => isObject(thing) && Object.values(thing).every(isValue);

const isKept = (thing: unknown): thing is Kept =>
  isObject(thing) &&
  'by' in thing &&
  isText(thing.by) &&
  'base' in thing &&
  areValues(thing.base) &&
  'values' in thing &&
  areValues(thing.values);

/**
 * What was typed and not saved, in the storage of this tab and of nobody but its user. Where the storage is full or
 * forbidden, or holds something else, drafts live as long as the page.
 */
export function createDrafts(storage: () => Storage) {
  const inMemory = new Map<string, Kept>();
  let user: string | undefined;

  const attempt = <Result>(act: (storage: Storage) => Result): Result | undefined => {
    try {
      return act(storage());
    } catch {
      return undefined;
    }
  };

  const stored = (name: string): Kept | undefined =>
    attempt((storage) => {
      const kept: unknown = JSON.parse(storage.getItem(name) ?? 'null');
      return isKept(kept) ? kept : undefined;
    });

  function remove(name: string) {
    inMemory.delete(name);
    attempt((storage) => storage.removeItem(name));
  }

  /** Those that another user left go, and what is kept from now on is this one's. */
  function startDrafts(userId: string): void {
    user = userId;
    for (const name of names()) {
      if ((inMemory.get(name) ?? stored(name))?.by !== userId) remove(name);
    }
  }

  /** All of them go, and none is kept until somebody signs in. */
  function forgetDrafts(): void {
    user = undefined;
    for (const name of names()) remove(name);
  }

  /** Whether something was typed in this tab that is not saved. */
  const hasDrafts = (): boolean => names().length > 0;

  function names(): string[] {
    const kept = attempt((storage) => Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')) ?? [];
    return [...new Set([...kept, ...inMemory.keys()])].filter((name) => name.startsWith(prefix));
  }

  function findDraft(key: string): { base: Values; values: Values } | undefined {
    const kept = inMemory.get(prefix + key) ?? stored(prefix + key);
    return kept && kept.by === user ? { base: kept.base, values: kept.values } : undefined;
  }

  function keepDraft(key: string, draft: Draft<Values> | undefined): void {
    const name = prefix + key;
    if (draft === undefined || user === undefined) {
      remove(name);
      return;
    }
    const kept = { by: user, ...draft };
    const isStored = attempt((storage) => {
      storage.setItem(name, JSON.stringify(kept));
      return true;
    });
    // One in memory would hide it, and an older one that is stored would come back in its place.
    if (isStored) inMemory.delete(name);
    else {
      remove(name);
      inMemory.set(name, kept);
    }
  }

  return { startDrafts, forgetDrafts, hasDrafts, findDraft, keepDraft };
}

export const { startDrafts, forgetDrafts, hasDrafts, findDraft, keepDraft } = createDrafts(() => sessionStorage);
