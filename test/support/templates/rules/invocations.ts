import { queueDefinitions } from '../../../../infra/constructs/queues.ts';
import { isAllowed } from '../evaluate.ts';
import { account } from '../identifiers.ts';
import type { Json } from '../json.ts';
import type { Rules } from '../rule.ts';
import type { Resource, Service, Statement } from '../service.ts';
import { statementsOf } from '../service.ts';

/** The function's own policy: what its permissions for this target add up to. */
function permissionsFor({ ofType, at }: Service, target: string): Statement[] {
  return ofType('AWS::Lambda::Permission')
    .filter(({ properties }) => (at(properties.FunctionName)?.arn ?? properties.FunctionName) === target)
    .map(({ properties: { Action, Principal, SourceArn, SourceAccount } }) => ({
      Effect: 'Allow',
      Principal: /^\d+$|^arn:/.test(Principal) ? { AWS: Principal } : { Service: Principal },
      Action: [Action],
      Resource: [target],
      Condition: {
        ...(SourceArn && { ArnLike: { 'aws:SourceArn': SourceArn } }),
        ...(SourceAccount && { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
      },
    }));
}

/** The policy that is attached to a queue or topic. */
function policyOf({ ofType }: Service, { type, ref }: Resource): Statement[] | undefined {
  const [policyType, key] = type === 'AWS::SQS::Queue' ? ['AWS::SQS::QueuePolicy', 'Queues'] : ['AWS::SNS::TopicPolicy', 'Topics'];
  const policy = ofType(policyType).findLast(({ properties }) => properties[key]?.includes(ref));
  return policy && statementsOf(policy.properties.PolicyDocument);
}

/** Whether a service may hand something to this queue, topic or function on behalf of `source`. */
export function mayDeliver(service: Service, principal: string, target: string, source: string): Promise<boolean> {
  const context = { 'aws:SourceArn': source };
  const resource = service.at(target);
  if (resource?.type === 'AWS::SQS::Queue')
    return isAllowed({ principal, action: 'sqs:SendMessage', resource: resource.arn, context, policy: policyOf(service, resource) ?? [] });
  if (resource?.type === 'AWS::SNS::Topic')
    return isAllowed({
      principal,
      action: 'sns:Publish',
      resource: resource.arn,
      context,
      policy: policyOf(service, resource) ?? ownAccount(resource),
    });
  return isAllowed({ principal, action: 'lambda:InvokeFunction', resource: target, context, policy: permissionsFor(service, target) });
}

/** What a topic without a policy of its own allows. */
const ownAccount = ({ arn }: Resource): Statement[] => [
  {
    Effect: 'Allow',
    Principal: '*',
    Action: ['sns:Publish'],
    Resource: [arn],
    Condition: { StringEquals: { 'aws:SourceAccount': account } },
  },
];

/** The ARN that an integration invokes, also where it is given as a path of the Lambda API. */
const invokedBy = (uri: string) => /functions\/(arn:[^/]+)\/invocations$/.exec(uri)?.[1] ?? uri;

function routesOf(service: Service) {
  return service.ofType('AWS::ApiGatewayV2::Route').map(({ properties: { RouteKey, Target } }) => {
    const integration = service.ofType('AWS::ApiGatewayV2::Integration').find(({ ref }) => Target === `integrations/${ref}`);
    return { routeKey: RouteKey, target: invokedBy(integration?.properties.IntegrationUri ?? '') };
  });
}

/** The events that bring work to a function, each by the ARN it is invoked under. */
function invokedTargets(service: Service): string[] {
  return [
    ...routesOf(service).map(({ target }) => target),
    ...service.ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties.FunctionName),
    ...service.ofType('AWS::Events::Rule').flatMap(({ properties }) => (properties.Targets ?? []).map(({ Arn }: Json) => Arn)),
    ...service.ofType('AWS::SNS::Subscription').map(({ properties }) => properties.Endpoint),
  ];
}

/** What brings work to functions. Whether it may, the local stack asks as it starts. */
export const invocationRules: Rules = {
  'every route leads to the function that serves it, and every one that is served has a route': (service) => {
    const served = service.definitions.flatMap(({ name, routes }) => routes.map(({ path }) => `ANY ${path} to ${name}`));
    const led = routesOf(service).map(({ routeKey, target }) => `${routeKey} to ${service.functionAt(target)?.folder}`);
    const expected = new Set([...served, '$default to pages']);
    return [
      ...[...expected].filter((route) => !led.includes(route)).map((route) => `no route leads ${route}`),
      ...led.filter((route) => !expected.has(route)).map((route) => `a route leads ${route}`),
    ];
  },

  'the gateway waits longer than a function may run': (service) =>
    service.ofType('AWS::ApiGatewayV2::Integration').flatMap(({ id, properties }) => {
      const seconds = service.functionAt(invokedBy(properties.IntegrationUri))?.properties.Timeout;
      return properties.TimeoutInMillis > seconds * 1000 ? [] : [`${id} waits ${properties.TimeoutInMillis} ms for ${seconds} s`];
    }),

  'the CDN waits longer than the gateway': ({ ofType }) => {
    const waits = ofType('AWS::ApiGatewayV2::Integration').map(({ properties }) => properties.TimeoutInMillis / 1000);
    return ofType('AWS::CloudFront::Distribution').flatMap(({ properties: { DistributionConfig } }) =>
      DistributionConfig.Origins.filter(
        ({ CustomOriginConfig }: Json) => !(CustomOriginConfig?.OriginReadTimeout > Math.max(...waits)),
      ).map(({ Id }: Json) => Id),
    );
  },

  'every function has the memory that its bundle and its batches take, and no processor that it never uses': ({ functions }) =>
    functions
      .filter(({ properties: { MemorySize } }) => !(MemorySize >= 512 && MemorySize <= 1024))
      .map(({ folder, properties: { MemorySize } }) => `${folder} has ${MemorySize} MB`),

  'whatever calls a function calls the alias of the version that serves': (service) =>
    invokedTargets(service)
      .filter((target) => service.functionAt(target) && service.aliasAt(target)?.properties.Name !== 'live')
      .map((target) => `${target} is called past its alias`),

  'every function has one alias, of a version of its own': ({ functions, ofType }) =>
    functions.flatMap(({ ref, folder }) => {
      const aliases = ofType('AWS::Lambda::Alias').filter(({ properties }) => properties.FunctionName === ref);
      const versions = ofType('AWS::Lambda::Version').filter(({ properties }) => properties.FunctionName === ref);
      const [alias] = aliases;
      const isOwn = versions.some(({ name }) => alias?.properties.FunctionVersion === `${name}.Version`);
      return aliases.length === 1 && isOwn ? [] : [`${folder}: ${aliases.length} aliases, of ${alias?.properties.FunctionVersion}`];
    }),

  'every function is invoked by something': (service) => {
    const targets = invokedTargets(service);
    return service.functions.filter(({ arn }) => !targets.some((target) => service.functionAt(target)?.arn === arn)).map(({ id }) => id);
  },

  'every rule is enabled and has a target that exists and lets it in': async (service) => {
    const faults = await Promise.all(
      service.ofType('AWS::Events::Rule').map(async ({ id, arn, properties: { State = 'ENABLED', Targets = [] } }) => {
        const targets: string[] = Targets.flatMap(({ Arn, DeadLetterConfig }: Json) => [
          Arn,
          ...(DeadLetterConfig ? [DeadLetterConfig.Arn] : []),
        ]);
        const open = await Promise.all(targets.map((target) => mayDeliver(service, 'events.amazonaws.com', target, arn)));
        return [
          ...(State === 'ENABLED' && targets.length > 0 ? [] : [`${id} does nothing`]),
          ...targets.filter((_, index) => !open[index]).map((target) => `${id} may not deliver to ${target}`),
        ];
      }),
    );
    return faults.flat();
  },

  'every queue is worked off by its own worker alone': (service) => {
    const queues = service.functions.flatMap(({ environment }) => Object.entries(environment)).filter(([name]) => name in queueDefinitions);
    const workers = new Map(
      queues.map(([setting, url]) => [service.at(url)?.arn, queueDefinitions[setting as keyof typeof queueDefinitions].worker]),
    );
    const mappings = service
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => properties.EventSourceArn.includes(':sqs:'));
    const actual = mappings.map(
      ({ properties }) =>
        `${properties.EventSourceArn} to ${service.functionAt(properties.FunctionName)?.folder} ${properties.Enabled ?? true}`,
    );
    const expected = [...workers].map(([queue, worker]) => `${queue} to ${worker} true`);
    return [...expected.filter((each) => !actual.includes(each)), ...actual.filter((each) => !expected.includes(each))];
  },

  'every batch reports which of its items failed': ({ ofType }) =>
    ofType('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => !properties.FunctionResponseTypes?.includes('ReportBatchItemFailures'))
      .map(({ id }) => id),

  'every message stays invisible for six runs of its worker': (service) =>
    service.ofType('AWS::Lambda::EventSourceMapping').flatMap(({ properties: { EventSourceArn, FunctionName } }) => {
      const queue = service.at(EventSourceArn, 'AWS::SQS::Queue');
      const seconds = service.functionAt(FunctionName)?.properties.Timeout;
      return !queue || queue.properties.VisibilityTimeout >= 6 * seconds
        ? []
        : [`${queue.id}: ${queue.properties.VisibilityTimeout} s for ${seconds} s`];
    }),

  'every queue that is worked off gives up to dead letters, which keep messages longest, and neither for less than four days': (service) =>
    service
      .ofType('AWS::Lambda::EventSourceMapping')
      .flatMap(({ properties }) => service.at(properties.EventSourceArn, 'AWS::SQS::Queue') ?? [])
      .flatMap(({ id, arn, properties: { RedrivePolicy, MessageRetentionPeriod = 345_600 } }) => {
        const letters = service.at(RedrivePolicy?.deadLetterTargetArn, 'AWS::SQS::Queue');
        if (!letters || letters.arn === arn || letters.properties.RedrivePolicy) return [`${id} gives up to no queue for that`];
        const kept = letters.properties.MessageRetentionPeriod ?? 345_600;
        return RedrivePolicy.maxReceiveCount >= 3 &&
          kept === 1_209_600 &&
          kept > MessageRetentionPeriod &&
          MessageRetentionPeriod >= 345_600
          ? []
          : [`${id} gives up too soon or for too short`];
      }),
};
