import * as z from 'zod/mini';
import type { Draft } from './edit-state.ts';
import type { Value, Values } from './values.ts';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'draft:';

const value: z.ZodMiniType<Value> = z.union([z.string(), z.boolean(), z.array(z.string()), z.record(z.string(), z.string())]);
const Kept = z.object({ by: z.string(), base: z.record(z.string(), value), values: z.record(z.string(), value) });
type Kept = z.infer<typeof Kept>;

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
    attempt((storage) => z.safeParse(Kept, JSON.parse(storage.getItem(name) ?? 'null')).data);

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
