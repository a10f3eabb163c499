import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { mailWorkers } from '../../shared/mail/sending/send-pace.ts';
import { operatorSettings, synthesizeAt } from '../support/synthesized.ts';

jest.setTimeout(120_000);
type Json = any;

const dataAt = async (stage: string, settings: Record<string, string>) =>
  (await synthesizeAt(stage, { ...operatorSettings, ...settings })).templates.data;
const one = (template: Template, type: string): [string, Json] => {
  const found = Object.entries<Json>(template.findResources(type));
  expect(found).toHaveLength(1);
  return found[0]!;
};
const untagged = ({ Properties: { Tags: _, ...properties } }: Json) => properties;
const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');

describe('mails in the deployed service', () => {
  let templates: Awaited<ReturnType<typeof synthesizeAt>>['templates'];
  let set: string;
  beforeAll(async () => {
    ({ templates } = await synthesizeAt('staging'));
    [set] = one(templates.data, 'AWS::SES::ConfigurationSet');
  });

  test('go out over TLS alone, are measured, and not to addresses that bounced or complained', () => {
    expect(untagged(one(templates.data, 'AWS::SES::ConfigurationSet')[1])).toEqual({
      DeliveryOptions: { TlsPolicy: 'REQUIRE' },
      ReputationOptions: { ReputationMetricsEnabled: true },
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
  });

  test('have bounces, complaints, rejections and delays told to the default bus', () => {
    const [, { Properties }] = one(templates.data, 'AWS::SES::ConfigurationSetEventDestination');
    expect(Properties).toMatchObject({
      ConfigurationSetName: { Ref: set },
      EventDestination: { Enabled: true, MatchingEventTypes: ['bounce', 'complaint', 'reject', 'deliveryDelay'] },
    });
    expect(JSON.stringify(Properties.EventDestination.EventBridgeDestination.EventBusArn)).toMatch(/:event-bus\/default"/);
  });

  test('prove the domain of the sender, whose DNS records are outputs, and keep the identity when the stack goes', () => {
    const [id, identity] = one(templates.data, 'AWS::SES::EmailIdentity');
    expect(untagged(identity)).toEqual({ EmailIdentity: 'example.com' });
    expect(identity).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    for (const index of [1, 2, 3]) {
      const { Value } = templates.data.findOutputs(`MailDkim${index}`)[`MailDkim${index}`] as Json;
      const part = (name: string) => ({ 'Fn::GetAtt': [id, `DkimDNSToken${name}${index}`] });
      expect(Value).toEqual({ 'Fn::Join': ['', [part('Name'), ' CNAME ', part('Value')]] });
    }
  });

  test('may be those of one verified address, or of an identity that is there already', async () => {
    const address = await dataAt('staging', { MAIL_IDENTITY: 'address' });
    expect(untagged(one(address, 'AWS::SES::EmailIdentity')[1])).toEqual({ EmailIdentity: 'licenses@example.com' });
    expect(address.findOutputs('MailDkim*')).toEqual({});
    (await dataAt('staging', { MAIL_IDENTITY: 'existing' })).resourceCountIs('AWS::SES::EmailIdentity', 0);
    await expect(dataAt('staging', { MAIL_IDENTITY: 'none' })).rejects.toThrow('MAIL_IDENTITY is malformed');
  });

  const rules = () =>
    Object.entries<Json>(templates.data.findResources('AWS::Events::Rule'))
      .filter(([, { Properties }]) => Properties.EventPattern.source[0] === 'aws.ses')
      .map(([id, { Properties }]) => ({ id, ...Properties }));

  test('are reported by rules for events of our mails alone, to the queue of mails', () => {
    const [queue] = Object.keys(templates.data.findResources('AWS::SQS::Queue')).filter((id) => withoutHash(id) === 'MailQueue');
    const [dead] = Object.keys(templates.data.findResources('AWS::SQS::Queue')).filter((id) => withoutHash(id) === 'MailDeadLetters');
    const types = rules().map(({ EventPattern, State, Targets }) => {
      const tags = { 'ses:configuration-set': [{ Ref: set }], order_id: [{ prefix: 'ord_' }], mail_id: ['issuance', { prefix: 'mai_' }] };
      expect(EventPattern).toEqual({ source: ['aws.ses'], 'detail-type': expect.any(Array), detail: { mail: { tags } } });
      expect(State).toBe('ENABLED');
      expect(Targets).toMatchObject([
        { Arn: { 'Fn::GetAtt': [queue, 'Arn'] }, DeadLetterConfig: { Arn: { 'Fn::GetAtt': [dead, 'Arn'] } } },
      ]);
      return EventPattern['detail-type'];
    });
    expect(types).toEqual([['Email Bounced'], ['Email Complaint Received', 'Email Rejected', 'Email Delivery Delayed']]);
  });

  test('leave of a report nothing but tags, kind and time', () => {
    const common = ['$.detail-type', '$.time', '$.detail.mail.tags.order_id', '$.detail.mail.tags.mail_id'];
    const paths = rules().map(({ Targets }) => Object.values<string>(Targets[0].InputTransformer.InputPathsMap).sort());
    expect(paths).toEqual([[...common, '$.detail.bounce.bounceType', '$.detail.bounce.bounceSubType'].sort(), [...common].sort()]);
    for (const { Targets } of rules()) {
      const { InputPathsMap, InputTemplate } = Targets[0].InputTransformer;
      for (const name of Object.keys(InputPathsMap)) expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(InputTemplate.replace(/"\w+":<[\w-]+>,?/g, '')).toBe('{}');
    }
  });

  test('are sent by as many workers at once as share the rate', () => {
    const mappings = Object.values<Json>(templates.workers.findResources('AWS::Lambda::EventSourceMapping'));
    const [mail] = mappings.filter(({ Properties }) => JSON.stringify(Properties.EventSourceArn).includes('MailQueue'));
    expect(mail.Properties.ScalingConfig).toEqual({ MaximumConcurrency: mailWorkers });
  });
});
