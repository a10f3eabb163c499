import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';

type Task = () => Promise<unknown>;

/** Runs two tasks at once in one of their orders: what each came to, and which of them was the first to decide, where that shows. */
export type Race = (tasks: readonly [Task, Task]) => Promise<{ replies: readonly unknown[]; first?: number | undefined }>;

/** Runs the scene once for each order in which two tasks can meet. */
export type Meetings = (scene: (race: Race) => Promise<void>) => Promise<void>;

/** Two tasks about something new. */
export interface Pair {
  tasks: readonly [Task, Task];
  /** All that can be seen of it in the end, without ids and times. */
  end(): Promise<unknown>;
}

/** However the two tasks meet, they come to what one of them after the other comes to: the one that was the first to decide. */
export async function expectSerializable(meetings: Meetings, prepare: () => Promise<Pair>): Promise<void> {
  const outcomeOf = async (race: Race) => {
    const { tasks, end } = await prepare();
    const { replies, first } = await race(tasks);
    return { outcome: { replies, end: await end() }, first };
  };
  const { outcome: oneFirst } = await outcomeOf(async ([one, other]) => ({ replies: [await one(), await other()] }));
  const { outcome: otherFirst } = await outcomeOf(async ([one, other]) => {
    const reply = await other();
    return { replies: [await one(), reply] };
  });
  await meetings(async (race) => {
    const { outcome, first } = await outcomeOf(race);
    if (first === 1 || !isDeepStrictEqual(outcome, oneFirst)) assert.deepStrictEqual(outcome, first === 0 ? oneFirst : otherFirst);
  });
}
