import { Dashboard, GraphWidget, type IMetric, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes as period, type WatchedStacks } from './alarm.ts';

/** One page: is the API well, is work waiting, is the table well. */
export function addDashboard({ scope, data, api, workers }: WatchedStacks, deadJobs: IMetric): void {
  const queues = [...data.queues.values()];
  const functions = [...api.functions, ...workers.functions];
  const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 12, height: 6 });
  new Dashboard(scope, 'Dashboard', { periodOverride: PeriodOverride.AUTO }).addWidgets(
    graph('Requests and failures', [
      api.api.metricCount({ period }),
      api.api.metricClientError({ period }),
      api.api.metricServerError({ period }),
    ]),
    graph(
      'Latency of replies, ms',
      ['p50', 'p99'].map((statistic) => api.api.metricLatency({ period, statistic, label: statistic })),
    ),
    graph(
      'Function duration p99, ms',
      functions.map(({ lambda, node }) => lambda.metricDuration({ period, statistic: 'p99', label: node.id })),
    ),
    graph(
      'Function errors',
      functions.map(({ lambda, node }) => lambda.metricErrors({ period, label: node.id })),
    ),
    graph(
      'Age of the oldest message, s',
      queues.map(({ queue, definition }) => queue.metricApproximateAgeOfOldestMessage({ period, label: definition.id })),
    ),
    graph('Dead letters and dead jobs', [
      ...queues.map(({ deadLetters, definition }) =>
        deadLetters.metricApproximateNumberOfMessagesVisible({ period, label: definition.id }),
      ),
      deadJobs,
    ]),
    graph('Table capacity consumed', [
      data.table.metricConsumedReadCapacityUnits({ period }),
      data.table.metricConsumedWriteCapacityUnits({ period }),
    ]),
  );
}
