import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    GetItem: ['readiness'],
  },
  queues: ['sqs:GetQueueAttributes'],
  bucket: ['s3:ListBucket'],
};
