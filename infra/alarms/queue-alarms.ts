import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { addAlarms, fiveMinutes, type WatchedStacks } from './alarm.ts';

/** Two for each queue: messages that could not be processed, and messages that are not picked up. */
export function addQueueAlarms(watched: WatchedStacks): void {
  for (const { definition, queue, deadLetters } of watched.data.queues.values()) {
    const { id, worker, usersLose } = definition;
    addAlarms(watched, 'queues', {
      [`${id}DeadLetters`]: {
        metric: messagesAddedTo(deadLetters),
        // One message that arrives in the last of the five minutes of a period raises its average by 0.2.
        bound: { above: 0.1 },
        // An increase needs the period before it.
        periods: { breaching: 1, of: 2 },
        usersLose,
        firstStep: `A message was given up after five attempts: read the log of ${worker}; the sweeper sends the job itself again.`,
      },
      [`${id}Waiting`]: {
        metric: queue.metricApproximateAgeOfOldestMessage({ period: fiveMinutes }),
        bound: { above: 900 },
        periods: { breaching: 2, of: 2 },
        usersLose,
        firstStep: `Messages wait for more than 15 minutes: look for throttles and errors of ${worker}.`,
      },
    });
  }
}

/**
 * How many more messages a queue holds than a period before. What SQS itself moves here is no message sent. Those
 * that somebody looks at are held too: averages, unlike maxima, add up to as many while a message changes sides. A
 * queue to which nothing happens for hours measures nothing.
 */
const messagesAddedTo = (queue: Queue) =>
  new MathExpression({
    expression: 'DIFF(FILL(visible, 0) + FILL(looked, 0))',
    usingMetrics: {
      visible: queue.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes, statistic: 'Average' }),
      looked: queue.metricApproximateNumberOfMessagesNotVisible({ period: fiveMinutes, statistic: 'Average' }),
    },
    label: 'Messages added',
    period: fiveMinutes,
  });
