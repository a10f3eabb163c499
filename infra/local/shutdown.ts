import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../shared/logging/logger.ts';

const logger = createLogger({ part: 'shutdown' });

/** Something that runs until it is stopped. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** Registers what was started, to be stopped with the rest, and returns it. */
export type Register = <S extends Stoppable>(started: S) => S;

/** How long one may take to stop before it is left to end with the process. */
const stopTimeoutMs = 3000;

/** Stops all that is registered, the last one first, whatever becomes of each. `register` throws once `signal` is aborted. */
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
        const stopped = started.stop().catch((error: unknown) => logger.error('stop_failed', { error }));
        await Promise.race([stopped, sleep(stopTimeoutMs, undefined, { ref: false })]);
      }
    },
  };
}

/** Runs `work` until it is stopped, and then until it has ended by its signal. */
export function runUntilStopped(work: (signal: AbortSignal) => Promise<unknown>): Stoppable {
  const stopping = new AbortController();
  const running = work(stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
