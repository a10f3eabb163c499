import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createLogger } from '../../../shared/logger.ts';
import type { Access } from '../access/access.ts';
import type { LocalQueue } from '../engines/provision.ts';
import type { GatewayReply, LocalRequest } from '../gateway/api-gateway.ts';
import { type HttpReply, jsonReply } from '../http-reply.ts';
import type { FunctionWatch } from '../lambda/function-host.ts';
import { account, type SynthesizedApp } from '../template.ts';
import { type AlarmDefinition, alarmsOf } from './alarm-definitions.ts';
import { type AlarmState, createJudge, periodMsOf, type StateValue } from './alarm-states.ts';
import { alarmArnOf, createAlarmTopics } from './alarm-topics.ts';
import { createFunctionMetrics, createGatewayMetrics, createLogMetrics, createQueueMetrics } from './measurements.ts';
import { createMetricStore } from './metric-store.ts';

const logger = createLogger({ part: 'monitoring' });

/** An alarm as `GET /__local/alarms` tells it. */
export interface AlarmView extends AlarmState {
  name: string;
  text: string;
}

export interface Monitoring extends FunctionWatch {
  replied(reply: GatewayReply): void;
  list(): AlarmView[];
  /** Undefined for what is not about alarms. */
  answer(request: LocalRequest): Promise<HttpReply | undefined>;
  /** Looks at the queues, judges every alarm, and tells the topics what has changed. */
  judge(): Promise<void>;
  stop(): Promise<void>;
}

interface MonitoringOptions {
  sqs: SQSClient;
  queues: readonly LocalQueue[];
  access: Pick<Access, 'authorize'>;
  now?: () => number;
}

const intervalMs = 5000;
const path = '/__local/alarms';
const SetState = z.object({ state: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']), reason: z._default(z.string(), 'Set by hand.') });

/** Measures what the cloud measures and judges the alarms of the templates by it. See "Alarms" in README.md */
export function startMonitoring(app: SynthesizedApp, options: MonitoringOptions): Monitoring {
  const monitoring = createMonitoring(app, options);
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(monitoring.judge).catch((error) => logger.warn('alarm_not_told', { error }));
  }, intervalMs);
  timer.unref();
  return {
    ...monitoring,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** The same without a clock of its own: whoever calls `judge` says when. @throws Error for an alarm that cannot be judged here */
export function createMonitoring(app: SynthesizedApp, { sqs, queues, access, now = () => Date.now() }: MonitoringOptions): Monitoring {
  const metrics = createMetricStore(now);
  const count = createLogMetrics(app, metrics);
  const lookAtQueues = createQueueMetrics(queues, sqs, metrics, now);
  const topics = createAlarmTopics(access, now);
  const alarms = alarmsOf(app).map((definition) => {
    const judge = createJudge(definition, metrics, now);
    return { definition, judge, current: { ...judge(), since: timeOf(now()) }, heldUntil: 0 };
  });
  type Watched = (typeof alarms)[number];

  function change(alarm: Watched, state: StateValue, reason: string): void {
    const { definition, current } = alarm;
    if (state === current.state) {
      alarm.current = { ...current, reason };
      return;
    }
    alarm.current = { state, reason, since: timeOf(now()) };
    const told = state === 'ALARM' ? definition.alarmActions : state === 'OK' ? definition.okActions : [];
    for (const topic of told) {
      const isTold = topics.publish(
        topic,
        definition.name,
        `${state}: "${definition.name}"`,
        messageOf(definition, current, alarm.current),
      );
      if (!isTold) logger.warn('alarm_not_told', { alarm: definition.name, state, topic });
    }
  }

  const view = ({ definition: { name, text }, current }: Watched): AlarmView => ({ name, text, ...current });

  function setState(name: string, body: Buffer): HttpReply {
    const alarm = alarms.find(({ definition }) => definition.name === name);
    if (!alarm) return jsonReply({ message: `There is no alarm ${name}.` }, 404);
    const asked = z.safeParse(SetState, parsed(body));
    if (!asked.success) return jsonReply({ message: 'Say {"state": "OK" | "ALARM" | "INSUFFICIENT_DATA"}.' }, 400);
    alarm.heldUntil = now() + periodMsOf(alarm.definition);
    change(alarm, asked.data.state, asked.data.reason);
    return jsonReply(view(alarm));
  }

  return {
    ...createFunctionMetrics(app, metrics, count),
    replied: createGatewayMetrics(app, metrics, count),
    list: () => alarms.map(view),

    async answer({ method, path: asked, body }) {
      if (method === 'POST') return asked.startsWith(`${path}/`) ? setState(asked.slice(path.length + 1), body) : undefined;
      if (method !== 'GET' && method !== 'HEAD') return undefined;
      if (asked === path) return jsonReply({ items: alarms.map(view) });
      return asked === '/__local/notifications' ? jsonReply({ items: topics.list() }) : undefined;
    },

    async judge() {
      await lookAtQueues();
      for (const alarm of alarms) {
        if (alarm.heldUntil > now()) continue;
        const { state, reason } = alarm.judge();
        change(alarm, state, reason);
      }
    },

    stop: async () => undefined,
  };
}

const timeOf = (at: number) => new Date(at).toISOString();

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What CloudWatch writes to a topic, as far as it is known here. */
const messageOf = ({ name, text }: AlarmDefinition, before: AlarmState, { state, reason, since }: AlarmState) => ({
  AlarmName: name,
  AlarmDescription: text,
  AWSAccountId: account,
  AlarmArn: alarmArnOf(name),
  OldStateValue: before.state,
  NewStateValue: state,
  NewStateReason: reason,
  StateChangeTime: since,
});
