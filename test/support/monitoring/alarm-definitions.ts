import * as z from 'zod/mini';
import type { SynthesizedApp } from '../../../infra/local/template.ts';
import type { MetricFilter } from './metric-filter.ts';
import type { MetricId } from './metric-store.ts';

/** One metric of an alarm and how it is summed up, or an expression over the others. */
export interface AlarmQuery {
  id: string;
  metric?: MetricId;
  statistic: string;
  expression?: string;
  /** Whether it is what the bound is compared with. */
  isResult: boolean;
}

export interface AlarmDefinition {
  name: string;
  text: string;
  queries: readonly AlarmQuery[];
  periodSeconds: number;
  /** How many periods are looked at, and how many of them must be beyond the bound. */
  periods: number;
  breaching: number;
  threshold: number;
  operator: string;
  missing: string;
  /** ARNs of topics. */
  alarmActions: readonly string[];
  okActions: readonly string[];
}

const Dimensions = z._default(z.array(z.object({ Name: z.string(), Value: z.string() })), []);
const AlarmProperties = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  Namespace: z.optional(z.string()),
  MetricName: z.optional(z.string()),
  Dimensions,
  Statistic: z.optional(z.string()),
  ExtendedStatistic: z.optional(z.string()),
  Period: z.optional(z.number()),
  Metrics: z._default(
    z.array(
      z.object({
        Id: z.string(),
        Expression: z.optional(z.string()),
        ReturnData: z._default(z.boolean(), true),
        Period: z.optional(z.number()),
        MetricStat: z.optional(
          z.object({
            Metric: z.object({ Namespace: z.string(), MetricName: z.string(), Dimensions }),
            Period: z.number(),
            Stat: z.string(),
          }),
        ),
      }),
    ),
    [],
  ),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.optional(z.number()),
  Threshold: z.number(),
  ComparisonOperator: z.string(),
  TreatMissingData: z._default(z.string(), 'missing'),
  ActionsEnabled: z._default(z.boolean(), true),
  AlarmActions: z._default(z.array(z.string()), []),
  OKActions: z._default(z.array(z.string()), []),
});
type AlarmProperties = z.output<typeof AlarmProperties>;

const operators: Readonly<Record<string, string>> = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '>=',
  LessThanThreshold: '<',
  LessThanOrEqualToThreshold: '<=',
};

/** The alarms of the templates. @throws Error for one that could not be judged here. */
export function alarmsOf(app: SynthesizedApp): AlarmDefinition[] {
  return app.ofType('AWS::CloudWatch::Alarm').map((resource) => definitionOf(app.read(resource, AlarmProperties)));
}

function definitionOf(alarm: AlarmProperties): AlarmDefinition {
  const operator = operators[alarm.ComparisonOperator];
  const queries = queriesOf(alarm);
  const period = alarm.Period ?? alarm.Metrics.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period;
  if (operator === undefined || period === undefined || !queries.some(({ isResult }) => isResult))
    throw new Error(`These tests cannot judge the alarm ${alarm.AlarmName}.`);
  return {
    name: alarm.AlarmName,
    text: alarm.AlarmDescription,
    queries,
    periodSeconds: period,
    periods: alarm.EvaluationPeriods,
    breaching: alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods,
    threshold: alarm.Threshold,
    operator,
    missing: alarm.TreatMissingData,
    alarmActions: alarm.ActionsEnabled ? alarm.AlarmActions : [],
    okActions: alarm.ActionsEnabled ? alarm.OKActions : [],
  };
}

function queriesOf(alarm: AlarmProperties): AlarmQuery[] {
  const { Namespace, MetricName, Statistic, ExtendedStatistic } = alarm;
  if (Namespace !== undefined && MetricName !== undefined) {
    const metric = { namespace: Namespace, name: MetricName, dimensions: dimensionsOf(alarm.Dimensions) };
    return [{ id: 'metric', metric, statistic: Statistic ?? ExtendedStatistic ?? '', isResult: true }];
  }
  return alarm.Metrics.map(({ Id, Expression, ReturnData, MetricStat }) => ({
    id: Id,
    statistic: MetricStat?.Stat ?? '',
    isResult: ReturnData,
    ...(Expression !== undefined && { expression: Expression }),
    ...(MetricStat && {
      metric: {
        namespace: MetricStat.Metric.Namespace,
        name: MetricStat.Metric.MetricName,
        dimensions: dimensionsOf(MetricStat.Metric.Dimensions),
      },
    }),
  }));
}

const dimensionsOf = (dimensions: z.output<typeof Dimensions>) => Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]));

const FilterProperties = z.object({
  LogGroupName: z.string(),
  FilterPattern: z.string(),
  MetricTransformations: z.array(z.object({ MetricNamespace: z.string(), MetricName: z.string(), MetricValue: z.string() })),
});

/** The metric filters of the templates. */
export function metricFiltersOf(app: SynthesizedApp): MetricFilter[] {
  return app.ofType('AWS::Logs::MetricFilter').flatMap((resource) => {
    const { LogGroupName, FilterPattern, MetricTransformations } = app.read(resource, FilterProperties);
    return MetricTransformations.map(({ MetricNamespace, MetricName, MetricValue }) => ({
      log: LogGroupName,
      pattern: FilterPattern,
      namespace: MetricNamespace,
      metricName: MetricName,
      value: MetricValue,
    }));
  });
}
