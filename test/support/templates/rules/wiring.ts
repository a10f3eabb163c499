import { secretSettings } from '../../../../shared/config.ts';
import type { Json } from '../identifiers.ts';
import { account } from '../identifiers.ts';
import { change, find, type Plant, type Rules, remove, set, without } from '../mistake.ts';
import type { Service } from '../service.ts';
import { mayDeliver } from '../verdicts.ts';

const alias = 'AWS::Lambda::Alias';
const integration = 'AWS::ApiGatewayV2::Integration';
const lambda = 'AWS::Lambda::Function';
const permission = 'AWS::Lambda::Permission';
const queue = 'AWS::SQS::Queue';
const route = 'AWS::ApiGatewayV2::Route';
const schedule = 'AWS::Events::Rule';

/** The property of one resource names another. */
const name =
  (type: string, id: RegExp, path: string, otherType: string, other: RegExp): Plant =>
  (stacks) =>
    set(type, id, path, { Ref: find(stacks, otherType, other).id })(stacks);

/** What is in one of the lists alone. */
const differences = (one: readonly string[], other: readonly string[]) => [
  ...one.filter((each) => !other.includes(each)),
  ...other.filter((each) => !one.includes(each)),
];

function routesOf({ ofType }: Service) {
  return ofType(route).map(({ properties: { RouteKey: key, Target } }) => {
    const found = ofType(integration).find(({ ref }) => Target === `integrations/${ref}`);
    return { key, integration: found, target: String(found?.properties.IntegrationUri) };
  });
}

/** As whom the gateway calls the function of a route: of `$default`, which has neither method nor path, by its name alone. */
function callerOf({ ofType }: Service, key: string): string {
  const [api, stage] = [ofType('AWS::ApiGatewayV2::Api')[0], ofType('AWS::ApiGatewayV2::Stage')[0]];
  return `arn:aws:execute-api:${api?.region}:${account}:${api?.ref}/${stage?.properties.StageName}/${key.replace(' ', '')}`;
}

const mappingsOf = ({ ofType }: Service) => ofType('AWS::Lambda::EventSourceMapping').map(({ id, properties }) => ({ id, ...properties }));

/** The queues that are worked off, each with its worker. */
const workedOff = (service: Service) =>
  mappingsOf(service).flatMap(({ EventSourceArn, FunctionName }) => {
    const [found, worker] = [service.at(EventSourceArn, queue), service.functionAt(FunctionName)];
    return found && worker ? [{ queue: found, worker }] : [];
  });

/** The folders of functions that a message which they send can come back to. */
function inLoop(service: Service): string[] {
  const sentBy = new Map(
    service.functions.map(({ folder, statements }) => [
      folder,
      statements.flatMap(({ Action, Resource }) => (Action.includes('sqs:SendMessage') ? Resource : [])),
    ]),
  );
  const next = (folder: string) =>
    workedOff(service)
      .filter(({ queue: { arn } }) => sentBy.get(folder)?.includes(arn))
      .map(({ worker }) => worker.folder);
  return [...sentBy.keys()].filter((folder) => {
    const reached = new Set(next(folder));
    for (const each of reached) for (const further of next(each)) reached.add(further);
    return reached.has(folder);
  });
}

/** Of what type the resources are that settings name. */
const resourceSettings: Readonly<Record<string, string>> = {
  TABLE_NAME: 'AWS::DynamoDB::GlobalTable',
  BUCKET_NAME: 'AWS::S3::Bucket',
  MAIL_CONFIGURATION_SET: 'AWS::SES::ConfigurationSet',
};
const typeNamedBy = (setting: string) =>
  secretSettings.has(setting) ? 'AWS::SecretsManager::Secret' : setting.endsWith('_QUEUE_URL') ? queue : resourceSettings[setting];

