import { setImmediate as settle } from 'node:timers/promises';

/** Stands between a test's table and its engine, and decides in what order requests of several tasks reach it. */
export function createInterleaver() {
  let waiting: (() => Promise<void>)[] | undefined;

  return {
    call<T>(_name: string, make: () => Promise<T>): Promise<T> {
      const queue = waiting;
      if (!queue) return make();
      return new Promise((resolve, reject) => queue.push(() => make().then(resolve, reject)));
    },

    /** Runs the tasks together, one request to the engine at a time; `picks` says whose, each time that several wait. */
    async run<T>(picks: Iterator<number>, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
      const queue: (() => Promise<void>)[] = [];
      waiting = queue;
      let running = true;
      const results = Promise.all(tasks.map((task) => task())).finally(() => {
        running = false;
      });
      results.catch(() => undefined);
      for (await settle(); running; await settle()) {
        const [next] = queue.splice((picks.next().value ?? 0) % Math.max(queue.length, 1), 1);
        await next?.();
      }
      waiting = undefined;
      await Promise.all(queue.map((left) => left()));
      return results;
    },
  };
}
