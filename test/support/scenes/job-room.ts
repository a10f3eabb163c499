import type { Needs } from '../../../shared/context.ts';
import { jobKey } from '../../../shared/db/keys.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { Faults } from '../engines/faults.ts';
import { createTestTable } from '../engines/test-table.ts';

export type JobRoom = Awaited<ReturnType<typeof openJobRoom>>;

/** Jobs over a table of their own, a clock that the test moves, what was sent, each with its delay, and what was logged. */
export async function openJobRoom({ call }: Faults = { call: (_name, make) => make() }) {
  const place = await createTestTable({ faults: { call: (name, make) => room.faults.call(name, make) } });
  const { table } = place;
  let clock = new Date('2026-01-31T09:00:00.000Z');
  const sent: [id: string, delay: number][] = [];
  const lines: Record<string, unknown>[] = [];
  const sendJob = async (task: JobTask, delay = 0) => void sent.push([jobId(task), delay]);
  const logger = createLogger({}, (line) => lines.push(JSON.parse(line)));
  const c: Needs<'table' | 'now' | 'logger' | 'sendJob' | 'sendJobOrFail'> = {
    ...{ table, logger, sendJob, sendJobOrFail: sendJob },
    now: () => clock,
  };
  const room = {
    ...place,
    c,
    sent,
    lines,
    /** What stands before each request to the table. */
    faults: { call } satisfies Faults as Faults,
    messages: () => lines.map(({ message }) => message),
    pass(seconds: number) {
      clock = new Date(clock.getTime() + seconds * 1000);
    },
    at: (seconds = 0) => new Date(clock.getTime() + seconds * 1000).toISOString(),
    async add(task: JobTask, delaySeconds?: number): Promise<string> {
      await table.write(addJob(c, task, delaySeconds));
      return jobId(task);
    },
    async lease(id: string, seconds = 60) {
      const job = await leaseJob(c, id, seconds);
      if (!job) throw new Error(`${id} is not there to be leased.`);
      return job;
    },
    stored: (id: string) => table.get(jobKey(id)),
  };
  return room;
}
