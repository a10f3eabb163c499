import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { QueueDefinition } from './queues.ts';

/** A queue of jobs, and the queue that takes the messages it gave up. */
export interface JobQueue {
  definition: QueueDefinition;
  queue: Queue;
  deadLetters: Queue;
}

/** How often a message is received before it goes to the dead letters. */
const maxReceiveCount = 5;
const keepDeadLetters = Duration.days(14);

/** A queue with its dead letters. A message stays invisible for six runs of the worker, so that none is handled twice at once. */
export function addJobQueue(scope: Construct, definition: QueueDefinition): JobQueue {
  const { id, timeoutSeconds } = definition;
  const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
  const deadLetters = new Queue(scope, `${id}DeadLetters`, { ...common, retentionPeriod: keepDeadLetters });
  const queue = new Queue(scope, `${id}Queue`, {
    ...common,
    visibilityTimeout: Duration.seconds(6 * timeoutSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount },
  });
  return { definition, queue, deadLetters };
}
