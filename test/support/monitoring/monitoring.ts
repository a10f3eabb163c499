import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Access } from '../../../infra/local/access/access.ts';
import type { LocalQueue } from '../../../infra/local/engines/provision.ts';
import { account } from '../../../infra/local/references.ts';
import type { StackWatch } from '../../../infra/local/stack.ts';
import type { SynthesizedApp } from '../../../infra/local/template.ts';
import { type AlarmDefinition, alarmsOf } from './alarm-definitions.ts';
import { type AlarmState, createJudge, periodMsOf, type StateValue } from './alarm-states.ts';
import { alarmArnOf, createAlarmTopics, type Notification } from './alarm-topics.ts';
import { createFunctionMetrics, createGatewayMetrics, createLogMetrics, createQueueMetrics } from './measurements.ts';
import { createMetricStore } from './metric-store.ts';

interface AlarmView extends AlarmState {
  name: string;
  text: string;
}

export interface Monitoring extends StackWatch {
  list(): AlarmView[];
  /** What arrived at the subscriber of the topic, the oldest first. */
  notifications(): readonly Notification[];
  /** Looks at the queues, judges every alarm, and tells the topics what has changed. */
  judge(): Promise<void>;
  /** Sets a state by hand, until the alarm is judged after a period. */
  setState(name: string, state: StateValue): void;
}

interface MonitoringOptions {
  sqs: SQSClient;
  queues: readonly LocalQueue[];
  access: Pick<Access, 'authorize'>;
  now: () => number;
}

/**
 * Measures what the cloud measures, and judges the alarms of the templates by it whenever `judge` is called: with periods a
 * thirtieth as long as in the cloud, since the local sweeper runs thirty times as often. Bounds are those of the cloud. All
 * alarms begin well. Throttles, durations of functions and the table are not measured.
 *
 * @throws Error for an alarm that cannot be judged here
 */
export function createMonitoring(app: SynthesizedApp, { sqs, queues, access, now }: MonitoringOptions): Monitoring {
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
      topics.publish(topic, definition.name, `${state}: "${definition.name}"`, messageOf(definition, current, alarm.current));
    }
  }

  return {
    ...createFunctionMetrics(app, metrics, count),
    replied: createGatewayMetrics(app, metrics, count),
    list: () => alarms.map(({ definition: { name, text }, current }) => ({ name, text, ...current })),
    notifications: topics.list,

    async judge() {
      await lookAtQueues();
      for (const alarm of alarms) {
        if (alarm.heldUntil > now()) continue;
        const { state, reason } = alarm.judge();
        change(alarm, state, reason);
      }
    },

    setState(name, state) {
      const alarm = alarms.find(({ definition }) => definition.name === name);
      if (!alarm) throw new Error(`There is no alarm ${name}.`);
      alarm.heldUntil = now() + periodMsOf(alarm.definition);
      change(alarm, state, 'Set by hand.');
    },
  };
}

const timeOf = (at: number) => new Date(at).toISOString();

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
