import { createSdkDynamo } from '../../shared/db/sdk-dynamo.ts';
import { createTable } from '../../shared/db/table.ts';
import { createMailClient } from '../../shared/mail/mail-client.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './env.ts';

export const handler = startFunction('mail-sender', settingNames, (settings, logger) =>
  compose({
    settings,
    logger,
    table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSdkDynamo() }),
    send: createMailClient({ from: settings.MAIL_FROM, configurationSet: settings.MAIL_CONFIGURATION_SET }),
    sender: createJobSender({ queues: settings, logger }),
  }),
);
