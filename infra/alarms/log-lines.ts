import { Duration, Stack } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { LogMessage } from '../../shared/logging/log-messages.ts';
import type { ServiceFunction } from '../stacks/service-function.ts';

/** A metric of log lines, to which `countLines`, `measureLines` and `countEntries` add those of a log: their sum in five minutes, unless told. */
export const metricOfLines = ({ stackName }: Stack, name: string, options: MetricOptions = {}): Metric =>
  new Metric({
    namespace: 'LicenseService',
    metricName: `${stackName}-${name}`,
    statistic: 'Sum',
    period: Duration.minutes(5),
    ...options,
  });

/** Counts the lines with these messages in the function's log and, of those, the ones that `also` lets through. */
export function countLines(
  { node, logGroup }: ServiceFunction,
  metric: Metric,
  messages: readonly LogMessage[],
  ...also: JsonPattern[]
): void {
  for (const message of messages) {
    const named = linesWith(message);
    countEntries(logGroup, filterId(node.id, message), metric, also.length > 0 ? FilterPattern.all(named, ...also) : named);
  }
}

/** Takes the number in `field` of each line with this message. */
export function measureLines({ node, logGroup }: ServiceFunction, metric: Metric, message: LogMessage, field: string): void {
  countEntries(logGroup, filterId(node.id, message), metric, linesWith(message), `$.${field}`);
}

/** Counts the entries of a log, or takes the value of each. The filter stands in the stack of the log. */
export function countEntries(logGroup: ILogGroup, id: string, metric: Metric, filterPattern: IFilterPattern, metricValue = '1'): void {
  const { namespace: metricNamespace, metricName } = metric;
  new MetricFilter(Stack.of(logGroup), id, { logGroup, metricNamespace, metricName, filterPattern, metricValue });
}

const linesWith = (message: LogMessage) => FilterPattern.stringValue('$.message', '=', message);
const filterId = (functionName: string, message: LogMessage) => `${functionName}-${message.replaceAll('_', '-')}`;
