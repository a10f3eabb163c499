/** How fast bytes go, and how long the rest takes. */
export interface Rate {
  bytesPerSecond?: number;
  secondsLeft?: number;
}

/** What happened so long ago weighs a third of what happens now. */
const memorySeconds = 6;
/** Sooner there is nothing to go by. */
const leastSeconds = 1.5;

/** Measures by what was sent until when; what is taken back, since a part failed, is not counted. */
export function createRateMeter(totalBytes: number) {
  let last: { at: number; bytes: number } | undefined;
  let measuredSeconds = 0;
  let speed = 0;
  let left: number | undefined;

  return {
    /** After a pause nothing is known. */
    reset(): void {
      last = undefined;
      measuredSeconds = 0;
      speed = 0;
      left = undefined;
    },

    measure(bytes: number, now: number): Rate {
      const seconds = last ? (now - last.at) / 1000 : 0;
      if (!last || bytes < last.bytes) last = { at: now, bytes };
      else if (seconds >= 0.25) {
        // At first the mean, so that the beginning does not weigh too much.
        const weight = Math.max(1 - Math.exp(-seconds / memorySeconds), seconds / (measuredSeconds + seconds));
        measuredSeconds = Math.min(memorySeconds, measuredSeconds + seconds);
        speed += weight * ((bytes - last.bytes) / seconds - speed);
        last = { at: now, bytes };
        const estimate = speed > 0 ? (totalBytes - bytes) / speed : undefined;
        const expected = left === undefined ? undefined : Math.max(0, left - seconds);
        // What was said stays true until it is off by a fifth.
        const holds = expected !== undefined && estimate !== undefined && Math.abs(estimate - expected) <= Math.max(2, expected / 5);
        left = holds ? expected : estimate;
      }
      if (measuredSeconds < leastSeconds || speed <= 0) return {};
      return { bytesPerSecond: speed, ...(left !== undefined && { secondsLeft: left }) };
    },
  };
}
