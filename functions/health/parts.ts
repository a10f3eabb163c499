import { createSecretsProbe } from '../../shared/aws/secrets.ts';
import { createTableProbe } from '../../shared/db/table-probe.ts';
import { createBucketProbe } from '../../shared/product-files/storage/bucket-probe.ts';
import { createQueueProbe } from '../../shared/queue/queue-probe.ts';

/** How each dependency is reached in Lambda. */
export const ownParts = () => ({ createTableProbe, createQueueProbe, createBucketProbe, createSecretsProbe });
