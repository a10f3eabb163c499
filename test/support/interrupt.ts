import type { Faults } from './engines/faults.ts';

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

  return {
    ...faults,

    /** Runs the task; before its call of this number, or after all of them when they are fewer, `act`. Returns whether they were. */
    async run(task: () => Promise<unknown>, before: number, act: () => Promise<void>): Promise<boolean> {
      calls = 0;
      planned = { before, act };
      await task();
      const wereFewer = planned !== undefined;
      planned = undefined;
      if (wereFewer) await act();
      return wereFewer;
    },
  };
}
export type Interrupter = ReturnType<typeof createInterrupter>;

/** Lets two tasks race; returns what each came to. */
export type Race = (one: () => Promise<string>, other: () => Promise<string>) => Promise<[string, string]>;

/** Runs the scene once for each place at which one of its two tasks can come in, whole, between the calls of the other. */
export async function atEveryCall(scene: (race: Race) => Promise<void>, interrupter: Interrupter): Promise<number> {
  let scenes = 0;
  for (const isFirst of [true, false]) {
    for (let before = 1, wereFewer = false; !wereFewer; before += 1) {
      scenes += 1;
      await scene(async (one, other) => {
        const outcomes: [string, string] = ['', ''];
        const runOne = async () => {
          outcomes[0] = await one();
        };
        const runOther = async () => {
          outcomes[1] = await other();
        };
        wereFewer = await (isFirst ? interrupter.run(runOne, before, runOther) : interrupter.run(runOther, before, runOne));
        return outcomes;
      });
    }
  }
  return scenes;
}
