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
