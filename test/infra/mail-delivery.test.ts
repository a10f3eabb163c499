import { describe, expect, jest, test } from '@jest/globals';
import { mailWorkers } from '../../shared/mail/sending/send-pace.ts';
import { operatorSettings, ownSettings, synthesizeAt } from '../support/synthesized.ts';
import type { Json } from '../support/templates/json.ts';
import { type Resource, readService } from '../support/templates/service.ts';
import { stacksAt } from '../support/templates/stacks-at.ts';

jest.setTimeout(120_000);

const { ofType, only, outputs } = readService(await stacksAt('staging'));
const untagged = ({ properties: { Tags: _, ...properties } }: Resource) => properties;
const queueCalled = (id: string) => ofType('AWS::SQS::Queue').find((queue) => queue.id.replace(/[0-9A-F]{8}$/, '') === id)?.arn;

describe('mails in the deployed service', () => {
  const set = only('AWS::SES::ConfigurationSet');
  const rules = ofType('AWS::Events::Rule')
    .map(({ properties }) => properties)
    .filter(({ EventPattern }) => EventPattern?.source[0] === 'aws.ses');

  test('go out over TLS alone, are measured, and not to addresses that bounced or complained', () => {
    expect(untagged(set)).toEqual({
      DeliveryOptions: { TlsPolicy: 'REQUIRE' },
      ReputationOptions: { ReputationMetricsEnabled: true },
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
  });

  test('have bounces, complaints, rejections and delays told to the default bus', () => {
    expect(only('AWS::SES::ConfigurationSetEventDestination').properties).toMatchObject({
      ConfigurationSetName: set.ref,
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint', 'reject', 'deliveryDelay'],
        EventBridgeDestination: { EventBusArn: expect.stringMatching(/:event-bus\/default$/) },
      },
    });
  });

  test('prove the domain of the sender, whose DNS records are outputs', () => {
    const identity = only('AWS::SES::EmailIdentity');
    expect(untagged(identity)).toEqual({ EmailIdentity: 'example.com' });
    const token = (part: string) => `${identity.name}.DkimDNSToken${part}`;
    for (const index of [1, 2, 3]) expect(outputs[`MailDkim${index}`]).toBe(`${token(`Name${index}`)} CNAME ${token(`Value${index}`)}`);
  });

  test('may be those of one verified address, or of an identity that is there already', async () => {
    const dataWith = async (settings: Record<string, string>) => (await synthesizeAt('staging', settings)).templates.data;
    const address = await dataWith({ ...operatorSettings, MAIL_IDENTITY: 'address' });
    address.hasResourceProperties('AWS::SES::EmailIdentity', { EmailIdentity: 'licenses@example.com' });
    expect(address.findOutputs('MailDkim*')).toEqual({});
    (await dataWith(ownSettings)).resourceCountIs('AWS::SES::EmailIdentity', 0);
  });

  test('are reported by rules for events of our mails alone, to the queue of mails', () => {
    const tags = { 'ses:configuration-set': [set.ref], order_id: [{ prefix: 'ord_' }], mail_id: ['issuance', { prefix: 'mai_' }] };
    const kinds = [['Email Bounced'], ['Email Complaint Received', 'Email Rejected', 'Email Delivery Delayed']];
    expect(rules.map(({ EventPattern }) => EventPattern)).toEqual(
      kinds.map((kind) => ({ source: ['aws.ses'], 'detail-type': kind, detail: { mail: { tags } } })),
    );
    for (const { Targets } of rules)
      expect(Targets).toMatchObject([{ Arn: queueCalled('MailQueue'), DeadLetterConfig: { Arn: queueCalled('MailDeadLetters') } }]);
  });

  test('leave of a report nothing but tags, kind and time', () => {
    const common = ['$.detail-type', '$.time', '$.detail.mail.tags.order_id', '$.detail.mail.tags.mail_id'];
    const paths = rules.map(({ Targets }) => Object.values<string>(Targets[0].InputTransformer.InputPathsMap).sort());
    expect(paths).toEqual([[...common, '$.detail.bounce.bounceType', '$.detail.bounce.bounceSubType'].sort(), [...common].sort()]);
    for (const { Targets } of rules) {
      const { InputPathsMap, InputTemplate } = Targets[0].InputTransformer;
      for (const name of Object.keys(InputPathsMap)) expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(InputTemplate.replace(/"\w+":<[\w-]+>,?/g, '')).toBe('{}');
    }
  });

  test('are sent by as many workers at once as share the rate', () => {
    const mappings = ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties);
    const [mail] = mappings.filter(({ EventSourceArn }: Json) => EventSourceArn === queueCalled('MailQueue'));
    expect(mail.ScalingConfig).toEqual({ MaximumConcurrency: mailWorkers });
  });
});
