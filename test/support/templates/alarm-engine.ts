import { compileFunction } from 'node:vm';
import type { Json } from './identifiers.ts';
import type { Resource, Service } from './service.ts';
import { mayDeliver } from './verdicts.ts';

type Dimensions = Readonly<Record<string, string>>;
const keyOf = (metric: string, dimensions: Dimensions) => JSON.stringify([metric, Object.entries(dimensions).sort()]);

/** The value of the metric, or of the expression over several, in the period that ended so many minutes ago; not a number where nothing was measured. */
type Value = (minutesAgo: number) => number;

/** The alarms of the templates that notify somebody, judged each minute by what was measured, as CloudWatch does. */
export function watchAlarms(service: Service) {
  let minute = 0;
  const samples = new Map<string, { at: number; value: number }[]>();
  const told: string[] = [];
  const alarms = service
    .ofType('AWS::CloudWatch::Alarm')
    .filter(({ properties }) => properties.AlarmActions)
    .map((alarm) => ({ alarm, isOff: createJudge(alarm), wasOff: false }));

  /** A sample of a metric, which is called by its namespace and name. */
  function measure(metric: string, dimensions: Dimensions, value: number): void {
    const key = keyOf(metric, dimensions);
    samples.set(key, [...(samples.get(key) ?? []), { at: minute, value }]);
  }

  function createJudge({ id, properties }: Resource): () => boolean {
    const {
      Metrics,
      EvaluationPeriods,
      DatapointsToAlarm = EvaluationPeriods,
      Threshold,
      ComparisonOperator,
      TreatMissingData,
    } = properties;
    const parts: Json[] = Metrics?.filter(({ MetricStat }: Json) => MetricStat) ?? [];
    const minutes = (properties.Period ?? parts[0].MetricStat.Period) / 60;
    const valueAt = Metrics
      ? calculation(Metrics, minutes)
      : series({ Metric: properties, Stat: properties.Statistic ?? properties.ExtendedStatistic }, minutes);
    const compare = comparisons[ComparisonOperator];
    if (!compare) throw new Error(`${id} compares in a way that is not known here.`);
    return () => {
      const breaching = Array.from({ length: EvaluationPeriods }, (_, index) => index * minutes).filter((minutesAgo) => {
        const value = valueAt(minutesAgo);
        // What ended before the first minute misses nothing.
        if (Number.isNaN(value)) return TreatMissingData === 'breaching' && minutesAgo + minutes <= minute;
        return compare(value, Threshold);
      });
      return breaching.length >= DatapointsToAlarm;
    };
  }

  function series({ Metric, Stat }: Json, minutes: number): Value {
    const dimensions = Object.fromEntries((Metric.Dimensions ?? []).map(({ Name, Value }: Json) => [Name, Value]));
    const key = keyOf(`${Metric.Namespace} ${Metric.MetricName}`, dimensions);
    return (minutesAgo) => {
      const end = minute - minutesAgo;
      const inPeriod = (samples.get(key) ?? []).filter(({ at }) => at > end - minutes && at <= end);
      return statisticOf(
        Stat,
        inPeriod.map(({ value }) => value),
      );
    };
  }

  /** Metric math is written as JavaScript is, once its functions are there; an increase needs the period before. */
  function calculation(metrics: Json[], minutes: number): Value {
    const parts = metrics
      .filter(({ MetricStat }) => MetricStat)
      .map(({ Id, MetricStat }) => ({ id: Id, value: series(MetricStat, minutes) }));
    const { Expression } = metrics.find(({ ReturnData = true }) => ReturnData);
    const [, increase] = /^DIFF\((.*)\)$/.exec(Expression) ?? [];
    const compute = compileFunction(`return ${increase ?? Expression}`, ['FILL', 'IF', ...parts.map(({ id }) => id)]);
    const at = (minutesAgo: number): number => compute(fill, choose, ...parts.map(({ value }) => value(minutesAgo)));
    return increase === undefined ? at : (minutesAgo) => at(minutesAgo) - at(minutesAgo + minutes);
  }

  const filters = service
    .ofType('AWS::Logs::MetricFilter')
    .map(({ properties: { LogGroupName, FilterPattern, MetricTransformations } }) => ({
      log: LogGroupName,
      matches: matcherOf(FilterPattern),
      ...MetricTransformations[0],
    }));

  /** A line of a log, of which metric filters count some. */
  function write(log: string | undefined, line: Json): void {
    for (const { log: filtered, matches, MetricNamespace, MetricName, MetricValue } of filters)
      if (filtered === log && matches(line))
        measure(`${MetricNamespace} ${MetricName}`, {}, Number(MetricValue.startsWith('$.') ? line[MetricValue.slice(2)] : MetricValue));
  }

  const [api] = service.ofType('AWS::ApiGatewayV2::Api');
  const [stage] = service.ofType('AWS::ApiGatewayV2::Stage');

  return {
    /** What alarms told: `ALARM DeadJobs`, `OK DeadJobs`. */
    told,
    measure,

    log: (folder: string, line: Json) =>
      write(service.functions.find((each) => each.folder === folder)?.properties.LoggingConfig.LogGroup, line),

    /** A reply of the gateway, and its line in the access log. */
    reply(method: string, path: string, status: number): void {
      const measured = { Count: 1, '4xx': status >= 400 && status < 500 ? 1 : 0, '5xx': status >= 500 ? 1 : 0 };
      for (const [name, value] of Object.entries(measured)) measure(`AWS/ApiGateway ${name}`, { ApiId: api?.ref ?? '' }, value);
      const { DestinationArn, Format } = stage?.properties.AccessLogSettings ?? {};
      const context: Readonly<Record<string, unknown>> = { httpMethod: method, routeKey: `ANY ${path}`, status };
      write(
        service.at(DestinationArn)?.ref,
        JSON.parse(Format.replace(/\$context\.(\w+)/g, (_: string, name: string) => `${context[name]}`)),
      );
    },

    /** Lets minutes pass, in each of which something happens. */
    pass(minutes: number, happens: (minute: number) => void): void {
      for (let passed = 0; passed < minutes; passed += 1) {
        minute += 1;
        happens(minute);
        for (const each of alarms) {
          const { alarm, isOff, wasOff } = each;
          each.wasOff = isOff();
          if (each.wasOff !== wasOff) told.push(...messagesOf(alarm, each.wasOff));
        }
      }
    },
  };

  /** What arrives at topics of the alarm's Region that let it publish. */
  function messagesOf({ arn, region, properties }: Resource, isOff: boolean): string[] {
    const { ActionsEnabled = true, AlarmActions = [], OKActions = [], AlarmName } = properties;
    const topics: string[] = ActionsEnabled ? (isOff ? AlarmActions : OKActions) : [];
    return topics
      .filter((topic) => topic.startsWith(`arn:aws:sns:${region}:`) && mayDeliver(service, 'cloudwatch.amazonaws.com', topic, arn))
      .map(() => `${isOff ? 'ALARM' : 'OK'} ${nameOfAlarm(AlarmName)}`);
  }
}

