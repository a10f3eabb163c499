import { Duration, type Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { LogMessage } from '../../shared/log-messages.ts';
import type { ServiceFunction } from './service-function.ts';

/** A count of log lines, to which `countLines` adds those of a function. */
export function countOf(stack: Stack, name: string): Metric {
  const metricName = `${stack.stackName}-${name}`;
  return new Metric({ namespace: 'LicenseService', metricName, statistic: 'Sum', period: Duration.minutes(5) });
}

/** Counts the lines with these messages in the function's log. */
export function countLines(stack: Stack, counted: ServiceFunction, metric: Metric, messages: readonly LogMessage[]): void {
  for (const message of messages) {
    new MetricFilter(stack, `${counted.node.id}-${message.replaceAll('_', '-')}`, {
      logGroup: counted.logGroup,
      metricNamespace: metric.namespace,
      metricName: metric.metricName,
      filterPattern: FilterPattern.stringValue('$.message', '=', message),
    });
  }
}
