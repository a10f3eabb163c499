import { createTableProbe } from '../../shared/db/table-probe.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createMemoryRateLimit } from '../../shared/http/rate-limit.ts';
import { createBucketProbe } from '../../shared/product-files/bucket-probe.ts';
import { createQueueProbe } from '../../shared/queue/queue-probe.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { createHealthService } from './health-service.ts';
import { routes } from './routes.ts';

export const handler = startFunction('health', settingNames, (settings, logger) => {
  const { TABLE_NAME, BUCKET_NAME, WEBHOOK_QUEUE_URL, MAIL_QUEUE_URL, HASH_QUEUE_URL, SCAN_QUEUE_URL, IMPORT_QUEUE_URL } = settings;
  const queueUrls = [WEBHOOK_QUEUE_URL, MAIL_QUEUE_URL, HASH_QUEUE_URL, SCAN_QUEUE_URL, IMPORT_QUEUE_URL];
  const probes = {
    table: createTableProbe(TABLE_NAME),
    queues: createQueueProbe(queueUrls),
    ...(BUCKET_NAME !== undefined && { bucket: createBucketProbe(BUCKET_NAME) }),
  };
  return createHandler({
    routes,
    services: { health: createHealthService({ probes, logger }) },
    logger,
    limitRate: createMemoryRateLimit({ perWindow: { health: settings.RATE_LIMIT_HEALTH } }),
  });
});
