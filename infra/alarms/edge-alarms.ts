import type { Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { addAlarms, fiveMinutes as period } from './alarm.ts';
import { addAlarmTopic } from './alarm-topic.ts';

/** The one of the library lacks the Region, without which CloudFront has no such metric. */
const metricOf = ({ distributionId }: Distribution, metricName: string, statistic: string) =>
  new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
    statistic,
    period,
  });

/** The alarms of the edge, with a topic of their own: the metrics of the CDN are in us-east-1, and an alarm notifies its own Region alone. */
export function addEdgeAlarms(stack: Stack, distribution: Distribution, firewall: string): void {
  const topic = addAlarmTopic(stack, 'EdgeAlarmTopic', 'Whoever is to be notified of alarms subscribes to this topic too.');
  addAlarms({ scope: stack, topic }, 'edge', {
    EdgeErrors: {
      metric: new MathExpression({
        label: 'percent of requests',
        // A few failures among few requests are seen at the API.
        expression: 'IF(requests > 100, failed, 0)',
        usingMetrics: { requests: metricOf(distribution, 'Requests', 'Sum'), failed: metricOf(distribution, '5xxErrorRate', 'Average') },
        period,
      }),
      bound: { above: 5 },
      periods: { breaching: 2, of: 2 },
      usersLose: 'More than one request in twenty of apps, buyers or sellers fails at the edge.',
      firstStep: 'Compare with ServerErrors: when the API is well, look at x-edge-detailed-result-type in the access log of the edge.',
    },
    BlockedRequests: {
      metric: new Metric({
        namespace: 'AWS/WAFV2',
        metricName: 'BlockedRequests',
        dimensionsMap: { WebACL: firewall, Rule: 'ALL' },
        statistic: 'Sum',
        period,
      }),
      bound: { above: 5000 },
      usersLose: 'Someone floods the service, or a rule refuses what callers send rightly.',
      firstStep: 'Find the rule by its own metric, then the addresses by c-ip in the access log; let the rule count when it is wrong.',
    },
  });
}
