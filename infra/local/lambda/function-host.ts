import { join } from 'node:path';
import * as z from 'zod/mini';
import { ConfigError, readSettings, secretSettings, settingNames } from '../../../shared/config.ts';
import { type AccessControl, functionName } from '../access/access-control.ts';
import { functionArn, gatewayId } from '../access/name-resources.ts';
import { StartError } from '../engines/engine.ts';
import { account, region } from '../references.ts';
import type { Resource, SynthesizedApp } from '../template.ts';
import { createLambda, type LambdaFunction, print } from './lambda-host.ts';

const FunctionProperties = z.object({
  Description: z.string(),
  Code: z.object({ S3Key: z.string() }),
  Handler: z.string(),
  MemorySize: z.number(),
  Timeout: z.number(),
  Environment: z._default(z.object({ Variables: z.record(z.string(), z.string()) }), { Variables: {} }),
});
const RouteProperties = z.object({ RouteKey: z.string(), Target: z.string() });
const IntegrationProperties = z.object({ IntegrationUri: z.string() });
const MappingProperties = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z.number(),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.number() })),
  FilterCriteria: z.optional(z.object({ Filters: z.array(z.object({ Pattern: z.string() })) })),
});
const RuleProperties = z.object({
  /** A rule without waits for events, of which there are none here. */
  ScheduleExpression: z.optional(z.string()),
  Targets: z.array(z.object({ Arn: z.string(), Input: z.optional(z.string()) })),
});

/** A sweep that found nothing is not worth printing. */
const routine = '"message":"sweep_finished"';

interface HostOptions {
  settingOf: (name: string) => string;
  overrides: Record<string, string>;
  /** What the Lambda runtime itself would provide, beside the credentials of each. */
  runtime: Record<string, string>;
  control: AccessControl;
}

/** The functions of an app. What calls one is let through by the function's own policy, and what feeds it by its role. */
export type FunctionHost = ReturnType<typeof createFunctions>;

/**
 * Every function of the app with exactly the environment of its template:
 * what refers to other resources is resolved, what is empty is a setting for
 * `settingOf` to fill in.
 * A function starts when it is first called, but what it would refuse of its settings is known before.
 *
 * @throws StartError when a function refuses its settings, or may not read what feeds it.
 */
export function createFunctions(app: SynthesizedApp, options: HostOptions) {
  const { control } = options;
  demandSources(app, control);
  const lambdas = app.ofType('AWS::Lambda::Function').map((resource) => createFunction(app, resource, options));
  return {
    ...{ app, control },
    functions: new Map(lambdas.map((lambda) => [lambda.name, lambda])),
    async stop() {
      await Promise.all(lambdas.map((lambda) => lambda.stop()));
    },
  };
}

function createFunction(app: SynthesizedApp, resource: Resource, { settingOf, overrides, runtime, control }: HostOptions): LambdaFunction {
  const { Description, Code, Handler, MemorySize, Timeout, Environment } = app.read(resource, FunctionProperties);
  const [module = '', handler = ''] = Handler.split('.');
  const settings = Object.fromEntries(
    Object.entries(Environment.Variables).map(([name, value]) => [name, overrides[name] ?? (value === '' ? settingOf(name) : value)]),
  );
  const name = functionName(Description);
  demandSettings(name, settings, settingOf);
  const { accessKeyId, secretAccessKey, sessionToken } = control.identities.of(name);
  const credentials = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken };
  const bundle = app.assetFolder(Code.S3Key);
  return createLambda({
    name,
    file: join(bundle, `${module}.mjs`),
    handler,
    compiled: join(bundle, '..', 'compiled'),
    environment: { ...runtime, ...credentials, ...settings },
    timeoutSeconds: Timeout,
    memoryMb: MemorySize,
    onLine: (line) => {
      if (!line.includes(routine)) print(line);
    },
  });
}

