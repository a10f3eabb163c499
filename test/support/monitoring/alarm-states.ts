import type { AlarmDefinition, AlarmQuery } from './alarm-definitions.ts';
import { compare } from './metric-filter.ts';
import { createMath, type Series } from './metric-math.ts';
import { type MetricStore, statisticOf } from './metric-store.ts';

export type StateValue = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

export interface AlarmState {
  state: StateValue;
  reason: string;
  /** ISO 8601 */
  since: string;
}

/** How much shorter a period is here. */
export const shortening = 30;
export const periodMsOf = ({ periodSeconds }: AlarmDefinition) => (periodSeconds * 1000) / shortening;

/** What became of an alarm: undefined when its state is what it was. */
export type Judge = () => { state: StateValue; reason: string };

/**
 * Judges an alarm by what was measured up to now. Before `startedAt` nothing could be measured: a period that
 * begins earlier is no missing one.
 */
export function createJudge(alarm: AlarmDefinition, metrics: MetricStore, now: () => number): Judge {
  const startedAt = now();
  const periodMs = periodMsOf(alarm);
  // One more, for what is compared with the period before.
  const length = alarm.periods + 1;
  const [metricQueries, mathQueries] = [alarm.queries.filter(({ metric }) => metric), alarm.queries.filter(({ metric }) => !metric)];
  const math = mathQueries.map((query) => ({ query, compute: createMath(query.expression ?? '') }));
  for (const { metric } of metricQueries) if (metric) metrics.keep(metric, periodMs * length);

  function measure({ metric, statistic }: AlarmQuery): Series {
    const end = now();
    return Array.from({ length }, (_, index) => {
      const to = end - (length - 1 - index) * periodMs;
      return metric && statisticOf(statistic, metrics.valuesBetween(metric, to - periodMs, to));
    });
  }

  function result(): Series {
    const series = new Map(metricQueries.map((query) => [query.id, measure(query)]));
    for (const { query, compute } of math) series.set(query.id, compute(series, length));
    const id = alarm.queries.find(({ isResult }) => isResult)?.id ?? '';
    return series.get(id) ?? [];
  }

  /** Whether a period counts as beyond the bound; undefined when nobody can tell. */
  function isBreaching(value: number | undefined, index: number): boolean | undefined {
    if (value !== undefined) return compare(alarm.operator, value, alarm.threshold);
    if (now() - (alarm.periods - index) * periodMs < startedAt) return undefined;
    return alarm.missing === 'breaching' || (alarm.missing === 'notBreaching' ? false : undefined);
  }

  return () => {
    const values = result().slice(1);
    const breaches = values.map(isBreaching);
    const count = breaches.filter((breach) => breach === true).length;
    const shown = values.map((value) => value ?? 'missing').join(', ');
    const reason = `${count} of the last ${alarm.periods} periods ${count >= alarm.breaching ? 'crossed' : 'did not cross'} ${alarm.operator} ${alarm.threshold}: [${shown}]`;
    if (count >= alarm.breaching) return { state: 'ALARM', reason };
    const isUnknown = alarm.missing === 'missing' && values.every((value) => value === undefined);
    return { state: isUnknown ? 'INSUFFICIENT_DATA' : 'OK', reason };
  };
}
