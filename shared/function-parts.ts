import { createSdkDynamo } from './db/dynamo/sdk-dynamo.ts';
import { createTable } from './db/table.ts';
import type { Logger } from './logging/logger.ts';
import { createJobSender } from './queue/job-sender.ts';
import type { QueueSetting } from './queue/messages.ts';
import { createSdkSend } from './queue/send-by-sdk.ts';

/** What most functions are composed of in Lambda: the real table, beside settings and logger. */
export const tableContext = <Named extends { TABLE_NAME: string }>(settings: Named, logger: Logger) => ({
  settings,
  logger,
  table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSdkDynamo() }),
});

/** The same with what sends jobs, to the queues that the settings name. */
export const jobContext = <Named extends { TABLE_NAME: string } & Partial<Record<QueueSetting, string>>>(
  settings: Named,
  logger: Logger,
) => ({
  ...tableContext(settings, logger),
  sender: createJobSender({ queues: settings, logger, sendMessage: createSdkSend() }),
});
