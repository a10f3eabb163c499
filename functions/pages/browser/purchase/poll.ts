const firstDelays = [1, 1.5, 2, 2, 3, 3, 4];
export const adviceAfterSeconds = 60;
const stopAfterSeconds = 15 * 60;

/**
 * Seconds until the next request, or undefined when it is time to stop. Stays
 * below the rate limit of the endpoint: under 20 in the first minute, six in any other.
 */
export function nextDelay(asked: number, waitedSeconds: number): number | undefined {
  if (waitedSeconds >= stopAfterSeconds) return undefined;
  return waitedSeconds < adviceAfterSeconds ? (firstDelays[asked] ?? 5) : 10;
}
