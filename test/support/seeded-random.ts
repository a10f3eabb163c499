import { jest } from '@jest/globals';

/** Draws in [0, 1), the same again in a run with the same seed (`npm test -- --seed=…`). */
export function seededRandom(): () => number {
  let state = jest.getSeed() >>> 0;
  return () => {
    // A linear congruential generator: its high bits are random enough to shuffle.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
