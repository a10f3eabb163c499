import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { constructAt, operatorSettings, ownSettings, type Synthesized, synthesizeAt } from '../../support/synthesized.ts';
import { lastRelease } from '../../support/templates/rules/updating.ts';
import { type Resource, readService, type Service } from '../../support/templates/service.ts';
import { everySetting, stacksAt } from '../../support/templates/stacks-at.ts';

jest.setTimeout(120_000);

describe('where it is deployed', () => {
  const here = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-west-1' };

  test.each([
    [here, '111122223333', 'eu-west-1'],
    [{ ...here, DEPLOY_ACCOUNT: '444455556666', DEPLOY_REGION: 'ap-northeast-1' }, '444455556666', 'ap-northeast-1'],
  ])('every stack is bound to one account and Region, the edge to its own: %j', async (settings, account, region) => {
    const { edge, ...stacks } = (await constructAt('production', { ...everySetting, ...settings })).stacks;
    const environments = Object.values(stacks).map((stack) => stack?.environment);
    expect(environments).toEqual(environments.map(() => `aws://${account}/${region}`));
    expect(environments.length).toBe(5);
    expect(edge?.environment).toBe(`aws://${account}/us-east-1`);
  });

  const { EDGE_DOMAIN, EDGE_CERTIFICATE_ARN, EDGE_ORIGIN } = everySetting;
  const edge = { EDGE_DOMAIN, EDGE_CERTIFICATE_ARN, EDGE_ORIGIN };
  test.each([
    ['staging', {}],
    ['staging', { ...here, ...edge }],
    ['production', { ...here, ...edge }],
  ])('no finding of the best-practice checks is without a stated reason at %s with %j', async (stage, settings) => {
    const { app } = await constructAt(stage, { ...operatorSettings, ...settings });
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });

  test('the local stack is bound to none', async () => {
    const { data, api } = (await constructAt('local', { ...operatorSettings, ...here })).stacks;
    expect([data.environment, api.environment]).toEqual(Array(2).fill('aws://unknown-account/unknown-region'));
  });

  test('callers reach it by IPv4 and by IPv6', async () => {
    const { api } = (await synthesizeAt('staging', ownSettings)).templates;
    api.hasResourceProperties('AWS::ApiGatewayV2::Api', { IpAddressType: 'dualstack' });
  });
});

test('reserved concurrency is kept for the functions that are named, and for no other', async () => {
  const reservedIn = ({ functions }: Service) =>
    functions.flatMap(({ folder, properties: { ReservedConcurrentExecutions: kept } }) => (kept === undefined ? [] : [[folder, kept]]));
  expect(reservedIn(readService(await stacksAt('staging')))).toEqual([
    ['licenses', 200],
    ['storefront', 50],
  ]);
  expect(JSON.stringify((await synthesizeAt('staging', ownSettings)).templates.api.toJSON())).not.toContain('ReservedConcurrentExecutions');
});

test('where clamd scans there is no plan of GuardDuty, no rule, no role, and no right to ask for one', async () => {
  const { data, api, workers } = (await synthesizeAt('staging', ownSettings)).templates;
  for (const type of ['AWS::GuardDuty::MalwareProtectionPlan', 'AWS::IAM::Role']) data.resourceCountIs(type, 0);
  expect(JSON.stringify(data.findResources('AWS::Events::Rule'))).not.toContain('aws.guardduty');
  expect(JSON.stringify([api, workers].map((template) => template.toJSON()))).not.toMatch(/guardduty:|MALWARE_PLAN_ARN/);
});

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

/** What the data stack exported in the last release, for the stacks of that release to import. */
const exportedBefore = lastRelease.flatMap((line) => (line.startsWith('data export ') ? [line.replace('data export ', '')] : []));

test.each([
  ['production', operatorSettings],
  ['staging', ownSettings],
])('the data stack exports what it did, and all of it with every setting: at %s with %j', async (stage, settings) => {
  const { data } = (await synthesizeAt(stage, settings)).templates;
  const outputs = Object.entries(data.findOutputs('*')).filter(([, { Export }]) => Export);
  const prefix = new RegExp(`^license-service-${stage}-data[:-]`);
  expect(outputs.map(([, { Export }]) => Export.Name.replace(prefix, '')).sort()).toEqual(exportedBefore);
});

describe('a restored table', () => {
  const { RESTORED_TABLE_STREAM_ARN, ...others } = ownSettings;
  let own: Synthesized;
  let cut: Synthesized;
  beforeAll(async () => {
    own = await synthesizeAt('staging', others);
    cut = await synthesizeAt('staging', ownSettings);
  });

  test('alone is what functions, permissions, the stream and what is watched are of', () => {
    const { api, workers, operations, data } = cut.templates;
    for (const template of [api, workers]) {
      const tables = Object.values(template.findResources('AWS::Lambda::Function')).map(
        ({ Properties }) => Properties.Environment?.Variables.TABLE_NAME,
      );
      expect(new Set(tables.filter((name) => name !== undefined))).toEqual(new Set(['restored-0131']));
    }
    const sources = Object.values(workers.findResources('AWS::Lambda::EventSourceMapping')).map(
      ({ Properties }) => Properties.EventSourceArn,
    );
    expect(sources).toContain(RESTORED_TABLE_STREAM_ARN);
    const importedOfOwn = /ExportsOutput\w*Table[0-9A-F]/;
    for (const template of [api, workers, operations]) expect(JSON.stringify(template.toJSON())).not.toMatch(importedOfOwn);
    expect(JSON.stringify([api, workers, operations].map((template) => template.toJSON()))).toContain('restored-0131');
    expect(data.findOutputs('TableName')['TableName']?.['Value']).toBe('restored-0131');
  });

  test('leaves the own table as it is, with all that the other stacks import of it until they are deployed', () => {
    const [before, after] = [own.templates.data.toJSON(), cut.templates.data.toJSON()];
    expect(after.Resources).toEqual(before.Resources);
    const { TableName: _, ...exports } = before.Outputs;
    expect(after.Outputs).toMatchObject(exports);
  });
});
