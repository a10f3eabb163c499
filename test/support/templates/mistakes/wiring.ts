import type { Json } from '../json.ts';
import { change, find, type Mistake, remove } from './mistake.ts';

const environmentOf = (id: RegExp, edit: (variables: Json) => void) =>
  change('AWS::Lambda::Function', id, ({ Environment }) => edit(Environment.Variables));

/** What is connected to nothing, or to something else. */
export const wiringMistakes: readonly Mistake[] = [
  {
    mistake: 'the gateway may not invoke a function',
    breaks: 'every route may invoke its function',
    plant: (stacks) => {
      const permission = find(stacks, 'AWS::Lambda::Permission', /licensesLive/);
      delete permission.stack.template.Resources[permission.id];
    },
  },
  {
    mistake: 'the permission of the gateway is for another stage',
    breaks: 'every route may invoke its function',
    plant: change('AWS::Lambda::Permission', /licensesLive/, ({ SourceArn }) => {
      SourceArn['Fn::Join'][1].splice(-1, 1, '/prod/*/*');
    }),
  },
  {
    mistake: 'a permission is for a service that does not call',
    breaks: 'every route may invoke its function',
    plant: change('AWS::Lambda::Permission', /ordersLive/, (properties) => {
      properties.Principal = 's3.amazonaws.com';
    }),
  },
  {
    mistake: 'a route leads to another function',
    breaks: 'every route leads to the function that serves it, and every one that is served has a route',
    plant: (stacks) => {
      const { resource } = find(stacks, 'AWS::ApiGatewayV2::Route', /POSTv1licensesvalidate/);
      resource.Properties.Target = find(stacks, 'AWS::ApiGatewayV2::Route', /GEThealthz/).resource.Properties.Target;
    },
  },
  {
    mistake: 'a route is gone',
    breaks: 'every route leads to the function that serves it, and every one that is served has a route',
    plant: remove('AWS::ApiGatewayV2::Route', /POSTv1licensesactivate/),
  },
  {
    mistake: 'the gateway gives up before its function',
    breaks: 'the gateway waits longer than a function may run',
    plant: change('AWS::ApiGatewayV2::Integration', /licenses/, (properties) => {
      properties.TimeoutInMillis = 10_000;
    }),
  },
  {
    mistake: 'the sweep invokes nothing',
    breaks: 'every function is invoked by something',
    plant: change('AWS::Events::Rule', /^Sweep/, (properties) => {
      properties.Targets = [];
    }),
  },
  {
    mistake: 'the sweep invokes another function',
    breaks: 'every rule is enabled and has a target that exists and lets it in',
    plant: (stacks) => {
      const other = find(stacks, 'AWS::Lambda::Function', /^mailsender/).id;
      find(stacks, 'AWS::Events::Rule', /^Sweep/).resource.Properties.Targets[0].Arn = { 'Fn::GetAtt': [other, 'Arn'] };
    },
  },
  {
    mistake: 'the schedule is switched off',
    breaks: 'every rule is enabled and has a target that exists and lets it in',
    plant: change('AWS::Events::Rule', /^Sweep/, (properties) => {
      properties.State = 'DISABLED';
    }),
  },
  {
    mistake: 'the schedule may not invoke the sweeper',
    breaks: 'every rule is enabled and has a target that exists and lets it in',
    plant: remove('AWS::Lambda::Permission', /^SweepSchedule/),
  },
  {
    mistake: 'scan results may not reach their queue',
    breaks: 'every rule is enabled and has a target that exists and lets it in',
    plant: change('AWS::SQS::QueuePolicy', /^ScanQueue/, ({ PolicyDocument }) => {
      PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Deny');
    }),
  },
  {
    mistake: 'a queue is worked off by another function',
    breaks: 'every queue is worked off by its own worker alone',
    plant: (stacks) => {
      const { resource } = find(stacks, 'AWS::Lambda::EventSourceMapping', /^mailsender/);
      resource.Properties.FunctionName = find(stacks, 'AWS::Lambda::EventSourceMapping', /^filehasher/).resource.Properties.FunctionName;
    },
  },
  {
    mistake: 'a queue is worked off by nobody',
    breaks: 'every queue is worked off by its own worker alone',
    plant: remove('AWS::Lambda::EventSourceMapping', /^eventprojector/),
  },
  {
    mistake: 'a worker is switched off',
    breaks: 'every queue is worked off by its own worker alone',
    plant: change('AWS::Lambda::EventSourceMapping', /^filescanner/, (properties) => {
      properties.Enabled = false;
    }),
  },
  {
    mistake: 'one failed job repeats its whole batch',
    breaks: 'every batch reports which of its items failed',
    plant: change('AWS::Lambda::EventSourceMapping', /^mailsender/, (properties) => {
      delete properties.FunctionResponseTypes;
    }),
  },
  {
    mistake: 'a message comes back while it is worked on',
    breaks: 'every message stays invisible for six runs of its worker',
    plant: change('AWS::SQS::Queue', /^HashQueue/, (properties) => {
      properties.VisibilityTimeout = 30;
    }),
  },
  {
    mistake: 'a queue never gives up',
    breaks: 'every queue that is worked off gives up to dead letters, which keep messages longest',
    plant: change('AWS::SQS::Queue', /^MailQueue/, (properties) => {
      delete properties.RedrivePolicy;
    }),
  },
  {
    mistake: 'dead letters are kept for four days',
    breaks: 'every queue that is worked off gives up to dead letters, which keep messages longest',
    plant: change('AWS::SQS::Queue', /^MailDeadLetters/, (properties) => {
      delete properties.MessageRetentionPeriod;
    }),
  },
  {
    mistake: 'a setting names another queue',
    breaks: 'every setting that names a resource names one of its type, and the same in every function',
    plant: (stacks) => {
      const { Variables } = find(stacks, 'AWS::Lambda::Function', /^sweeper/).resource.Properties.Environment;
      Variables.MAIL_QUEUE_URL = Variables.HASH_QUEUE_URL;
    },
  },
  {
    mistake: 'a webhook is checked with the secret of the other',
    breaks: 'every setting that names a resource names one of its type, and the same in every function',
    plant: environmentOf(/^paymentwebhooks/, (variables) => {
      variables.PAYMENT_CONNECT_WEBHOOK_SECRET = variables.PAYMENT_WEBHOOK_SECRET;
    }),
  },
  {
    mistake: 'a setting is missing',
    breaks: 'every function has the settings that it names, and is given no other',
    plant: environmentOf(/^licenses/, (variables) => {
      delete variables.TABLE_NAME;
    }),
  },
  {
    mistake: 'a function is given a setting that it never reads',
    breaks: 'every function has the settings that it names, and is given no other',
    plant: environmentOf(/^docs/, (variables) => {
      variables.DEBUG = 'true';
    }),
  },
  {
    mistake: 'settings outgrow the environment',
    breaks: 'no environment is larger than 4 KB',
    plant: environmentOf(/^admin/, (variables) => {
      variables.ADMIN_ALLOWLIST = Array.from({ length: 200 }, (_, index) => `admin-${index}@example.com`).join(',');
    }),
  },
  {
    mistake: 'a function runs a handler that is not there',
    breaks: 'every function runs the handler that its bundle exports, on arm64',
    plant: change('AWS::Lambda::Function', /^pictures/, (properties) => {
      properties.Handler = 'handler.handler';
    }),
  },
];
