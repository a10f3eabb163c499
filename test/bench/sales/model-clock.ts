import { setTimeout as sleep } from 'node:timers/promises';

export type ModelClock = ReturnType<typeof createModelClock>;

/** A clock that runs `slowness` times slower than the machine's, so that the machine can be faster than what it stands for. */
export function createModelClock({ slowness = 1 } = {}) {
  const began = { at: Date.now(), tick: performance.now() };
  let passed = 0;
  /** Since the clock was made. */
  const milliseconds = () => (performance.now() - began.tick) / slowness + passed;
  return {
    milliseconds,
    now: () => new Date(began.at + milliseconds()),
    wait: (time: number) => sleep(time * slowness),
    /** Does it after that time, unless the process has ended by then. */
    later: (time: number, work: () => void) => void setTimeout(work, time * slowness).unref(),
    /** Moves on at once, as when nothing happens for so long. */
    pass(time: number) {
      passed += time;
    },
  };
}
