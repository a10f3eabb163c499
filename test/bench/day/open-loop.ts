import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival } from './arrivals.ts';

export interface Outcome<T extends string> {
  kind: T;
  /** From when it was due until it was answered, in milliseconds. */
  latency: number;
  /** Why it was not answered as it should be. */
  failure?: string;
}

/**
 * Begins each request when it is due, however many others still wait, and measures from then: what a slow answer makes those after it
 * wait counts too. A request fails by throwing.
 */
export async function runOpenLoop<T extends string>(
  arrivals: readonly Arrival<T>[],
  requests: Readonly<Record<T, () => Promise<void>>>,
): Promise<Outcome<T>[]> {
  const began = performance.now();
  const pending: Promise<Outcome<T>>[] = [];
  for (const { at, kind } of arrivals) {
    const early = began + at - performance.now();
    if (early > 0) await sleep(early);
    pending.push(
      requests[kind]().then(
        () => ({ kind, latency: performance.now() - began - at }),
        (error) => ({ kind, latency: performance.now() - began - at, failure: String(error) }),
      ),
    );
  }
  return Promise.all(pending);
}
