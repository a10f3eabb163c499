import { ApiFailure } from './failure.ts';

/** What was read, and how far it is. */
export interface Snapshot<Value> {
  value: Value | undefined;
  /** Why there is nothing, or nothing newer; while it waits to be tried again, why it waits. */
  failure: ApiFailure | undefined;
  reading: boolean;
}

/** The place of one thing that is read, for all that show it. */
export interface Cell<Value> {
  get(): Snapshot<Value>;
  /** Calls `onChange` after each change until what it returns is called; what is old by then is read. */
  subscribe(onChange: () => void): () => void;
  /** Reads; with another `load` than usual where one is given. */
  read(load?: (before: Value | undefined) => Promise<Value>): void;
  /** Stores a value that is newer than any read in progress. */
  put(value: Value): void;
  /** Invalidates the value: reads it again now if it is observed, otherwise when it is. */
  invalidate(): void;
  isObserved(): boolean;
  /** Since when its value is right; 0 where it may be wrong. */
  freshSince(): number;
}

/** For how long something that was read is shown to whoever comes to look at it without reading it again. */
export const freshMs = 1_000;
const maxTries = 4;

/** Reads by `load`, one at a time. A read that started before a write never replaces a newer value. */
export function createCell<Value>(
  defaultLoad: (before: Value | undefined) => Promise<Value>,
  { now, later }: { now: () => number; later: (ms: number, act: () => void) => void },
): Cell<Value> {
  const listeners = new Set<() => void>();
  let snapshot: Snapshot<Value> = { value: undefined, failure: undefined, reading: false };
  let since = 0;
  /** Counts what makes a read that is under way too old. */
  let turn = 0;

  function show(change: Partial<Snapshot<Value>>): void {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  }

  const pause = (ms: number) => new Promise<void>((resolve) => later(ms, resolve));

  async function run(load: typeof defaultLoad): Promise<void> {
    for (let tries = 1; ; ) {
      const begun = turn;
      try {
        const value = await load(snapshot.value);
        if (begun !== turn) continue;
        since = now();
        return show({ value, failure: undefined, reading: false });
      } catch (reason) {
        if (begun !== turn) continue;
        const failure = reason instanceof ApiFailure ? reason : new ApiFailure({ code: 'internal_error' });
        if (!failure.passes || tries >= maxTries || listeners.size === 0) return show({ failure, reading: false });
        show({ failure });
        await pause(Math.max(failure.retryAfterSeconds, 2 ** tries) * 1000);
        tries += 1;
      }
    }
  }

  function read(load = defaultLoad): void {
    if (snapshot.reading) return;
    show({ reading: true });
    void run(load);
  }

  return {
    get: () => snapshot,
    subscribe(onChange) {
      listeners.add(onChange);
      if (now() - since > freshMs) read();
      return () => listeners.delete(onChange);
    },
    read,
    put(value) {
      turn += 1;
      since = now();
      show({ value, failure: undefined });
    },
    invalidate() {
      turn += 1;
      since = 0;
      if (listeners.size > 0) read();
    },
    isObserved: () => listeners.size > 0,
    freshSince: () => since,
  };
}
