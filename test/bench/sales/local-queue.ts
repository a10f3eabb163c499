import type { SQSBatchResponse } from 'aws-lambda';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { JobSender } from '../../../shared/queue/job-sender.ts';
import type { ModelClock } from './model-clock.ts';

export type LocalQueue = JobSender & {
  /** Delivers the message of a job. */
  deliver(id: string): void;
  /** When every message that was sent of this job so far has been worked on. */
  workedOn(id: string): Promise<void>;
  /** When no message is left but those that were delayed. */
  empty(): Promise<void>;
};

/**
 * All queues in memory: messages are worked on one by one in the order in which they came, `workers` at a time. A message
 * that no worker could handle is lost, as a queue may lose it, and so is what is delayed when the clock is moved on: the
 * sweeper brings its job again.
 */
export function createLocalQueue({
  work,
  workers,
  clock,
}: {
  work: (id: string) => Promise<SQSBatchResponse>;
  workers: number;
  clock: ModelClock;
}): LocalQueue {
  const waiting: string[] = [];
  const open = new Map<string, PromiseWithResolvers<void> & { messages: number }>();
  let running = 0;

  function deliver(id: string): void {
    const known = open.get(id) ?? { ...Promise.withResolvers<void>(), messages: 0 };
    known.messages += 1;
    open.set(id, known);
    waiting.push(id);
    if (running < workers) void run();
  }

  async function run(): Promise<void> {
    running += 1;
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      await work(id);
      const message = open.get(id);
      if (!message) continue;
      message.messages -= 1;
      if (message.messages > 0) continue;
      open.delete(id);
      message.resolve();
    }
    running -= 1;
  }

  const sendJob: JobSender['sendJob'] = async (task, delaySeconds = 0) => {
    if (delaySeconds === 0) return deliver(jobId(task));
    clock.later(delaySeconds * 1000, () => deliver(jobId(task)));
  };
  return {
    sendJob,
    sendJobOrFail: sendJob,
    deliver,
    workedOn: async (id) => open.get(id)?.promise,
    async empty() {
      while (open.size > 0) await Promise.all([...open.values()].map(({ promise }) => promise));
    },
  };
}
