import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { LocalQueue } from '../../../infra/local/engines/provision.ts';
import type { GatewayReply } from '../../../infra/local/gateway/api-gateway.ts';
import type { SynthesizedApp } from '../../../infra/local/template.ts';
import { metricFiltersOf } from './alarm-definitions.ts';
import { createEntryReader, entryOf } from './metric-filter.ts';
import type { MetricStore } from './metric-store.ts';

/** Counts entries of logs as the metric filters of the templates do. */
export function createLogMetrics(app: SynthesizedApp, metrics: MetricStore) {
  const filters = metricFiltersOf(app).map((filter) => ({ ...filter, read: createEntryReader(filter) }));

  return (log: string, entry: Readonly<Record<string, unknown>>): void => {
    for (const { read, namespace, metricName, log: filtered } of filters) {
      const value = filtered === log ? read(entry) : undefined;
      if (value !== undefined) metrics.add({ namespace, name: metricName, dimensions: {} }, value);
    }
  };
}
type LogMetrics = ReturnType<typeof createLogMetrics>;

const FunctionProperties = z.object({ LoggingConfig: z.object({ LogGroup: z.string() }) });

/** What Lambda measures of each function, and the lines of its log. */
export function createFunctionMetrics(app: SynthesizedApp, metrics: MetricStore, count: LogMetrics) {
  const logs = new Map(
    app
      .ofType('AWS::Lambda::Function')
      .map((resource) => [app.madeOf(resource).ref, app.read(resource, FunctionProperties).LoggingConfig.LogGroup]),
  );
  const add = (name: string, FunctionName: string, value: number) =>
    metrics.add({ namespace: 'AWS/Lambda', name, dimensions: { FunctionName } }, value);

  return {
    line(functionName: string, line: string): void {
      const entry = entryOf(line);
      if (entry) count(logs.get(functionName) ?? '', entry);
    },

    ended(functionName: string, hasFailed: boolean): void {
      add('Invocations', functionName, 1);
      add('Errors', functionName, hasFailed ? 1 : 0);
    },
  };
}

const StageProperties = z.object({
  ApiId: z.string(),
  AccessLogSettings: z.optional(z.object({ DestinationArn: z.string(), Format: z.string() })),
});

/** What the gateway measures of each reply, and its line in the access log. */
export function createGatewayMetrics(app: SynthesizedApp, metrics: MetricStore, count: LogMetrics) {
  const stages = app.ofType('AWS::ApiGatewayV2::Stage').map((resource) => app.read(resource, StageProperties));

  return (reply: GatewayReply): void => {
    for (const { ApiId, AccessLogSettings } of stages) {
      const add = (name: string, value: number) => metrics.add({ namespace: 'AWS/ApiGateway', name, dimensions: { ApiId } }, value);
      add('Count', 1);
      add('4xx', reply.status >= 400 && reply.status < 500 ? 1 : 0);
      add('5xx', reply.status >= 500 ? 1 : 0);
      add('Latency', reply.milliseconds);
      const entry = AccessLogSettings && entryOf(accessLine(AccessLogSettings.Format, reply));
      if (entry) count(logOf(AccessLogSettings.DestinationArn), entry);
    }
  };
}

/** The name of a log, by its ARN. */
const logOf = (arn: string) => arn.replace(/^.*:log-group:/, '').replace(/:\*$/, '');

function accessLine(format: string, { method, requestId, routeKey, status, milliseconds, bytes }: GatewayReply): string {
  const context: Readonly<Record<string, string | number>> = {
    requestId,
    httpMethod: method,
    routeKey,
    status,
    responseLatency: milliseconds,
    responseLength: bytes,
    requestTime: new Date().toISOString(),
  };
  return format.replace(/\$context\.(\w+)/g, (_, name: string) => String(context[name] ?? '-'));
}

/** Looks at every queue and records what SQS measures of it. */
export function createQueueMetrics(queues: readonly LocalQueue[], sqs: SQSClient, metrics: MetricStore, now: () => number) {
  const waitingSince = new Map<string, number>();

  async function look({ name, url }: LocalQueue): Promise<void> {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: url,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    const visible = Number(Attributes.ApproximateNumberOfMessages);
    // SQS shows nobody the age of a message: here it waits for as long as the queue was never seen empty.
    if (visible === 0) waitingSince.delete(name);
    else waitingSince.set(name, waitingSince.get(name) ?? now());
    const add = (metric: string, value: number) =>
      metrics.add({ namespace: 'AWS/SQS', name: metric, dimensions: { QueueName: name } }, value);
    add('ApproximateNumberOfMessagesVisible', visible);
    add('ApproximateNumberOfMessagesNotVisible', Number(Attributes.ApproximateNumberOfMessagesNotVisible));
    add('ApproximateAgeOfOldestMessage', (now() - (waitingSince.get(name) ?? now())) / 1000);
  }

  return async (): Promise<void> => {
    await Promise.all(queues.map(look));
  };
}
