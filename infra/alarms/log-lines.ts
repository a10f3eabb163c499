import { Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { LogMessage } from '../../shared/logging/log-messages.ts';
import type { ServiceFunction } from '../stacks/service-function.ts';

export interface LineMetricOptions {
  period?: Duration;
  statistic?: 'Sum' | 'Maximum';
}

/** A metric of log lines, to which `countLines`, `measureLines` and `countEntries` add those of a log. */
export function metricOfLines(
  stack: Stack,
  name: string,
  { period = Duration.minutes(5), statistic = 'Sum' }: LineMetricOptions = {},
): Metric {
  return new Metric({ namespace: 'LicenseService', metricName: `${stack.stackName}-${name}`, statistic, period });
}

/** Lines with this message and, of those, the ones that `also` lets through. */
function linesWith(message: LogMessage, also: readonly JsonPattern[]): IFilterPattern {
  const named = FilterPattern.stringValue('$.message', '=', message);
  return also.length > 0 ? FilterPattern.all(named, ...also) : named;
}

/** Counts the lines with these messages in the function's log. */
export function countLines(counted: ServiceFunction, metric: Metric, messages: readonly LogMessage[], ...also: JsonPattern[]): void {
  for (const message of messages) addFilter(counted, message, metric, linesWith(message, also), '1');
}

/** Takes the number in `field` of each line with this message. */
export function measureLines(measured: ServiceFunction, metric: Metric, message: LogMessage, field: string): void {
  addFilter(measured, message, metric, linesWith(message, []), `$.${field}`);
}

/** Counts the entries of a log that no function writes. */
export function countEntries(log: ILogGroup, id: string, metric: Metric, pattern: IFilterPattern): void {
  const { namespace: metricNamespace, metricName } = metric;
  new MetricFilter(Stack.of(log), id, { logGroup: log, metricNamespace, metricName, filterPattern: pattern });
}

/** The filter stands in the stack of the function whose lines it reads. */
function addFilter(
  { node, logGroup }: ServiceFunction,
  message: LogMessage,
  metric: Metric,
  filterPattern: IFilterPattern,
  metricValue: string,
) {
  const { namespace: metricNamespace, metricName } = metric;
  const id = `${node.id}-${message.replaceAll('_', '-')}`;
  new MetricFilter(Stack.of(logGroup), id, { logGroup, metricNamespace, metricName, filterPattern, metricValue });
}
