import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...sellerSettings, 'TABLE_NAME', 'MAIL_QUEUE_URL'] as const;
export const parts = ['table', 'sender'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['apiToken', 'seller'],
    ConditionCheckItem: ['seller'],
    GetItem: ['apiToken', 'seller', 'user'],
    PutItem: ['apiToken', 'audit', 'job', 'seller'],
    Query: ['seller'],
    UpdateItem: ['apiToken', 'rateLimit', 'seller'],
  },
};
