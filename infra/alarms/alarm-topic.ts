import { ArnFormat, CfnOutput, type Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';

/**
 * The topic that alarms notify. Our policy replaces the default one of a topic, so it must allow whoever publishes:
 * CloudWatch, for alarms of this account.
 */
export function addAlarmTopic(scope: Stack, output: string, description: string): Topic {
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AllowAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': scope.account },
        ArnLike: {
          'aws:SourceArn': scope.formatArn({
            service: 'cloudwatch',
            resource: 'alarm',
            resourceName: '*',
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        },
      },
    }),
  );
  new CfnOutput(scope, output, { value: topic.topicArn, description });
  return topic;
}
