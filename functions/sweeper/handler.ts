import { createTable } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { createSweep } from './sweep.ts';

export const handler = startFunction('sweeper', settingNames, (settings, logger) =>
  createSweep({
    jobs: createJobRepository({ table: createTable({ tableName: settings.TABLE_NAME }) }),
    sender: createJobSender({ queues: settings, logger }),
    logger,
  }),
);
