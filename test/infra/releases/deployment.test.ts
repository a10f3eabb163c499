import { describe, expect, jest, test } from '@jest/globals';
import { AwsSolutionsChecks } from 'cdk-nag';
import { constructAt, operatorSettings, ownSettings, type Synthesized, synthesizeAt } from '../../support/synthesized.ts';
import { readService, type Service } from '../../support/templates/service.ts';
import { stacksAt } from '../../support/templates/stacks-at.ts';

jest.setTimeout(60_000);

const synthesizeWith = (settings: Record<string, string>, stage = 'production') =>
  synthesizeAt(stage, { ...operatorSettings, ...settings });
const functionsOf = ({ templates }: Synthesized) =>
  [templates.api, templates.workers].flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')));

describe('where it is deployed', () => {
  const here = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-west-1' };

  test.each([
    [here, '111122223333', 'eu-west-1'],
    [{ ...here, DEPLOY_ACCOUNT: '444455556666', DEPLOY_REGION: 'ap-northeast-1' }, '444455556666', 'ap-northeast-1'],
  ])('every stack is bound to one account and Region: %j', async (settings, account, region) => {
    const { data, api, workers, operations } = (await constructAt('production', { ...operatorSettings, ...settings })).stacks;
    const environments = [data, api, workers, operations].map(({ environment }) => environment);
    expect(environments).toEqual(environments.map(() => `aws://${account}/${region}`));
  });

  const edge = {
    EDGE_DOMAIN: 'licenses.example.com',
    EDGE_CERTIFICATE_ARN: 'arn:aws:acm:us-east-1:111122223333:certificate/11111111-2222-3333-4444-555555555555',
    EDGE_ORIGIN: 'https://api.execute-api.eu-west-1.amazonaws.com',
  };
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
    const { templates } = await synthesizeWith({});
    templates.api.hasResourceProperties('AWS::ApiGatewayV2::Api', { IpAddressType: 'dualstack' });
  });
});

test('reserved concurrency is kept for the functions that are named, and for no other', async () => {
  const reservedIn = ({ functions }: Service) =>
    functions.flatMap(({ folder, properties: { ReservedConcurrentExecutions: kept } }) => (kept === undefined ? [] : [[folder, kept]]));
  expect(reservedIn(readService(await stacksAt('staging')))).toEqual([
    ['licenses', 200],
    ['storefront', 50],
  ]);
  expect(JSON.stringify((await synthesizeWith({})).templates.api.toJSON())).not.toContain('ReservedConcurrentExecutions');
});

describe('scans by GuardDuty', () => {
  const count = (template: any, ...types: string[]) => types.map((type) => Object.keys(template.findResources(type)).length);
  /** The rules of the mail delivery are there in any case. */
  const rulesFor = (template: any) =>
    Object.values<any>(template.findResources('AWS::Events::Rule')).map(({ Properties }) => Properties.EventPattern.source[0]);
  const made = ['AWS::GuardDuty::MalwareProtectionPlan', 'AWS::IAM::Role'];

  test('are set up where no clamd scans', async () => {
    const { data, workers } = (await synthesizeWith({})).templates;
    expect(JSON.stringify(workers.toJSON())).toContain('guardduty:SendObjectMalwareScan');
    expect(count(data, ...made)).toEqual([1, 1]);
    expect(rulesFor(data).filter((source) => source === 'aws.guardduty')).toHaveLength(1);
  });

  test('cost nothing where clamd does: no plan, no rule, no role, and no right to ask for one', async () => {
    const synthesized = await synthesizeAt('staging', ownSettings);
    expect(count(synthesized.templates.data, ...made)).toEqual([0, 0]);
    expect(rulesFor(synthesized.templates.data)).not.toContain('aws.guardduty');
    expect(JSON.stringify(synthesized.templates.workers.toJSON())).not.toContain('guardduty:');
    expect(functionsOf(synthesized).map(({ Properties }) => Properties.Environment?.Variables.MALWARE_PLAN_ARN)).not.toContainEqual(
      expect.anything(),
    );
  });
});
