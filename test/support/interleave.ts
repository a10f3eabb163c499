import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as settle } from 'node:timers/promises';
import type { Table } from '../../shared/db/table.ts';
import { sampled, turns } from './depth.ts';
import type { Meetings, Race } from './serializable.ts';

/** Chooses whose turn it is of `of` tasks that wait; 0 is the one that had the last turn, if it waits. */
interface Picks {
  next(of: number): { value: number };
}

/** Reads each item of a batch at a moment of its own, the first of them first: the real service promises no more. */
export const readingOneByOne = (table: Table): Table => ({
  ...table,
  batchGet: async (keys) => (await Promise.all(keys.map((key) => table.get(key)))).filter((item) => item !== undefined),
});

export type Interleaver = ReturnType<typeof createInterleaver>;

/** Stands between a test's table and its engine, and decides in what order requests of several tasks reach it. */
export function createInterleaver() {
  let waiting: { task: number | undefined; name: string; go: () => Promise<void> }[] | undefined;
  const taskOf = new AsyncLocalStorage<number>();
  const made: { task: number | undefined; name: string }[] = [];

  return {
    /** Which task made which request, in the order of the last run. */
    made: made as readonly { task: number | undefined; name: string }[],

    call<T>(name: string, make: () => Promise<T>): Promise<T> {
      const queue = waiting;
      if (!queue) return make();
      return new Promise((resolve, reject) => queue.push({ task: taskOf.getStore(), name, go: () => make().then(resolve, reject) }));
    },

    /** Runs the tasks together, one request to the engine at a time; `picks` says whose, each time that any wait. */
    async run<T>(picks: Picks, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
      const queue: NonNullable<typeof waiting> = [];
      waiting = queue;
      made.length = 0;
      let running = true;
      const results = Promise.all(tasks.map((task, index) => taskOf.run(index, task))).finally(() => {
        running = false;
      });
      results.catch(() => undefined);
      for (await settle(); running; await settle()) {
        if (queue.length === 0) continue;
        const last = made.at(-1)?.task;
        const firsts = queue.filter((request, index) => queue.findIndex(({ task }) => task === request.task) === index);
        firsts.sort((a, b) => Number(b.task === last) - Number(a.task === last) || (a.task ?? 0) - (b.task ?? 0));
        const next = firsts[picks.next(firsts.length).value % firsts.length];
        if (next) queue.splice(queue.indexOf(next), 1);
        if (next) made.push({ task: next.task, name: next.name });
        await next?.go();
      }
      waiting = undefined;
      await Promise.all(queue.map((left) => left.go()));
      return results;
    },
  };
}

type Scene = (picks: Picks) => Promise<void>;

/** Runs the scene by these choices and no further turn; returns the choices of each order that is this one but for one more turn. */
async function runByChoices(scene: Scene, chosen: readonly number[]): Promise<number[][]> {
  const waitingAt: number[] = [];
  await scene({
    next(of) {
      const choice = Math.min(chosen[waitingAt.length] ?? 0, of - 1);
      waitingAt.push(of);
      return { value: choice };
    },
  });
  return waitingAt.flatMap((of, at) => {
    if (at < chosen.length) return [];
    const before = [...chosen, ...new Array<number>(at - chosen.length).fill(0)];
    return Array.from({ length: of - 1 }, (_, other) => [...before, other + 1]);
  });
}

/**
 * Runs the scene once for each order of its tasks' requests in which it is at most `switches` times another task's turn
 * although the one before still waits; below depth 1 for some of them. One switch stops a task anywhere and lets all of
 * another come in between. Returns of how many orders it knows.
 */
export async function inEveryOrder(scene: Scene, { switches = 1 } = {}): Promise<number> {
  let known = 1;
  let orders: number[][] = [[]];
  for (let taken = 0; ; taken += 1) {
    const further: number[][] = [];
    for (const chosen of orders) further.push(...(await runByChoices(scene, chosen)));
    if (taken === switches) return known;
    if (known + further.length === 1) throw new Error('The tasks never wait at once.');
    known += further.length;
    orders = sampled(further);
  }
}

/** From when to when a task decided: at its last write, or, where it wrote nothing, while it read. */
function decisionOf(made: Interleaver['made'], task: number): [begin: number, end: number] {
  const own = made.flatMap((request, at) => (request.task === task ? [{ ...request, at }] : []));
  const write = own.findLast(({ name }) => /^(Put|Update|Delete|Transact)/.test(name));
  return write ? [write.at, write.at] : [own[0]?.at ?? -1, own.at(-1)?.at ?? made.length];
}

/**
 * Stops each of two tasks wherever it may be stopped, and lets the other come in between. Where each of them decides by
 * one write, or by what it reads, whichever came first counts as the first.
 */
export function meetingsOf(interleaver: Interleaver, { switches = 1, areDecidedAtOnce = false } = {}): Meetings {
  const whichDecided = () => {
    const [one, other] = [decisionOf(interleaver.made, 0), decisionOf(interleaver.made, 1)];
    return one[1] < other[0] ? 0 : other[1] < one[0] ? 1 : undefined;
  };
  return async (scene) => {
    for (const isSwapped of turns()) {
      const inOrder = <T>(all: readonly T[]) => (isSwapped ? all.toReversed() : all);
      const race = async (picks: Picks, tasks: Parameters<Race>[0]) => {
        const replies = inOrder(await interleaver.run(picks, inOrder(tasks)));
        const first = areDecidedAtOnce ? whichDecided() : undefined;
        return { replies, first: first !== undefined && isSwapped ? 1 - first : first };
      };
      await inEveryOrder((picks) => scene((tasks) => race(picks, tasks)), { switches });
    }
  };
}
