import { createSecretsProbe } from '../../shared/aws/secrets.ts';
import { createTableProbe } from '../../shared/db/table-probe.ts';
import { createBucketProbe } from '../../shared/product-files/storage/bucket-probe.ts';
import { createQueueProbe } from '../../shared/queue/queue-probe.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('health', settingNames, (settings, logger) =>
  compose({ settings, logger, createTableProbe, createQueueProbe, createBucketProbe, createSecretsProbe }),
);
