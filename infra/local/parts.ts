import { setTimeout as sleep } from 'node:timers/promises';

/** Something that runs until it is stopped. */
export interface Part {
  stop(): Promise<void>;
}

/** Remembers a part, to be stopped with the whole. */
export type Keep = <P extends Part>(part: P) => P;

/** How long a part may take to stop before it is left to end with the process. */
const patienceMs = 3000;

/** Parts that are stopped together, the last that was started first. `keep` throws once `signal` is aborted. */
export function createParts(signal?: AbortSignal): { keep: Keep; stop(): Promise<void> } {
  const parts: Part[] = [];
  return {
    keep(part) {
      parts.push(part);
      signal?.throwIfAborted();
      return part;
    },
    async stop() {
      for (const part of parts.splice(0).reverse()) {
        await Promise.race([part.stop(), sleep(patienceMs, undefined, { ref: false })]);
      }
    },
  };
}
