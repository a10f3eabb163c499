import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Job } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import { queueOfJob } from '../../shared/queue/messages.ts';
import { queueDefinitions } from '../constructs/queues.ts';
import type { MailOutbox } from './engines/mail-outbox.ts';
import type { LocalQueue } from './engines/provision.ts';

/** `GET /__local/outbox` and `GET /__local/queues`: what a developer wants to see, and the cloud does not have. */
export function createLocalPages({
  outbox,
  sqs,
  queues,
  jobs,
}: {
  outbox: Pick<MailOutbox, 'listMails'>;
  sqs: SQSClient;
  queues: readonly LocalQueue[];
  jobs: Pick<JobRepository, 'eachDeadJob'>;
}) {
  async function countsOf({ url }: LocalQueue) {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: url,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible', 'ApproximateNumberOfMessagesDelayed'],
      }),
    );
    const { ApproximateNumberOfMessages: ready, ApproximateNumberOfMessagesDelayed: delayed } = Attributes;
    return { waiting: Number(ready) + Number(delayed), inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible) };
  }

  /** Dead are the jobs that were given up, and the messages that no worker could even read. */
  async function describeQueue(queue: LocalQueue, deadJobs: readonly Job[]) {
    const deadLetters = queues.find(({ arn }) => arn === queue.deadLetterArn);
    const { waiting, inFlight } = await countsOf(queue);
    const unread = deadLetters ? (await countsOf(deadLetters)).waiting : 0;
    const dead = unread + deadJobs.filter((job) => carries(queue, job)).length;
    return { name: queue.name, waiting, in_flight: inFlight, dead };
  }

  async function describeQueues() {
    const deadJobs: Job[] = [];
    for await (const job of jobs.eachDeadJob()) deadJobs.push(job);
    return Promise.all(queues.filter(({ deadLetterArn }) => deadLetterArn !== undefined).map((queue) => describeQueue(queue, deadJobs)));
  }

  return async (method: string, path: string): Promise<unknown> => {
    if (method !== 'GET') return undefined;
    if (path === '/__local/outbox') return { items: await outbox.listMails() };
    if (path === '/__local/queues') return { items: await describeQueues() };
    return undefined;
  };
}

/** The construct of a queue gives its resource the name. */
const carries = ({ resource }: LocalQueue, { task }: Job) => resource.id.includes(`.${queueDefinitions[queueOfJob[task.kind]].id}Queue`);
