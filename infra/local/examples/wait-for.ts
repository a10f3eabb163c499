import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `look` until it finds something: what a queue carries arrives a moment later. */
export async function waitFor<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(150);
  }
  throw new Error(`${what} did not happen within 15 s.`);
}