/** The function behind each route of the gateway, by route key. */
export function routesTo(host: FunctionHost) {
  const { app } = host;
  const integrations = app.ofType('AWS::ApiGatewayV2::Integration');
  for (const resource of integrations) app.setMade(resource, { ref: resource.id, attributes: {} });
  const targets = new Map(
    integrations.map((resource) => [`integrations/${resource.id}`, app.read(resource, IntegrationProperties).IntegrationUri]),
  );
  return new Map(
    app.ofType('AWS::ApiGatewayV2::Route').map((resource) => {
      const { RouteKey, Target } = app.read(resource, RouteProperties);
      const target = targets.get(Target);
      if (target === undefined) throw new Error(`No integration for ${RouteKey}.`);
      return [RouteKey, invokerFor(host, target, 'apigateway.amazonaws.com', routeArn(RouteKey))] as const;
    }),
  );
}

/** What feeds functions from queues and streams. */
export function eventSourcesOf(host: FunctionHost) {
  return host.app.ofType('AWS::Lambda::EventSourceMapping').map((resource) => {
    const { EventSourceArn, FunctionName, BatchSize, ScalingConfig, FilterCriteria } = host.app.read(resource, MappingProperties);
    return {
      arn: EventSourceArn,
      batchSize: BatchSize,
      maxConcurrency: ScalingConfig?.MaximumConcurrency ?? 1,
      patterns: (FilterCriteria?.Filters ?? []).map(({ Pattern }) => z.parse(z.json(), JSON.parse(Pattern))),
      invoke: invokerOf(host, FunctionName),
    };
  });
}

/** The functions that run on a schedule, with their event. */
export function schedulesOf(host: FunctionHost) {
  return host.app.ofType('AWS::Events::Rule').flatMap((resource) => {
    const { ScheduleExpression, Targets } = host.app.read(resource, RuleProperties);
    const { Arn: ruleArn = '' } = host.app.madeOf(resource).attributes;
    if (ScheduleExpression === undefined) return [];
    return Targets.map(({ Arn, Input = '{}' }) => ({
      event: z.parse(z.record(z.string(), z.unknown()), JSON.parse(Input)),
      invoke: invokerFor(host, Arn, 'events.amazonaws.com', ruleArn),
    }));
  });
}

/** How a service invokes a function for one of our resources. Refused, it throws as if the function had failed. */
function invokerFor(host: FunctionHost, nameOrArn: string, service: string, sourceArn: string) {
  const invoke = invokerOf(host, nameOrArn);
  return async (event: unknown) => {
    host.control.access.authorize({ service, sourceArn }, { action: 'lambda:InvokeFunction', resource: functionArn(nameOrArn) });
    return invoke(event);
  };
}

function invokerOf({ control, functions }: FunctionHost, nameOrArn: string) {
  const lambda = functions.get(control.functionAs(nameOrArn).functionName);
  if (!lambda) throw new Error(`There is no function ${nameOrArn}.`);
  return (event: unknown) => lambda.invoke(event);
}

/**
 * What the function itself will check: its settings, of which the secrets are what their ARNs lead to.
 *
 * @throws StartError in the words of the function
 */
function demandSettings(functionName: string, settings: Record<string, string>, settingOf: (name: string) => string): void {
  const names = settingNames.filter((name) => name in settings);
  const secrets = names.filter((name) => secretSettings.has(name)).map((name) => [name, settingOf(name)]);
  try {
    readSettings(names, { ...settings, ...Object.fromEntries(secrets) });
  } catch (error) {
    throw error instanceof ConfigError ? new StartError(`The function ${functionName} does not start: ${error.message}`) : error;
  }
}

/** @throws StartError when the role of a function does not let it be fed */
function demandSources(app: SynthesizedApp, control: AccessControl): void {
  for (const resource of app.ofType('AWS::Lambda::EventSourceMapping')) {
    const { EventSourceArn, FunctionName } = app.read(resource, MappingProperties);
    const actions = EventSourceArn.includes(':sqs:') ? queueActions : streamActions;
    const calls = actions.map((action) => ({ action, resource: EventSourceArn }));
    control.demand(control.functionAs(FunctionName), `cannot be fed from ${EventSourceArn}`, calls);
  }
}

/** What Lambda does as the function, whose role must allow it, to read what feeds it. */
const queueActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const streamActions = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'];

/** How the gateway names a route when it calls its function: that of everything else has neither method nor path. */
function routeArn(routeKey: string): string {
  const route = routeKey.replace(' ', '');
  return `arn:aws:execute-api:${region}:${account}:${gatewayId}/$default/${route}`;
}
