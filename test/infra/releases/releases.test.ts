import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { constructAt, ownSettings, synthesizeAt } from '../../support/synthesized.ts';
import { type Resource, readService, type Service } from '../../support/templates/service.ts';
import { stacksAt } from '../../support/templates/stacks-at.ts';

jest.setTimeout(120_000);

describe('a new version', () => {
  let service: Service;
  beforeAll(async () => {
    service = readService(await stacksAt('production'));
  });

  /** The deployments by the function whose alias they move. */
  const deployments = (): [folder: string | undefined, alias: Resource, group: Resource | undefined][] =>
    service
      .ofType('AWS::Lambda::Alias')
      .filter(({ updatePolicy }) => updatePolicy)
      .map((alias) => {
        const { DeploymentGroupName } = alias.updatePolicy.CodeDeployLambdaAliasUpdate;
        return [service.functionAt(alias.arn)?.folder, alias, service.at(DeploymentGroupName, 'AWS::CodeDeploy::DeploymentGroup')];
      });

  test('of what apps and buyers cannot wait for is tried on a tenth of the requests first, and of the rest takes over at once', () => {
    const critical = ['licenses', 'pages', 'payment-webhooks', 'purchases', 'storefront'];
    expect(
      deployments()
        .map(([folder]) => folder)
        .sort(),
    ).toEqual(critical);
    expect(new Set(deployments().map(([, , group]) => group?.ref)).size).toBe(critical.length);
    for (const [, , group] of deployments()) {
      expect(group?.properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
      });
    }
  });

  test('is left again when its function fails once, or the API more than five times, within a minute', () => {
    const [api] = service.ofType('AWS::ApiGatewayV2::Api');
    for (const [, alias, group] of deployments()) {
      const { AlarmConfiguration, AutoRollbackConfiguration } = group?.properties ?? {};
      expect(AlarmConfiguration.Enabled).toBe(true);
      expect(AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
      });
      const watched = AlarmConfiguration.Alarms.map(({ Name }: { Name: string }) => {
        const { MetricName, Threshold, ComparisonOperator, Period, EvaluationPeriods, Dimensions } =
          service.at(Name, 'AWS::CloudWatch::Alarm')?.properties ?? {};
        const of = Dimensions.map(({ Value }: { Value: string }) => Value);
        return [MetricName, ...of, ComparisonOperator, Threshold, Period * EvaluationPeriods];
      });
      const { FunctionName } = alias.properties;
      expect(watched).toContainEqual(['Errors', FunctionName, `${FunctionName}:live`, 'GreaterThanThreshold', 0, 60]);
      expect(watched).toContainEqual(['5xx', api?.ref, 'GreaterThanThreshold', 5, 60]);
    }
  });

  test('takes over at once where the operator says so', async () => {
    const { api } = (await synthesizeAt('staging', ownSettings)).templates;
    expect(JSON.stringify(api.toJSON())).not.toContain('CodeDeploy');
  });
});

test('a synthesis of what has not changed makes the same templates', async () => {
  const { templates } = await synthesizeAt('staging');
  const { data, api, workers, operations } = (await constructAt('staging')).stacks;
  for (const [part, stack] of Object.entries({ data, api, workers, operations }))
    expect(Template.fromStack(stack).toJSON()).toEqual(templates[part as keyof typeof templates].toJSON());
});
