import type { Json } from '../json.ts';
import { change, type Mistake, remove } from './mistake.ts';

const overTls = 'mails go out over TLS alone, and never again to who bounced or complained';
const taken = 'every report of a mail that was not delivered has a rule that takes it, once';
const nameless = 'a report reaches the queue of mails, without the address that it is about';

const set = (edit: (properties: Json) => void) => change('AWS::SES::ConfigurationSet', /./, edit);
const bounces = (edit: (properties: Json) => void) => change('AWS::Events::Rule', /^MailBounces/, edit);
const destination = (edit: (destination: Json) => void) =>
  change('AWS::SES::ConfigurationSetEventDestination', /./, ({ EventDestination }) => edit(EventDestination));

/** Mails that go out in the open, and reports that do not come or say too much. */
export const mailMistakes: readonly Mistake[] = [
  {
    mistake: 'mails may go out without TLS',
    breaks: overTls,
    plant: set(({ DeliveryOptions }) => {
      DeliveryOptions.TlsPolicy = 'OPTIONAL';
    }),
  },
  {
    mistake: 'who complained gets further mails',
    breaks: overTls,
    plant: set(({ SuppressionOptions }) => {
      SuppressionOptions.SuppressedReasons = ['BOUNCE'];
    }),
  },
  {
    mistake: 'the verified sender goes with its stack',
    breaks: 'table, bucket, secrets and sender stay when their stack goes or they are replaced',
    plant: (stacks) => {
      for (const { template } of stacks)
        for (const resource of Object.values(template.Resources))
          if (resource.Type === 'AWS::SES::EmailIdentity') resource.DeletionPolicy = 'Delete';
    },
  },
  {
    mistake: 'SES does not tell of complaints',
    breaks: taken,
    plant: destination((properties) => {
      properties.MatchingEventTypes = properties.MatchingEventTypes.filter((kind: string) => kind !== 'complaint');
    }),
  },
  {
    mistake: 'SES tells nothing',
    breaks: taken,
    plant: destination((properties) => {
      properties.Enabled = false;
    }),
  },
  {
    mistake: 'SES tells a bus that has no rules',
    breaks: taken,
    plant: destination(({ EventBridgeDestination: { EventBusArn } }) => {
      EventBusArn['Fn::Join'][1].splice(-1, 1, ':event-bus/mails');
    }),
  },
  {
    mistake: 'no rule takes bounces',
    breaks: taken,
    plant: remove('AWS::Events::Rule', /^MailBounces/),
  },
  {
    mistake: 'two rules take bounces',
    breaks: taken,
    plant: change('AWS::Events::Rule', /^MailOthers/, ({ EventPattern }) => {
      EventPattern['detail-type'].push('Email Bounced');
    }),
  },
  {
    mistake: 'a rule waits for reports of another configuration set',
    breaks: taken,
    plant: bounces(({ EventPattern }) => {
      EventPattern.detail.mail.tags['ses:configuration-set'] = ['newsletter'];
    }),
  },
  {
    mistake: 'a rule no longer transforms reports, so that the address reaches the queue',
    breaks: nameless,
    plant: bounces(({ Targets: [target] }) => {
      delete target.InputTransformer;
    }),
  },
  {
    mistake: 'a report says whom it is about',
    breaks: nameless,
    plant: bounces(({ Targets: [{ InputTransformer }] }) => {
      InputTransformer.InputPathsMap.to = '$.detail.mail.destination';
    }),
  },
  {
    mistake: 'a report is brought whole',
    breaks: nameless,
    plant: bounces(({ Targets: [{ InputTransformer }] }) => {
      InputTransformer.InputTemplate = '{"type":<detail-type>,"event":<aws.events.event>}';
    }),
  },
  {
    mistake: 'reports go to dead letters',
    breaks: nameless,
    plant: bounces(({ Targets: [target] }) => {
      target.Arn = target.DeadLetterConfig.Arn;
    }),
  },
  {
    mistake: 'reports may not reach the queue',
    breaks: 'every rule is enabled and has a target that exists and lets it in',
    plant: change('AWS::SQS::QueuePolicy', /^MailQueue/, ({ PolicyDocument }) => {
      PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Deny');
    }),
  },
  {
    mistake: 'mails go out under no configuration set',
    breaks: 'every setting that names a resource names one of its type, and the same in every function',
    plant: change('AWS::Lambda::Function', /^mailsender/, ({ Environment: { Variables } }) => {
      Variables.MAIL_CONFIGURATION_SET = 'default';
    }),
  },
];
