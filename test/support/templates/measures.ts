import type { Json } from './json.ts';
import type { Resource, Service } from './service.ts';

/** A metric that an alarm or a dashboard looks at. */
export interface Measure {
  /** The logical id of what looks. */
  by: string;
  alarm?: Resource;
  namespace: string;
  name: string;
  dimensions: Readonly<Record<string, string>>;
  statistic: string;
  seconds: number;
}

const dimensionsOf = (dimensions: Json[] = []) => Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]));

function ofAlarm(alarm: Resource): Measure[] {
  const { properties } = alarm;
  const parts: Json[] = (properties.Metrics ?? []).flatMap(({ MetricStat }: Json) => MetricStat ?? []);
  const single = properties.MetricName
    ? [{ Metric: properties, Stat: properties.Statistic ?? properties.ExtendedStatistic, Period: properties.Period }]
    : [];
  return [...single, ...parts].map(({ Metric, Stat, Period }) => ({
    by: alarm.id,
    alarm,
    namespace: Metric.Namespace,
    name: Metric.MetricName,
    dimensions: dimensionsOf(Metric.Dimensions),
    statistic: Stat,
    seconds: Period,
  }));
}

function ofDashboard({ id, properties }: Resource): Measure[] {
  const { widgets } = JSON.parse(properties.DashboardBody);
  return widgets.flatMap(({ properties: { metrics = [], stat, period } }: Json) =>
    metrics.flatMap((line: Json[]) => {
      const options = typeof line.at(-1) === 'object' ? line.at(-1) : {};
      const [namespace, name, ...pairs] = line.filter((part) => typeof part === 'string');
      if (namespace === undefined) return [];
      const dimensions = Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[key, pairs[at + 1]]] : [])));
      return [
        { by: id, namespace, name, dimensions, statistic: options.stat ?? stat ?? 'Average', seconds: options.period ?? period ?? 300 },
      ];
    }),
  );
}

export const measuresOf = ({ ofType }: Service): Measure[] => [
  ...ofType('AWS::CloudWatch::Alarm').flatMap(ofAlarm),
  ...ofType('AWS::CloudWatch::Dashboard').flatMap(ofDashboard),
];
