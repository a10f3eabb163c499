import type { Charge } from './units.ts';

export type PartitionLimits = ReturnType<typeof createPartitionLimits>;

/** A partition as a request meets it. */
export type Touched = Omit<Charge, 'units'>;

/** What DynamoDB lets one partition take in a second. */
export const unitsPerSecond = { write: 1000, read: 3000 } as const;

/**
 * What each partition has left. A request is let in while there is anything left in all that it touches, and is charged
 * when it is done, so that a partition may owe units for a moment. `burstSeconds` is how long units that were not used are
 * kept beyond their second; DynamoDB keeps them for up to 300 s, and promises none.
 */
export function createPartitionLimits({
  now,
  burstSeconds = 0,
  perSecond = unitsPerSecond,
}: {
  /** In milliseconds. */
  now: () => number;
  burstSeconds?: number;
  perSecond?: Record<Charge['kind'], number>;
}) {
  const left = new Map<string, { units: number; at: number }>();
  const taken = new Map<string, Charge>();
  const throttled = new Map<string, Touched & { times: number }>();
  const nameOf = ({ place, partition, kind }: Touched) => `${place} ${kind} ${partition}`;

  function leftOf(touched: Touched): number {
    const at = now();
    const rate = perSecond[touched.kind];
    const most = rate * (1 + burstSeconds);
    const known = left.get(nameOf(touched));
    return known ? Math.min(most, known.units + ((at - known.at) / 1000) * rate) : most;
  }

  return {
    /** Those of these partitions that have nothing left, each counted as throttled once. */
    throttle(touched: readonly Touched[]): Touched[] {
      const distinct = new Map(touched.map((one) => [nameOf(one), one]));
      const closed = [...distinct].filter(([, one]) => leftOf(one) <= 0);
      for (const [name, { place, partition, kind }] of closed)
        throttled.set(name, { place, partition, kind, times: (throttled.get(name)?.times ?? 0) + 1 });
      return closed.map(([, one]) => one);
    },

    charge(charges: readonly Charge[]): void {
      for (const charge of charges) {
        const name = nameOf(charge);
        left.set(name, { units: leftOf(charge) - charge.units, at: now() });
        taken.set(name, { ...charge, units: (taken.get(name)?.units ?? 0) + charge.units });
      }
    },

    /** What each partition took so far. */
    taken: (): Charge[] => [...taken.values()],

    /** How often requests were turned away by each partition so far. */
    throttled: () => [...throttled.values()],
  };
}
