import type { Json } from '../json.ts';
import { change, find, keep, type Mistakes, type Plant, remove, set } from './mistake.ts';

const alias = 'AWS::Lambda::Alias';
const integration = 'AWS::ApiGatewayV2::Integration';
const lambda = 'AWS::Lambda::Function';
const mapping = 'AWS::Lambda::EventSourceMapping';
const queue = 'AWS::SQS::Queue';
const route = 'AWS::ApiGatewayV2::Route';
const schedule = 'AWS::Events::Rule';

/** The property of one resource is what a second one of the type has there. */
const confuse =
  (type: string, id: RegExp, other: RegExp, property: string): Plant =>
  (stacks) =>
    set(type, id, property, find(stacks, type, other).resource.Properties[property])(stacks);
/** The property of one resource names another. */
const name =
  (type: string, id: RegExp, path: string, otherType: string, other: RegExp): Plant =>
  (stacks) =>
    set(type, id, path, { Ref: find(stacks, otherType, other).id })(stacks);

/** What is connected to nothing, or to something else. */
export const wiringMistakes: Mistakes = {
  'every route leads to the function that serves it, and every one that is served has a route': {
    'a route leads to another function': confuse(route, /OPTIONSv1licensesvalidate/, /OPTIONShealthz/, 'Target'),
    'a route is gone': remove(route, /OPTIONSv1licensesactivate/),
    'routes lead to the alias of another function': name(integration, /licenses/, 'IntegrationUri', alias, /^orders/),
  },
  'the gateway waits longer than a function may run': {
    'the gateway gives up before its function': set(integration, /licenses/, 'TimeoutInMillis', 10_000),
  },
  'the CDN waits longer than the gateway': {
    'the CDN gives up before the function': change('AWS::CloudFront::Distribution', /./, ({ DistributionConfig: { Origins } }) => {
      Origins[0].CustomOriginConfig.OriginReadTimeout = 20;
    }),
  },
  'every function has the memory that its bundle and its batches take, and no processor that it never uses': {
    'the sender of events has the least memory': set(lambda, /^eventsender/, 'MemorySize', 128),
  },
  'whatever calls a function calls the alias of the version that serves': {
    'an event source mapping leads past the alias': name(mapping, /^mailsender/, 'FunctionName', lambda, /^mailsender/),
  },
  'every function has one alias, of a version of its own': {
    'an alias is that of another function': name(alias, /^orders/, 'FunctionName', lambda, /^pages/),
    'an alias names the version of another function': confuse(alias, /^orders/, /^pages/, 'FunctionVersion'),
  },
  'every function is invoked by something': {
    'the sweep invokes nothing': set(schedule, /^Sweep/, 'Targets', []),
  },
  'every rule is enabled and has a target that exists and lets it in': {
    'the sweep invokes another function': name(schedule, /^Sweep/, 'Targets.0.Arn', alias, /^mailsender/),
    'the schedule is switched off': set(schedule, /^Sweep/, 'State', 'DISABLED'),
    'the schedule may not invoke the sweeper': remove('AWS::Lambda::Permission', /^SweepSchedule/),
    'scan results may not reach their queue': keep('AWS::SQS::QueuePolicy', /^ScanQueue/, ({ Effect }) => Effect === 'Deny'),
  },
  'every queue is worked off by its own worker alone': {
    'a queue is worked off by another function': confuse(mapping, /^mailsender/, /^filehasher/, 'FunctionName'),
    'a queue is worked off through an alias that does not exist': change(mapping, /^mailsender/, ({ FunctionName }) =>
      FunctionName['Fn::Join'][1].splice(-1, 1, ':alive'),
    ),
    'a queue is worked off by nobody': remove(mapping, /^eventprojector/),
    'a worker is switched off': set(mapping, /^filescanner/, 'Enabled', false),
  },
  'every batch reports which of its items failed': {
    'one failed job repeats its whole batch': set(mapping, /^mailsender/, 'FunctionResponseTypes'),
  },
  'every message stays invisible for six runs of its worker': {
    'a message comes back while it is worked on': set(queue, /^HashQueue/, 'VisibilityTimeout', 30),
  },
  'every queue that is worked off gives up to dead letters, which keep messages longest, and neither for less than four days': {
    'messages are gone before anybody is up': set(queue, /^DeliveryQueue/, 'MessageRetentionPeriod', 3600),
    'a queue never gives up': set(queue, /^MailQueue/, 'RedrivePolicy'),
    'a message is tried once': set(queue, /^MailQueue/, 'RedrivePolicy.maxReceiveCount', 1),
    'dead letters are kept for four days': set(queue, /^MailDeadLetters/, 'MessageRetentionPeriod'),
  },
  'every setting that names a resource names one of its type, and the same in every function': {
    'a setting names another queue': environmentOf(/^sweeper/, (variables) => {
      variables.MAIL_QUEUE_URL = variables.HASH_QUEUE_URL;
    }),
    'a webhook is checked with the secret of the other': environmentOf(/^paymentwebhooks/, (variables) => {
      variables.PAYMENT_CONNECT_WEBHOOK_SECRET = variables.PAYMENT_WEBHOOK_SECRET;
    }),
    'mails go out under no configuration set': set(lambda, /^mailsender/, 'Environment.Variables.MAIL_CONFIGURATION_SET', 'default'),
  },
  'every function has the settings that it names, and is given no other': {
    'a setting is missing': set(lambda, /^licenses/, 'Environment.Variables.TABLE_NAME'),
    'a function is given a setting that it never reads': set(lambda, /^docs/, 'Environment.Variables.DEBUG', 'true'),
  },
  'no environment is larger than 4 KB': {
    'settings outgrow the environment': set(lambda, /^admin/, 'Environment.Variables.ADMIN_ALLOWLIST', 'sub:admin,'.repeat(400)),
  },
  'every function runs the handler that its bundle exports, on arm64': {
    'a function runs a handler that is not there': set(lambda, /^pictures/, 'Handler', 'handler.handler'),
  },
};

function environmentOf(id: RegExp, edit: (variables: Json) => void): Plant {
  return change(lambda, id, ({ Environment }) => edit(Environment.Variables));
}
