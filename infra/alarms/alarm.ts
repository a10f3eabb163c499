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

/** The page of `infra/alarms/runbooks/` that has the alarm's heading. */
export type Runbook = 'api' | 'edge' | 'functions' | 'jobs' | 'mail' | 'queues' | 'table';

export interface AlarmProps {
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
  runbook: Runbook;
}

/** The usual period of a metric. */
export const fiveMinutes = Duration.minutes(5);
export const fifteenMinutes = Duration.minutes(15);

/**
 * An alarm that notifies the topic when it fires and when it recovers. Its text says what users lose and what to do
 * first, and ends with the place of its runbook.
 */
export function addAlarm({ scope, topic }: Pick<WatchedStacks, 'scope' | 'topic'>, id: string, props: AlarmProps): Alarm {
  const { bound, periods = { breaching: 1, of: 1 } } = props;
  const isAbove = 'above' in bound;
  const alarm = new Alarm(scope, id, {
    alarmName: `${Stack.of(scope).stackName}-${id}`,
    metric: props.metric,
    threshold: isAbove ? bound.above : bound.below,
    comparisonOperator: isAbove ? ComparisonOperator.GREATER_THAN_THRESHOLD : ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: periods.of,
    datapointsToAlarm: periods.breaching,
    treatMissingData: props.missing === 'breach' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    alarmDescription: `${props.usersLose} ${props.firstStep} Runbook: ${runbookOf(id, props.runbook)}`,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
  return alarm;
}

/** The heading of a runbook is the id of its alarm. */
const runbookOf = (id: string, page: Runbook) => `infra/alarms/runbooks/${page}.md#${id.toLowerCase()}`;
