import { runSimulation } from '@cloud-copilot/iam-simulate';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(60_000);

const account = '123456789012';
const topic = `arn:aws:sns:eu-west-1:${account}:alarms`;
const alarm = `arn:aws:cloudwatch:eu-west-1:${account}:alarm:license-service-staging-operations-DeadJobs`;

/** A policy of a template with its references replaced. */
function resolve(value: any): any {
  if (Array.isArray(value)) return value.map(resolve);
  if (value === null || typeof value !== 'object') return value;
  if (value['Fn::Join']) return value['Fn::Join'][1].map(resolve).join(value['Fn::Join'][0]);
  const pseudo: Record<string, string> = { 'AWS::AccountId': account, 'AWS::Partition': 'aws', 'AWS::Region': 'eu-west-1' };
  if (value['Ref']) return pseudo[value['Ref']] ?? topic;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolve(field)]));
}

describe('the topic of alarms', () => {
  let resourcePolicy: any;
  beforeAll(async () => {
    const { templates } = await synthesizeAt('production');
    const [policy] = Object.values(templates.operations.findResources('AWS::SNS::TopicPolicy'));
    resourcePolicy = resolve(policy?.['Properties'].PolicyDocument);
  });

  async function decide(change: { principal?: string; action?: string; context?: Record<string, string> } = {}) {
    const { principal = 'cloudwatch.amazonaws.com', action = 'sns:Publish', context } = change;
    const contextVariables = { 'aws:SourceArn': alarm, 'aws:SourceAccount': account, 'aws:SecureTransport': 'true', ...context };
    const request = { principal, action, resource: { resource: topic, accountId: account }, contextVariables };
    const policies = { identityPolicies: [], serviceControlPolicies: [], resourceControlPolicies: [], resourcePolicy };
    const outcome = await runSimulation({ request, ...policies }, {});
    if (!('overallResult' in outcome)) throw new Error(JSON.stringify(outcome));
    return outcome.overallResult;
  }

  test('lets CloudWatch publish for an alarm of this account', async () => {
    expect(await decide()).toBe('Allowed');
  });

  test.each([
    [
      'for an alarm of another account',
      { context: { 'aws:SourceAccount': '999999999999', 'aws:SourceArn': alarm.replace(account, '999999999999') } },
    ],
    ['for what is no alarm', { context: { 'aws:SourceArn': `arn:aws:s3:::${account}` } }],
    ['another service', { principal: 's3.amazonaws.com' }],
    ['another action', { action: 'sns:Subscribe' }],
    ['a user of another account', { principal: 'arn:aws:iam::999999999999:user/any' }],
  ])('lets not publish: %s', async (_, change) => {
    expect(await decide(change)).toBe('ImplicitlyDenied');
  });

  test('denies what comes without TLS', async () => {
    expect(await decide({ context: { 'aws:SecureTransport': 'false' } })).toBe('ExplicitlyDenied');
  });
});
