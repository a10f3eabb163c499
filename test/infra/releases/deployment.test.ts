import { describe, expect, jest, test } from '@jest/globals';
import { UNKNOWN_ACCOUNT, UNKNOWN_REGION } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';
import { constructAt, operatorSettings, type Synthesized, synthesizeAt } from '../../support/synthesized.ts';

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
    const { assembly } = await synthesizeWith(settings);
    const environments = assembly.stacks.map(({ environment }) => environment);
    expect(environments.map((environment) => [environment.account, environment.region])).toEqual(
      Array.from({ length: 4 }, () => [account, region]),
    );
  });

  const edge = {
    EDGE_DOMAIN: 'licenses.example.com',
    EDGE_CERTIFICATE_ARN: 'arn:aws:acm:us-east-1:111122223333:certificate/11111111-2222-3333-4444-555555555555',
    EDGE_ORIGIN: 'https://api.execute-api.eu-west-1.amazonaws.com',
  };
  test.each([
    ['staging', {}],
    ['staging', { CDK_DEFAULT_REGION: 'us-east-1' }],
    ['staging', { ...here, ...edge }],
    ['production', { ...here, ...edge }],
  ])('no finding of the best-practice checks is without a stated reason at %s with %j', async (stage, settings) => {
    const { app } = await constructAt(stage, { ...operatorSettings, ...settings });
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });

  test('the local stack is bound to none', async () => {
    const { assembly } = await synthesizeWith(here, 'local');
    const bound = assembly.stacks.filter(
      ({ environment: { account, region } }) => account !== UNKNOWN_ACCOUNT || region !== UNKNOWN_REGION,
    );
    expect(bound).toEqual([]);
  });

  test('callers reach it by IPv4 and by IPv6', async () => {
    const { templates } = await synthesizeWith({});
    templates.api.hasResourceProperties('AWS::ApiGatewayV2::Api', { IpAddressType: 'dualstack' });
  });
});

describe('reserved concurrency', () => {
  const reservedIn = (synthesized: Synthesized) =>
    Object.fromEntries(
      functionsOf(synthesized).flatMap(({ Properties }) =>
        Properties.ReservedConcurrentExecutions === undefined
          ? []
          : [[Properties.Description.replace('license-service ', ''), Properties.ReservedConcurrentExecutions]],
      ),
    );

  test('is kept for the functions that are named, and for no other', async () => {
    expect(reservedIn(await synthesizeWith({}))).toEqual({});
    const some = await synthesizeWith({ RESERVED_CONCURRENCY: 'licenses=200,storefront=50' });
    expect(reservedIn(some)).toEqual({ licenses: 200, storefront: 50 });
  });

  test.each([
    [{ RESERVED_CONCURRENCY: 'checkout=50' }, 'RESERVED_CONCURRENCY names checkout, which is no function'],
    [{ RESERVED_CONCURRENCY: 'licenses=0' }, 'RESERVED_CONCURRENCY is malformed'],
    [{ RESERVED_CONCURRENCY: 'licenses' }, 'RESERVED_CONCURRENCY is malformed'],
    [{ DEPLOY_ACCOUNT: '1234', DEPLOY_REGION: 'Tokyo' }, 'DEPLOY_ACCOUNT is malformed; DEPLOY_REGION is malformed'],
  ])('%j is refused', async (settings, refusal) => {
    await expect(synthesizeWith(settings)).rejects.toThrow(`Configuration refused: ${refusal}.`);
  });
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
    const synthesized = await synthesizeWith({ CLAMD_URL: 'tcp://clamd.internal:3310' });
    expect(count(synthesized.templates.data, ...made)).toEqual([0, 0]);
    expect(rulesFor(synthesized.templates.data)).not.toContain('aws.guardduty');
    expect(JSON.stringify(synthesized.templates.workers.toJSON())).not.toContain('guardduty:');
    expect(functionsOf(synthesized).map(({ Properties }) => Properties.Environment?.Variables.MALWARE_PLAN_ARN)).not.toContainEqual(
      expect.anything(),
    );
  });
});
