import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { evaluate, type Policy, readPolicy } from '../../../infra/local/access/policy-evaluation.ts';
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
  let topicPolicy: Policy;
  beforeAll(async () => {
    const { templates } = await synthesizeAt('production');
    const [policy] = Object.values(templates.operations.findResources('AWS::SNS::TopicPolicy'));
    topicPolicy = readPolicy(resolve(policy?.['Properties'].PolicyDocument), 'resource');
  });

  function decide(change: { principal?: string; action?: string; context?: Record<string, string> } = {}) {
    const { principal = 'cloudwatch.amazonaws.com', action = 'sns:Publish', context } = change;
    const known = { 'aws:SourceArn': alarm, 'aws:SourceAccount': account, 'aws:SecureTransport': 'true', ...context };
    return evaluate({ principal, action, resource: topic, context: known }, topicPolicy);
  }

  test('lets CloudWatch publish for an alarm of this account', () => {
    expect(decide()).toBe('Allowed');
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
  ])('lets not publish: %s', (_, change) => {
    expect(decide(change)).toBe('ImplicitlyDenied');
  });

  test('denies what comes without TLS', () => {
    expect(decide({ context: { 'aws:SecureTransport': 'false' } })).toBe('ExplicitlyDenied');
  });
});
