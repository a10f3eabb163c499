import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { constructAt, operatorSettings, type Synthesized, synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(120_000);

const propertiesOf = (template: Template, type: string) =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties] as const);
const nameOf = (functionId: string, template: Template) =>
  template.findResources('AWS::Lambda::Function')[functionId]?.['Properties'].Description.replace('license-service ', '');

const referenceIn = (value: unknown) => /"Ref":"(\w+)"/.exec(JSON.stringify(value))?.[1];
/** Whether it is the whole ARN of an alias, or the name of its function with the alias behind it. */
const isQualified = (value: any) => 'Ref' in value || value['Fn::Join']?.[1].at(-1) === ':live';

describe.each(['staging', 'production', 'local'])('at %s', (stage) => {
  let service: Synthesized;
  beforeAll(async () => {
    service = await synthesizeAt(stage);
  });
  const both = () => [service.templates.api, service.templates.workers];

  test('every function has one version that is live, and is called by that name alone', () => {
    for (const template of both()) {
      const functions = Object.keys(template.findResources('AWS::Lambda::Function'));
      const versions = new Map(propertiesOf(template, 'AWS::Lambda::Version').map(([id, { FunctionName }]) => [id, FunctionName.Ref]));
      const aliases = propertiesOf(template, 'AWS::Lambda::Alias');
      expect(aliases.map(([, { FunctionName }]) => FunctionName.Ref).sort()).toEqual(functions.toSorted());
      for (const [, { Name, FunctionName, FunctionVersion }] of aliases) {
        expect(Name).toBe('live');
        expect(versions.get(FunctionVersion['Fn::GetAtt'][0])).toBe(FunctionName.Ref);
      }
      const called = [
        ...propertiesOf(template, 'AWS::ApiGatewayV2::Integration').map(([, { IntegrationUri }]) => IntegrationUri),
        ...propertiesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, { FunctionName }]) => FunctionName),
        ...propertiesOf(template, 'AWS::Events::Rule').flatMap(([, { Targets }]) => Targets.map(({ Arn }: any) => Arn)),
        ...propertiesOf(template, 'AWS::Lambda::Permission').map(([, { FunctionName }]) => FunctionName),
      ];
      const ids = aliases.map(([id]) => id);
      expect(called.filter((target) => !isQualified(target))).toEqual([]);
      expect([...new Set(called.map(referenceIn))].sort()).toEqual(ids.toSorted());
    }
  });

  test('each stack stays far from the 500 resources that one may have', () => {
    const counts = Object.values(service.templates).map((template) => Object.keys(template.toJSON()['Resources']).length);
    expect(Math.max(...counts)).toBeLessThan(420);
  });
});

describe('a new version', () => {
  const critical = ['licenses', 'pages', 'payment-webhooks', 'purchases', 'storefront'];
  /** By function: the group whose deployment moves its alias. */
  const groupsOf = (template: Template) =>
    Object.fromEntries(
      Object.values(template.findResources('AWS::Lambda::Alias')).flatMap(({ Properties, UpdatePolicy }) =>
        UpdatePolicy === undefined
          ? []
          : [[nameOf(Properties.FunctionName.Ref, template), UpdatePolicy['CodeDeployLambdaAliasUpdate'].DeploymentGroupName.Ref]],
      ),
    );

  test('of what apps and buyers cannot wait for is tried on a tenth of the requests first, and of the rest takes over at once', async () => {
    const { templates } = await synthesizeAt('production');
    const groups = groupsOf(templates.api);
    expect(Object.keys(groups).sort()).toEqual(critical);
    expect(new Set(Object.values(groups)).size).toBe(critical.length);
    expect(groupsOf(templates.workers)).toEqual({});
    templates.api.allResourcesProperties('AWS::CodeDeploy::DeploymentGroup', {
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
    });
  });

  test('is left again when its function fails once, or the API more than five times, within a minute', async () => {
    const { api } = (await synthesizeAt('production')).templates;
    const alarms = new Map(propertiesOf(api, 'AWS::CloudWatch::Alarm'));
    const groups = new Map(propertiesOf(api, 'AWS::CodeDeploy::DeploymentGroup'));
    const [[apiId]] = Object.entries(api.findResources('AWS::ApiGatewayV2::Api')) as [[string, unknown]];
    const common = { Period: 60, EvaluationPeriods: 1, Statistic: 'Sum', TreatMissingData: 'notBreaching' };
    for (const [name, groupId] of Object.entries(groupsOf(api))) {
      const group = groups.get(groupId as string);
      expect(group.AlarmConfiguration.Enabled).toBe(true);
      expect(group.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
      });
      const watched = group.AlarmConfiguration.Alarms.map(({ Name }: any) => alarms.get(Name.Ref));
      const [functionId] = Object.entries(api.findResources('AWS::Lambda::Function')).find(([id]) => nameOf(id, api) === name)!;
      expect(watched).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            ...common,
            Namespace: 'AWS/Lambda',
            MetricName: 'Errors',
            Threshold: 0,
            ComparisonOperator: 'GreaterThanThreshold',
            Dimensions: [
              { Name: 'FunctionName', Value: { Ref: functionId } },
              { Name: 'Resource', Value: { 'Fn::Join': ['', [{ Ref: functionId }, ':live']] } },
            ],
          }),
          expect.objectContaining({
            ...common,
            Namespace: 'AWS/ApiGateway',
            MetricName: '5xx',
            Threshold: 5,
            ComparisonOperator: 'GreaterThanThreshold',
            Dimensions: [{ Name: 'ApiId', Value: { Ref: apiId } }],
          }),
        ]),
      );
    }
  });

  test('takes over at once where the operator says so', async () => {
    const { api } = (await synthesizeAt('production', { ...operatorSettings, ROLLOUT: 'at-once' })).templates;
    expect(groupsOf(api)).toEqual({});
    api.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    await expect(synthesizeAt('production', { ...operatorSettings, ROLLOUT: 'never' })).rejects.toThrow('ROLLOUT is malformed');
  });
});

test('a synthesis of what has not changed makes the same templates', async () => {
  const texts = async () => {
    const { data, api, workers, operations } = (await constructAt('staging')).stacks;
    return [data, api, workers, operations].map((stack) => JSON.stringify(Template.fromStack(stack).toJSON()));
  };
  expect(await texts()).toEqual(await texts());
});