export const nameOfAlarm = (name: string) => name.replace(/^license-service-[a-z]+-[a-z]+-/, '');

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

const fill = (value: number, otherwise: number) => (Number.isNaN(value) ? otherwise : value);
const choose = (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise);

function statisticOf(statistic: string, values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sum = values.reduce((total, value) => total + value, 0);
  if (statistic === 'Sum') return sum;
  if (statistic === 'Average') return sum / values.length;
  if (statistic === 'Maximum') return Math.max(...values);
  const [, percent] = /^p(\d+)$/.exec(statistic) ?? [];
  if (percent === undefined) throw new Error(`${statistic} is no statistic that is known here.`);
  return values.toSorted((one, other) => one - other)[Math.ceil((Number(percent) / 100) * values.length) - 1] ?? Number.NaN;
}

/** Whether a line is one that a filter pattern counts: its comparisons of fields, joined as in JavaScript. */
function matcherOf(pattern: string): (line: Json) => boolean {
  const [, condition = ''] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  const code = condition.replace(/\$\.(\w+) (=|>=) ("[^"]*"|\d+)/g, 'is(line.$1, "$2", $3)');
  return compileFunction(`return ${code}`, ['is', 'line']).bind(undefined, isLike) as (line: Json) => boolean;
}

/** Numbers are compared with numbers alone; a star stands for the rest of a text. */
function isLike(given: unknown, operator: string, wanted: string | number): boolean {
  if (typeof wanted === 'number') return typeof given === 'number' && (operator === '=' ? given === wanted : given >= wanted);
  return wanted.endsWith('*') ? String(given).startsWith(wanted.slice(0, -1)) : given === wanted;
}
