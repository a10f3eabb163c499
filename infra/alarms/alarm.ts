import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { ApiStack } from '../stacks/api-stack.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import type { WorkerStack } from '../stacks/worker-stack.ts';

/** What alarms are created from: the watched stacks, and the stack and topic of the alarms. */
export interface WatchedStacks {
  scope: Stack;
  topic: ITopic;
  data: DataStack;
  api: ApiStack;
  workers: WorkerStack;
}

/** A page of `infra/alarms/runbooks/`. */
type Runbook = 'api' | 'edge' | 'functions' | 'jobs' | 'mail' | 'queues' | 'table';

interface AlarmProps {
  metric: IMetric;
  /** The alarm goes off above this, or below it. */
  bound: { above: number } | { below: number };
  /** In how many periods of the metric, of how many that are looked at. All of one, unless told. */
  periods?: { breaching: number; of: number };
  /** What a period is in which nothing was measured. Quiet, unless told. */
  missing?: 'quiet' | 'breach';
  /** A sentence for whoever is woken up: what users lose. */
  usersLose: string;
  /** What to do first. */
  firstStep: string;
}

/** The usual period of a metric. */
export const fiveMinutes = Duration.minutes(5);
export const fifteenMinutes = Duration.minutes(15);

/**
 * Alarms, by their id, that notify the topic when they fire and when they recover. The text of each says what users lose
 * and what to do first, and ends with the place of its runbook: the heading of its id on that page.
 */
export function addAlarms(
  { scope, topic }: Pick<WatchedStacks, 'scope' | 'topic'>,
  runbook: Runbook,
  alarms: Readonly<Record<string, AlarmProps>>,
): void {
  for (const [id, { metric, bound, periods = { breaching: 1, of: 1 }, missing, usersLose, firstStep }] of Object.entries(alarms)) {
    const isAbove = 'above' in bound;
    const alarm = new Alarm(scope, id, {
      alarmName: `${Stack.of(scope).stackName}-${id}`,
      metric,
      threshold: isAbove ? bound.above : bound.below,
      comparisonOperator: isAbove ? ComparisonOperator.GREATER_THAN_THRESHOLD : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: periods.of,
      datapointsToAlarm: periods.breaching,
      treatMissingData: missing === 'breach' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `${usersLose} ${firstStep} Runbook: infra/alarms/runbooks/${runbook}.md#${id.toLowerCase()}`,
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}
