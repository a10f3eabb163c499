import { createSdkDynamo } from '../../shared/db/sdk-dynamo.ts';
import { createTable } from '../../shared/db/table.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './env.ts';

export const handler = startFunction('orders', settingNames, (settings, logger) =>
  compose({
    settings,
    logger,
    table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSdkDynamo() }),
    sender: createJobSender({ queues: settings, logger }),
  }),
);
