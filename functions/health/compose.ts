import { createMemoryRateLimit } from '../../shared/http/rate-limit.ts';
import { serve } from '../../shared/http/serve.ts';
import { queueSettings } from '../../shared/queue/messages.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import type { Probe } from './get-readyz.ts';
import { routes } from './routes.ts';

/** How each dependency is reached; a probe rejects when it cannot be. */
interface ProbeMakers {
  createTableProbe: (tableName: string) => Probe;
  createQueueProbe: (queueUrls: readonly string[]) => Probe;
  createBucketProbe: (bucketName: string) => Probe;
  createSecretsProbe: (arns: readonly string[]) => Probe;
}

/** The health endpoints. */
export function compose(start: Start<typeof declaration> & ProbeMakers) {
  const c = contextOf(start);
  const { TABLE_NAME, BUCKET_NAME, SECRETS_TO_SET } = c.settings;
  const probes = {
    table: c.createTableProbe(TABLE_NAME),
    secrets: c.createSecretsProbe(SECRETS_TO_SET),
    queues: c.createQueueProbe(queueSettings.map((name) => c.settings[name])),
    ...(BUCKET_NAME !== undefined && { bucket: c.createBucketProbe(BUCKET_NAME) }),
  };
  return serve(routes, { ...c, probes, limitRate: createMemoryRateLimit(c) });
}
