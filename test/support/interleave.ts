import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as settle } from 'node:timers/promises';
import type { Table } from '../../shared/db/table.ts';

/** Chooses whose turn it is of `of` tasks that wait; 0 is the one that had the last turn, if it waits. */
interface Picks {
  next(of: number): { value: number };
}

/** Reads each item of a batch at a moment of its own, the first of them first: the real service promises no more. */
export const readingOneByOne = (table: Table): Table => ({
  ...table,
  batchGet: async (keys) => (await Promise.all(keys.map((key) => table.get(key)))).filter((item) => item !== undefined),
});

/** Above this the scene is too large to be tried in every order. */
const mostOrders = 1000;

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

/**
 * Runs the scene once for each order of its tasks' requests in which it is at most `switches`
 * times another task's turn although the one before still waits. One switch stops a task anywhere and lets all of
 * another come in between. So a race that takes no more is found by every run, or by none. Returns how many orders there were.
 */
export async function inEveryOrder(scene: (picks: Picks) => Promise<void>, { switches = 1 } = {}): Promise<number> {
  let chosen: number[] = [];
  for (let orders = 1; ; orders += 1) {
    const taken: { choice: number; of: number }[] = [];
    await scene({
      next(of) {
        const choice = Math.min(chosen[taken.length] ?? 0, of - 1);
        taken.push({ choice, of });
        return { value: choice };
      },
    });
    const mayTurn = () => taken.filter(({ choice }) => choice > 0).length < switches || (taken.at(-1)?.choice ?? 0) > 0;
    const isDone = ({ choice, of }: { choice: number; of: number }) => choice + 1 >= of || !mayTurn();
    for (let last = taken.at(-1); last && isDone(last); last = taken.at(-1)) taken.pop();
    const last = taken.pop();
    if (!last) return orders;
    if (orders === mostOrders) throw new Error('There are too many orders: allow fewer switches.');
    chosen = [...taken.map(({ choice }) => choice), last.choice + 1];
  }
}
