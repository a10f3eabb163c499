import { createSdkDynamo } from '../../shared/db/sdk-dynamo.ts';
import { createTable } from '../../shared/db/table.ts';
import { findObjectStore } from '../../shared/product-files/object-store.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './env.ts';
import { createRequestScan } from './guardduty.ts';

export const handler = startFunction('file-scanner', settingNames, (settings, logger) =>
  compose({
    settings,
    logger,
    table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSdkDynamo() }),
    store: findObjectStore(settings.BUCKET_NAME),
    requestScan: createRequestScan(),
    sender: createJobSender({ queues: settings, logger }),
  }),
);