/** What is connected to what. Whether functions may do what they do, runs of whole stacks show. */
export const wiringRules: Rules = {
  'every route leads to the function that serves it, and every one that is served has a route': {
    faults: (service) => {
      const served = service.definitions.flatMap(({ name: folder, routes }) => routes.map(({ path }) => `ANY ${path} to ${folder}`));
      const led = routesOf(service).map(({ key, target }) => `${key} to ${service.functionAt(target)?.folder}`);
      return differences(['$default to pages', ...served], led);
    },
    mistakes: {
      'a route leads to another function': (stacks) =>
        set(route, /OPTIONSv1licensesvalidate/, 'Target', find(stacks, route, /OPTIONShealthz/).resource.Properties.Target)(stacks),
      'a route is gone': remove(route, /OPTIONSv1licensesactivate/),
    },
  },

  'the gateway may call the function of every route before it is to, and no other gateway': {
    faults: (service) =>
      routesOf(service).flatMap(({ key, target, integration: { dependsOn = [] } = {} }) => {
        const may = (caller: string) => mayDeliver(service, 'apigateway.amazonaws.com', target, caller);
        const caller = callerOf(service, key);
        const isMadeBefore = dependsOn.some((id) =>
          service.ofType(permission).some((each) => each.id === id && each.properties.FunctionName === target),
        );
        return may(caller) && !may(caller.replace(/:Api\w*|-Api\w*/, '$&Other')) && isMadeBefore ? [] : [key];
      }),
    mistakes: {
      'the gateway may not call the pages for what has no route': remove(permission, /^DefaultRoute/),
      'any gateway may call a function': set(
        permission,
        /OPTIONSv1licensesvalidate/,
        'SourceArn',
        `arn:aws:execute-api:eu-west-1:${account}:*`,
      ),
      'the gateway is to call a function before it may': (stacks) => {
        delete find(stacks, integration, /licenses/).resource.DependsOn;
      },
    },
  },

  'whoever waits for a function waits longer than it may run': {
    faults: (service) => {
      const integrations = routesOf(service).map(({ target, integration: found }) => ({
        seconds: found?.properties.TimeoutInMillis / 1000,
        runs: service.functionAt(target)?.properties.Timeout,
      }));
      const origins = service
        .ofType('AWS::CloudFront::Distribution')
        .flatMap(({ properties }) => properties.DistributionConfig.Origins)
        .map(({ CustomOriginConfig }) => ({
          seconds: CustomOriginConfig.OriginReadTimeout,
          runs: Math.max(...integrations.map(({ seconds }) => seconds)),
        }));
      return [...integrations, ...origins]
        .filter(({ seconds, runs }) => !(seconds > runs))
        .map(({ seconds, runs }) => `${seconds} s for ${runs} s`);
    },
    mistakes: {
      'the gateway gives up before its function': set(integration, /licenses/, 'TimeoutInMillis', 10_000),
      'the CDN gives up before the function': change('AWS::CloudFront::Distribution', /./, ({ DistributionConfig: { Origins } }) => {
        Origins[0].CustomOriginConfig.OriginReadTimeout = 20;
      }),
    },
  },

  'every function runs its bundle on the machine for which it was made, with the memory that it takes': {
    faults: ({ functions }) =>
      functions
        .filter(
          ({ properties: { Handler, Runtime, Architectures, MemorySize } }) =>
            `${Handler} ${Runtime} ${Architectures}` !== 'start.handler nodejs24.x arm64' || !(MemorySize >= 512 && MemorySize <= 1024),
        )
        .map(({ folder }) => folder),
    mistakes: {
      'a function runs a handler that is not there': set(lambda, /^pictures/, 'Handler', 'handler.handler'),
      'the sender of events has the least memory': set(lambda, /^eventsender/, 'MemorySize', 128),
    },
  },

  'every function is called by something, and by the alias of its own version': {
    faults: (service) => {
      const targets = [
        ...routesOf(service).map(({ target }) => target),
        ...mappingsOf(service).map(({ FunctionName }) => FunctionName),
        ...service.ofType(schedule).flatMap(({ properties }) => properties.Targets.map(({ Arn }: Json) => Arn)),
      ].filter((target) => service.functionAt(target));
      const isOwn = (target: string) => {
        const { FunctionName, FunctionVersion, Name } = service.aliasAt(target)?.properties ?? {};
        const versions = service.ofType('AWS::Lambda::Version').filter(({ properties }) => properties.FunctionName === FunctionName);
        return Name === 'live' && versions.some((version) => FunctionVersion === `${version.name}.Version`);
      };
      const called = new Set(targets.map((target) => service.functionAt(target)?.folder));
      return [
        ...targets.filter((target) => !isOwn(target)),
        ...service.functions.flatMap(({ folder }) => (called.has(folder) ? [] : folder)),
      ];
    },
    mistakes: {
      'the gateway calls a function past its alias': name(integration, /licenses/, 'IntegrationUri', lambda, /^licenses/),
      'an alias names what is not published': set(alias, /^orders/, 'FunctionVersion', '$LATEST'),
      'the sweep calls nothing': set(schedule, /^Sweep/, 'Targets', []),
    },
  },

  'every rule is enabled, and may deliver to its target and its dead letters': {
    faults: (service) =>
      service.ofType(schedule).flatMap(({ id, arn, properties: { State = 'ENABLED', Targets } }) => {
        const targets: string[] = Targets.flatMap(({ Arn, DeadLetterConfig }: Json) => [Arn, DeadLetterConfig?.Arn ?? Arn]);
        const isOpen = targets.every((target) => mayDeliver(service, 'events.amazonaws.com', target, arn));
        return State === 'ENABLED' && targets.length > 0 && isOpen ? [] : [id];
      }),
    mistakes: {
      'the schedule is switched off': set(schedule, /^Sweep/, 'State', 'DISABLED'),
      'the schedule may not call the sweeper': remove(permission, /^SweepSchedule/),
      'scan results may not reach their queue': without('AWS::SQS::QueuePolicy', /^ScanQueue/, 'sqs:SendMessage'),
    },
  },

  'every source of work is switched on, and hears which of a batch failed': {
    faults: (service) =>
      mappingsOf(service)
        .filter(({ Enabled = true, FunctionResponseTypes }) => !Enabled || !FunctionResponseTypes?.includes('ReportBatchItemFailures'))
        .map(({ id }) => id),
    mistakes: {
      'one failed job repeats its whole batch': set('AWS::Lambda::EventSourceMapping', /^mailsender/, 'FunctionResponseTypes'),
      'a worker is switched off': set('AWS::Lambda::EventSourceMapping', /^filescanner/, 'Enabled', false),
    },
  },

  'every message stays invisible for six runs of its worker, is tried several times, and kept for days, longest as a dead letter': {
    faults: (service) =>
      workedOff(service)
        .filter(({ queue: { arn, properties }, worker }) => {
          const { VisibilityTimeout, MessageRetentionPeriod: kept = 345_600, RedrivePolicy } = properties;
          const letters = service.at(RedrivePolicy?.deadLetterTargetArn, queue);
          return !(
            VisibilityTimeout >= 6 * worker.properties.Timeout &&
            kept >= 345_600 &&
            RedrivePolicy?.maxReceiveCount >= 3 &&
            letters?.arn !== arn &&
            letters?.properties.MessageRetentionPeriod === 1_209_600
          );
        })
        .map(({ queue: { id } }) => id),
    mistakes: {
      'a message comes back while it is worked on': set(queue, /^HashQueue/, 'VisibilityTimeout', 30),
      'messages are gone before anybody is up': set(queue, /^DeliveryQueue/, 'MessageRetentionPeriod', 3600),
      'a queue never gives up': set(queue, /^MailQueue/, 'RedrivePolicy'),
      'a message is tried once': set(queue, /^MailQueue/, 'RedrivePolicy.maxReceiveCount', 1),
      'dead letters are kept for four days': set(queue, /^MailDeadLetters/, 'MessageRetentionPeriod'),
    },
  },

  'every function that a message can come back to may run more than 16 times for it, and no other': {
    faults: (service) => {
      const allowed = service.functions.flatMap(({ folder, properties }) => (properties.RecursiveLoop === 'Allow' ? [folder] : []));
      return differences(['event-projector', ...inLoop(service)], allowed);
    },
    mistakes: {
      'a job that is tried for long is stopped': set(lambda, /^mailsender/, 'RecursiveLoop'),
      'nobody stops a circle that is a mistake': set(lambda, /^docs/, 'RecursiveLoop', 'Allow'),
    },
  },

  'every function is given the settings that it names and no other, and what they name is of its type and the same everywhere': {
    faults: (service) => {
      const seen = new Map<string, string>();
      return service.definitions.flatMap(({ name: folder, settingNames }) => {
        const environment = service.functions.find((each) => each.folder === folder)?.environment ?? {};
        const isWrong = (setting: string) => {
          const [type, value] = [typeNamedBy(setting), environment[setting]];
          if (!settingNames.some((named) => named === setting)) return true;
          if (type === undefined) return value === undefined && ['STAGE', 'AUTH_MODE', 'PUBLIC_BASE_URL', 'MAIL_FROM'].includes(setting);
          const resource = service.at(value, type);
          const usual = seen.get(setting) ?? resource?.ref;
          if (usual) seen.set(setting, usual);
          const isCalledSo = !secretSettings.has(setting) || resource?.properties.Name.endsWith(`/${service.stage}/${setting}`);
          return !resource || resource.ref !== usual || !isCalledSo;
        };
        return [...new Set([...settingNames, ...Object.keys(environment)])].filter(isWrong).map((setting) => `${setting} of ${folder}`);
      });
    },
    mistakes: {
      'a setting names another queue': change(lambda, /^sweeper/, ({ Environment: { Variables } }) => {
        Variables.MAIL_QUEUE_URL = Variables.HASH_QUEUE_URL;
      }),
      'a webhook is checked with the secret of the other': change(lambda, /^paymentwebhooks/, ({ Environment: { Variables } }) => {
        Variables.PAYMENT_CONNECT_WEBHOOK_SECRET = Variables.PAYMENT_WEBHOOK_SECRET;
      }),
      'mails go out under no configuration set': set(lambda, /^mailsender/, 'Environment.Variables.MAIL_CONFIGURATION_SET', 'default'),
      'a setting is missing': set(lambda, /^licenses/, 'Environment.Variables.TABLE_NAME'),
      'a function is given a setting that it never reads': set(lambda, /^docs/, 'Environment.Variables.DEBUG', 'true'),
    },
  },
};
