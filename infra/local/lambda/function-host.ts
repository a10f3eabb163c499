import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Resource, SynthesizedApp } from '../template.ts';
import { type LambdaFunction, startLambda } from './lambda-host.ts';

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
  ScheduleExpression: z.string(),
  Targets: z.array(z.object({ Arn: z.string(), Input: z.optional(z.string()) })),
});

export type FunctionHost = Awaited<ReturnType<typeof startFunctions>>;

/**
 * Starts every function of the app with exactly the environment of its template:
 * what refers to other resources is resolved, what is empty is a setting for
 * `settingOf` to fill in. `runtime` is what the Lambda runtime itself would provide.
 *
 * @throws StartError when a function refuses its settings.
 */
export async function startFunctions(
  app: SynthesizedApp,
  {
    settingOf,
    overrides,
    runtime,
  }: { settingOf: (name: string) => string; overrides: Record<string, string>; runtime: Record<string, string> },
) {
  const resources = app.ofType('AWS::Lambda::Function');
  for (const resource of resources) {
    app.setMade(resource, { ref: resource.id, attributes: { Arn: arnOf(resource) } });
  }
  const started = await Promise.allSettled(resources.map(async (resource) => [arnOf(resource), await start(resource)] as const));
  const functions = new Map(started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
  const stop = async () => {
    await Promise.all([...functions.values()].map((lambda) => lambda.stop()));
  };
  const refusal = started.find((outcome) => outcome.status === 'rejected');
  if (refusal) {
    await stop();
    throw refusal.reason;
  }

  async function start(resource: Resource): Promise<LambdaFunction> {
    const { Description, Code, Handler, MemorySize, Timeout, Environment } = app.read(resource, FunctionProperties);
    const [module = '', handler = ''] = Handler.split('.');
    const settings = Object.entries(Environment.Variables).map(([name, value]) => [
      name,
      overrides[name] ?? (value === '' ? settingOf(name) : value),
    ]);
    return startLambda({
      // The function's own name is in the description that every function has.
      name: Description.replace(/^license-service /, ''),
      file: join(app.assetFolder(Code.S3Key), `${module}.js`),
      handler,
      environment: { ...runtime, ...Object.fromEntries(settings) },
      timeoutSeconds: Timeout,
      memoryMb: MemorySize,
    });
  }

  const invokerOf = (arn: string) => {
    const lambda = functions.get(arn);
    if (!lambda) throw new Error(`There is no function ${arn}.`);
    return (event: unknown) => lambda.invoke(event);
  };
  return {
    /** The function behind each route of the gateway, by route key. */
    routes() {
      const integrations = app.ofType('AWS::ApiGatewayV2::Integration');
      for (const resource of integrations) app.setMade(resource, { ref: resource.id, attributes: {} });
      const targets = new Map(
        integrations.map((resource) => [
          `integrations/${resource.id}`,
          invokerOf(app.read(resource, IntegrationProperties).IntegrationUri),
        ]),
      );
      return new Map(
        app.ofType('AWS::ApiGatewayV2::Route').map((resource) => {
          const { RouteKey, Target } = app.read(resource, RouteProperties);
          return [RouteKey, targets.get(Target) ?? (() => Promise.reject(new Error(`No integration for ${RouteKey}.`)))] as const;
        }),
      );
    },

    /** What feeds functions from queues and streams. */
    eventSources() {
      return app.ofType('AWS::Lambda::EventSourceMapping').map((resource) => {
        const { EventSourceArn, FunctionName, BatchSize, ScalingConfig, FilterCriteria } = app.read(resource, MappingProperties);
        return {
          arn: EventSourceArn,
          batchSize: BatchSize,
          maxConcurrency: ScalingConfig?.MaximumConcurrency ?? 1,
          patterns: (FilterCriteria?.Filters ?? []).map(({ Pattern }) => z.parse(z.json(), JSON.parse(Pattern))),
          invoke: invokerOf(arnOfName(FunctionName)),
        };
      });
    },

    /** The functions that run on a schedule, with their event. */
    schedules() {
      const scheduled = app.ofType('AWS::Events::Rule').filter(({ properties }) => properties['ScheduleExpression'] !== undefined);
      return scheduled.flatMap((resource) =>
        app.read(resource, RuleProperties).Targets.map(({ Arn, Input = '{}' }) => ({
          event: z.parse(z.record(z.string(), z.unknown()), JSON.parse(Input)),
          invoke: invokerOf(Arn),
        })),
      );
    },

    stop,
  };
}

const arnOf = (resource: Resource) => arnOfName(resource.id);
const arnOfName = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
