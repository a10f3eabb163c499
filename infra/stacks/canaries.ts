import { Duration, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** The shortest that CloudWatch keeps: five of them pass while a new version has its tenth of the requests. */
const period = Duration.minutes(1);

/**
 * New versions of these functions get a tenth of the requests for five minutes, and then all. When the function
 * fails meanwhile, or the API answers with server errors, all requests go to the version before, and the deployment
 * is rolled back.
 *
 * The alarms notify nobody: they are stricter than those of `operations`, which tell of what lasts.
 */
export class Canaries extends Construct {
  constructor(scope: Construct, id: string, { api, functions }: { api: HttpApi; functions: readonly ServiceFunction[] }) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(managedPolicy)],
    });
    const application = new LambdaApplication(this, 'Application');
    const serverErrors = addAlarm(this, 'ServerErrors', api.metricServerError({ period, statistic: 'Sum' }), 5);
    for (const { node, alias } of functions) {
      const errors = addAlarm(this, `${node.id}-errors`, alias.metricErrors({ period, statistic: 'Sum' }), 0);
      new LambdaDeploymentGroup(this, node.id, {
        application,
        role,
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [errors, serverErrors],
        autoRollback: { failedDeployment: true, deploymentInAlarm: true },
      });
    }
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${managedPolicy}]`,
      reason: 'AWS keeps it as CodeDeploy needs it to move aliases and to read alarms.',
    });
  }
}

const managedPolicy = 'service-role/AWSCodeDeployRoleForLambdaLimited';

const addAlarm = (scope: Construct, id: string, metric: IMetric, threshold: number) =>
  new Alarm(scope, id, {
    metric,
    threshold,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: 'Rolls back a deployment that is under way; otherwise it is of no consequence.',
  });
