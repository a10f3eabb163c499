import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { JobQueue } from '../constructs/job-queue.ts';
import { addAlarm, fiveMinutes, type Watched } from './alarm.ts';

/** Of each queue two: messages that nobody could handle, and messages that nobody gets to. */
export function addQueueAlarms(watched: Watched): void {
  for (const queue of watched.data.queues.values()) addAlarmsOf(watched, queue);
}

function addAlarmsOf(watched: Watched, { definition, queue, deadLetters }: JobQueue): void {
  const { id, usersLose } = definition;
  addAlarm(watched, `${id}DeadLetters`, {
    metric: messagesAddedTo(deadLetters),
    bound: { above: 0 },
    // An increase needs the period before it.
    periods: { breaching: 1, of: 2 },
    usersLose,
    firstStep: `A message was given up after five attempts: read the log of ${definition.worker}; the sweeper sends the job itself again.`,
    runbook: 'queues',
  });
  addAlarm(watched, `${id}Waiting`, {
    metric: queue.metricApproximateAgeOfOldestMessage({ period: fiveMinutes }),
    bound: { above: 900 },
    periods: { breaching: 2, of: 2 },
    usersLose,
    firstStep: `Messages wait for more than 15 minutes: look for throttles and errors of ${definition.worker}.`,
    runbook: 'queues',
  });
}

/**
 * How many more messages a queue holds than a period before. What SQS itself moves here is no message sent. Those
 * that somebody looks at are held too, and a queue that nothing happens to for hours measures nothing.
 */
const messagesAddedTo = (queue: Queue) =>
  new MathExpression({
    expression: 'DIFF(FILL(visible, 0) + FILL(looked, 0))',
    usingMetrics: {
      visible: queue.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes, statistic: 'Maximum' }),
      looked: queue.metricApproximateNumberOfMessagesNotVisible({ period: fiveMinutes, statistic: 'Maximum' }),
    },
    label: 'Messages added',
    period: fiveMinutes,
  });
