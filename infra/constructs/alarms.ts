import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { JobQueue } from './job-queue.ts';

export interface AlarmProps {
  metric: IMetric;
  /** The alarm goes off above this. */
  above: number;
  /** For this many periods of the metric in a row. */
  periods?: number;
  /** A sentence for whoever is woken up: what users lose. */
  usersLose: string;
  /** What to do first. */
  firstStep: string;
  topic: ITopic;
}

/** An alarm whose text names what users lose and what to do first. */
export function addAlarm(scope: Construct, id: string, props: AlarmProps): Alarm {
  const alarm = new Alarm(scope, id, {
    metric: props.metric,
    threshold: props.above,
    evaluationPeriods: props.periods ?? 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: `${props.usersLose} ${props.firstStep}`,
  });
  alarm.addAlarmAction(new SnsAction(props.topic));
  return alarm;
}

/** A queue's two alarms: jobs that nobody could read, and jobs that nobody gets to. */
export function addQueueAlarms(scope: Construct, { definition, queue, deadLetters }: JobQueue, topic: ITopic): void {
  const period = Duration.minutes(5);
  const { id, usersLose } = definition;
  addAlarm(scope, `${id}DeadLetters`, {
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
    above: 0,
    usersLose,
    firstStep: `A message was given up after five attempts: read the log of ${definition.worker}; the sweeper sends the job itself again.`,
    topic,
  });
  addAlarm(scope, `${id}Waiting`, {
    metric: queue.metricApproximateAgeOfOldestMessage({ period }),
    above: 900,
    periods: 2,
    usersLose,
    firstStep: `Messages wait for more than 15 minutes: look for throttles and errors of ${definition.worker}.`,
    topic,
  });
}
