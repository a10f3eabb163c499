/** What someone asks of the service in a day, of each hundred requests. */
export const mix = { validate: 95, activate: 2, deactivate: 2, sale: 1 } as const;
export type Kind = keyof typeof mix;

export interface Arrival<T extends string> {
  /** When it is due, in milliseconds after the beginning. */
  at: number;
  kind: T;
}

/**
 * Requests at a fixed rate, evenly spaced. Each hundred of them has exactly the shares of `shares`, in an order that `random`
 * (numbers in [0, 1)) draws.
 */
export function scheduleArrivals<T extends string>(
  { perSecond, seconds, shares }: { perSecond: number; seconds: number; shares: Readonly<Record<T, number>> },
  random: () => number,
): Arrival<T>[] {
  const kinds = (Object.entries(shares) as [T, number][]).flatMap(([kind, share]) => Array<T>(share).fill(kind));
  const arrivals: Arrival<T>[] = [];
  const total = Math.round(perSecond * seconds);
  while (arrivals.length < total) {
    for (const kind of shuffled(kinds, random)) {
      if (arrivals.length < total) arrivals.push({ at: (arrivals.length * 1000) / perSecond, kind });
    }
  }
  return arrivals;
}

const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((value) => ({ value, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
