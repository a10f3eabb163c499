import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...sellerSettings,
  'TABLE_NAME',
  'PUBLIC_BASE_URL',
  'RATE_LIMIT_ENDPOINT_CALLS',
  'RATE_LIMIT_ROTATIONS',
  'ENCRYPTION_KEYS',
  'DELIVERY_QUEUE_URL',
] as const;
export const parts = ['table', 'sender'] as const;

export const permissions: Permissions = {
  table: {
    ConditionCheckItem: ['seller'],
    DeleteItem: ['endpoint', 'seller'],
    GetItem: ['apiToken', 'seller', 'sellerEvents', 'user'],
    PutItem: ['audit', 'job', 'seller'],
    Query: ['endpoint', 'seller', 'sellerEvents'],
    UpdateItem: ['apiToken', 'endpoint', 'job', 'rateLimit', 'seller'],
  },
};
