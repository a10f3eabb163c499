import { sampled, turns } from './depth.ts';
import type { Faults } from './engines/faults.ts';
import type { Meetings } from './serializable.ts';

export type Interrupter = ReturnType<typeof createInterrupter>;

/**
 * Stands between code and its engines, and lets something else happen, all of it, right before one of a
 * task's calls. Unlike `createInterleaver` it does not mind how long the code computes between its calls.
 */
export function createInterrupter() {
  let calls = 0;
  let planned: { before: number; act: () => Promise<void> } | undefined;

  const faults: Faults = {
    async call(_name, make) {
      calls += 1;
      if (planned?.before === calls) {
        const { act } = planned;
        planned = undefined;
        await act();
      }
      return make();
    },
  };

  /** Runs the task; before its call of this number, or after all of them when they are fewer, `act`. Returns how many it made. */
  async function run(task: () => Promise<unknown>, before: number, act: () => Promise<unknown>): Promise<number> {
    calls = 0;
    planned = { before, act: async () => void (await act()) };
    await task();
    const made = calls;
    const isLeft = planned !== undefined;
    planned = undefined;
    if (isLeft) await act();
    return made;
  }

  return {
    ...faults,

    /** Runs the scene once for each place at which something else can come in between the calls of its task; below depth 1 for some of them. */
    async atEveryCall(scene: (interrupt: (task: () => Promise<unknown>, act: () => Promise<unknown>) => Promise<void>) => Promise<void>) {
      const runAt = async (before: number) => {
        let made = 0;
        await scene(async (task, act) => {
          made = await run(task, before, act);
        });
        return made;
      };
      const made = await runAt(Number.POSITIVE_INFINITY);
      for (const before of sampled(Array.from({ length: made }, (_, index) => index + 1))) await runAt(before);
    },
  };
}

/** Lets one of two tasks come in, whole, between the calls of the other, at each place and for each of the two. */
export const interruptionsOf =
  ({ atEveryCall }: Interrupter): Meetings =>
  async (scene) => {
    for (const isSwapped of turns()) {
      await atEveryCall((interrupt) =>
        scene(async (tasks) => {
          const replies: unknown[] = [];
          const kept = (index: 0 | 1) => async () => {
            replies[index] = await tasks[index]();
          };
          await interrupt(kept(isSwapped ? 1 : 0), kept(isSwapped ? 0 : 1));
          return { replies };
        }),
      );
    }
  };
