import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createSweep } from './sweep.ts';

/** The sweeper: sends the messages of due jobs again. */
export function compose({ logger, table, sender, now }: { logger: Logger; table: Table; sender: JobSender; now?: () => Date }) {
  return createSweep({ jobs: createJobRepository({ table, now }), sender, logger, now });
}
