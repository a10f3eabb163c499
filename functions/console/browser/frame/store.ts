import { useEffect, useState } from 'preact/hooks';

/** A value that is shown in several places. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls `onChange` after each change until what it returns is called. */
  subscribe(onChange: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

/** The value of a store, drawn anew when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const follow = () => setValue(() => store.get());
    // It may have changed between drawing and now.
    follow();
    return store.subscribe(follow);
  }, [store]);
  return value;
}
