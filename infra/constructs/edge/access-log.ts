import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * Who asked, and what became of it. Never a query, cookie or referrer, which may hold secrets, nor a path: in those of
 * updaters there is a ticket. The gateway's own log names the route.
 */
const recordFields = [
  'timestamp(ms)',
  'c-ip',
  'cs-method',
  'sc-status',
  'time-taken',
  'cs-bytes',
  'sc-bytes',
  'cs(User-Agent)',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
  'x-edge-location',
  'x-edge-request-id',
];

/** One line for each request of the distribution, kept for a month, since addresses are personal. */
export function addAccessLog(scope: Construct, id: string, distribution: Distribution): LogGroup {
  const { stackName, account, region, partition } = Stack.of(scope);
  const logGroup = new LogGroup(scope, id, {
    logGroupName: `/aws/vendedlogs/cloudfront/${stackName}`,
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const allowed = logGroup.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: { 'aws:SourceArn': `arn:${partition}:logs:${region}:${account}:*` },
      },
    }),
  );
  const source = new CfnDeliverySource(scope, `${id}Source`, {
    name: stackName,
    logType: 'ACCESS_LOGS',
    resourceArn: distribution.distributionArn,
  });
  const destination = new CfnDeliveryDestination(scope, `${id}Destination`, {
    name: stackName,
    deliveryDestinationType: 'CWL',
    destinationResourceArn: logGroup.logGroupArn,
    outputFormat: 'json',
  });
  if (allowed.policyDependable) destination.node.addDependency(allowed.policyDependable);
  new CfnDelivery(scope, `${id}Delivery`, {
    deliverySourceName: source.ref,
    deliveryDestinationArn: destination.attrArn,
    recordFields,
  });
  return logGroup;
}
