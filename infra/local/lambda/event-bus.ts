import { randomUUID } from 'node:crypto';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { Access } from '../access/access.ts';
import type { LocalQueue } from '../engines/provision.ts';
import type { SynthesizedApp } from '../template.ts';
import { matchesPattern } from './event-pattern.ts';

const RuleProperties = z.object({
  EventPattern: z.record(z.string(), z.unknown()),
  State: z.string(),
  Targets: z.array(
    z.object({
      Arn: z.string(),
      InputTransformer: z.optional(z.object({ InputPathsMap: z.record(z.string(), z.string()), InputTemplate: z.string() })),
    }),
  ),
});
type Target = z.infer<typeof RuleProperties>['Targets'][number];

/** What a service tells the bus; the rest of the envelope is added. */
export interface ServiceEvent {
  source: string;
  'detail-type': string;
  resources: readonly string[];
  detail: Record<string, unknown>;
}

export type EventBus = ReturnType<typeof createEventBus>;

/**
 * The default event bus: the rules of the app that have a pattern, and what they make of an event for their targets,
 * which are queues.
 *
 * @throws Error when a rule has another target.
 */
export function createEventBus(
  app: SynthesizedApp,
  { sqs, queues, access }: { sqs: SQSClient; queues: readonly LocalQueue[]; access: Pick<Access, 'authorize'> },
) {
  const rules = app
    .ofType('AWS::Events::Rule')
    .filter(({ properties }) => properties['EventPattern'] !== undefined)
    .map((rule) => ({ ...app.read(rule, RuleProperties), sourceArn: app.madeOf(rule).attributes['Arn'] ?? '' }))
    .filter(({ State }) => State === 'ENABLED')
    .map(({ EventPattern, Targets, sourceArn }) => ({
      EventPattern,
      targets: Targets.map((target) => ({ target, queue: queueOf(target), sourceArn })),
    }));

  function queueOf({ Arn }: Target): LocalQueue {
    const queue = queues.find(({ arn }) => arn === Arn);
    if (!queue) throw new Error(`A rule has the target ${Arn}, which is no queue of the app.`);
    return queue;
  }

  /** @throws AccessDeniedError when the queue does not let this rule send. */
  async function deliver(
    { target, queue, sourceArn }: { target: Target; queue: LocalQueue; sourceArn: string },
    event: Record<string, unknown>,
  ): Promise<void> {
    access.authorize({ service: 'events.amazonaws.com', sourceArn }, { action: 'sqs:SendMessage', resource: queue.arn });
    await sqs.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: inputOf(target, event) }));
  }

  return {
    /** Delivers the event to the targets of all rules that it matches. */
    async put(told: ServiceEvent): Promise<void> {
      const event = { version: '0', id: randomUUID(), account: '000000000000', region: 'us-east-1', time: timeOf(new Date()), ...told };
      const targets = rules.filter(({ EventPattern }) => matchesPattern(event, EventPattern)).flatMap((rule) => rule.targets);
      await Promise.all(targets.map((target) => deliver(target, event)));
    },
  };
}

/** Without the fraction of a second, as the bus has it. */
const timeOf = (at: Date) => at.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** @throws Error when the template refers to what the event does not have, or makes no JSON. */
function inputOf({ InputTransformer }: Target, event: Record<string, unknown>): string {
  if (!InputTransformer) return JSON.stringify(event);
  const { InputPathsMap, InputTemplate } = InputTransformer;
  const input = InputTemplate.replace(/<([\w-]+)>/g, (_, name: string) => {
    const value = valueAt(event, InputPathsMap[name] ?? '');
    if (value === undefined) throw new Error(`The event has nothing at ${InputPathsMap[name]}, to which a rule refers.`);
    return JSON.stringify(value);
  });
  return JSON.stringify(JSON.parse(input));
}

/** Only names that dots separate: no other path is in the app. */
function valueAt(event: unknown, path: string): unknown {
  const [root, ...names] = path.split('.');
  if (root !== '$') throw new Error(`The path ${path} is not known locally.`);
  return names.reduce<unknown>((value, name) => z.safeParse(z.record(z.string(), z.unknown()), value).data?.[name], event);
}
