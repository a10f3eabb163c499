import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';
import { queueSettings } from '../../shared/queue/messages.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'TABLE_NAME',
  'BUCKET_NAME',
  ...queueSettings,
  'SECRETS_TO_SET',
  'RATE_LIMIT_HEALTH',
] as const;

export const permissions: Permissions = {
  table: {
    GetItem: ['readiness'],
  },
  queues: ['sqs:GetQueueAttributes'],
  bucket: ['s3:ListBucket'],
};
