import { setTimeout as sleep } from 'node:timers/promises';

export type ModelClock = ReturnType<typeof createModelClock>;

/** Whoever waits looks again after this long, by the machine's clock: the time may have been moved on. */
const lookMs = 50;

/** A clock that runs `slowness` times slower than the machine's, so that the machine can be faster than what it stands for. */
export function createModelClock({ slowness = 1 } = {}) {
  const began = Date.now();
  let pace = { since: performance.now(), passed: 0, slowness };
  /** Since the clock was made. */
  const milliseconds = () => pace.passed + (performance.now() - pace.since) / pace.slowness;

  async function wait(time: number, ref = true): Promise<void> {
    const until = milliseconds() + time;
    for (let left = time; left > 0; left = until - milliseconds()) {
      await sleep(Math.min(lookMs, left * pace.slowness), undefined, { ref });
    }
  }

  return {
    milliseconds,
    now: () => new Date(began + milliseconds()),
    wait: (time: number) => wait(time),
    /** Does it after that time, unless the process has ended by then. */
    later: (time: number, work: () => void) => void wait(time, false).then(work),
    /** Moves on at once, as when nothing happens for so long. */
    pass(time: number) {
      pace = { ...pace, passed: pace.passed + time };
    },
    /** From now on it runs as fast as the machine's. */
    hurry() {
      pace = { since: performance.now(), passed: milliseconds(), slowness: 1 };
    },
  };
}
