import { setTimeout as sleep } from 'node:timers/promises';

/** Something that runs until it is stopped. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** Registers what was started, to be stopped with the rest, and returns it. */
export type Register = <S extends Stoppable>(started: S) => S;

/** How long one may take to stop before it is left to end with the process. */
const stopTimeoutMs = 3000;

/** Stops all that is registered, the last one first. `register` throws once `signal` is aborted. */
export function createShutdown(signal?: AbortSignal): { register: Register; stop(): Promise<void> } {
  const running: Stoppable[] = [];
  return {
    register(started) {
      running.push(started);
      signal?.throwIfAborted();
      return started;
    },
    async stop() {
      for (const started of running.splice(0).reverse()) {
        await Promise.race([started.stop(), sleep(stopTimeoutMs, undefined, { ref: false })]);
      }
    },
  };
}
