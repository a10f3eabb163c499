export interface MetricId {
  namespace: string;
  name: string;
  dimensions: Readonly<Record<string, string>>;
}

interface Sample {
  at: number;
  value: number;
}

export type MetricStore = ReturnType<typeof createMetricStore>;

/** Samples of metrics that somebody wants, as long as they are wanted. Others cost nothing. */
export function createMetricStore(now: () => number) {
  const kept = new Map<string, { forMs: number; samples: Sample[] }>();

  return {
    /** Has a metric kept from now on, for at least so long. */
    keep(metric: MetricId, forMs: number): void {
      const key = keyOf(metric);
      const known = kept.get(key);
      kept.set(key, { forMs: Math.max(forMs, known?.forMs ?? 0), samples: known?.samples ?? [] });
    },

    add(metric: MetricId, value: number): void {
      const found = kept.get(keyOf(metric));
      if (!found) return;
      const oldest = now() - found.forMs;
      const stale = found.samples.findIndex(({ at }) => at > oldest);
      found.samples.splice(0, stale === -1 ? found.samples.length : stale);
      found.samples.push({ at: now(), value });
    },

    /** The values after `from`, up to and with `to`. */
    valuesBetween(metric: MetricId, from: number, to: number): number[] {
      const samples = kept.get(keyOf(metric))?.samples ?? [];
      return samples.filter(({ at }) => at > from && at <= to).map(({ value }) => value);
    },
  };
}

const keyOf = ({ namespace, name, dimensions }: MetricId) =>
  JSON.stringify([namespace, name, Object.entries(dimensions).sort(([one], [other]) => (one < other ? -1 : 1))]);

/** What a statistic makes of the values of a period. @throws Error for one that is not known here. */
export function statisticOf(statistic: string, values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  switch (statistic) {
    case 'Sum':
      return sum(values);
    case 'Average':
      return sum(values) / values.length;
    case 'Maximum':
      return Math.max(...values);
    case 'Minimum':
      return Math.min(...values);
    case 'SampleCount':
      return values.length;
    default:
      return percentile(statistic, values);
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function percentile(statistic: string, values: readonly number[]): number | undefined {
  const percent = /^p(\d{1,2}(?:\.\d+)?)$/.exec(statistic)?.[1];
  if (percent === undefined) throw new Error(`These tests do not know the statistic ${statistic}.`);
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((Number(percent) / 100) * sorted.length) - 1)];
}
