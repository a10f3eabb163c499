import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createMemoryRateLimit } from '../../shared/http/rate-limit.ts';
import { queueSettings } from '../../shared/queue/messages.ts';
import type { settingNames } from './declaration.ts';
import { createHealthService, type Probe } from './health-service.ts';
import { routes } from './routes.ts';

/** The health endpoints. Each probe rejects when its dependency cannot be reached. */
export function compose({
  settings,
  logger,
  createTableProbe,
  createQueueProbe,
  createBucketProbe,
  createSecretsProbe,
  now,
}: Composition<typeof settingNames> & {
  createTableProbe: (tableName: string) => Probe;
  createQueueProbe: (queueUrls: readonly string[]) => Probe;
  createBucketProbe: (bucketName: string) => Probe;
  createSecretsProbe: (arns: readonly string[]) => Probe;
}) {
  const { TABLE_NAME, BUCKET_NAME } = settings;
  const probes = {
    table: createTableProbe(TABLE_NAME),
    secrets: createSecretsProbe(settings.SECRETS_TO_SET),
    queues: createQueueProbe(queueSettings.map((name) => settings[name])),
    ...(BUCKET_NAME !== undefined && { bucket: createBucketProbe(BUCKET_NAME) }),
  };
  return createHandler({
    routes,
    services: { health: createHealthService({ probes, logger }) },
    logger,
    limitRate: createMemoryRateLimit({ perWindow: { health: settings.RATE_LIMIT_HEALTH }, now }),
    ...callersBy(settings),
  });
}
