import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...sellerSettings, 'ENCRYPTION_KEYS', 'TABLE_NAME', 'IMPORT_QUEUE_URL'] as const;
export const parts = ['table', 'sender'] as const;

export const permissions: Permissions = {
  table: {
    ConditionCheckItem: ['product', 'seller'],
    DeleteItem: ['codeUpload'],
    GetItem: ['apiToken', 'product', 'seller', 'user'],
    PutItem: ['codeUpload', 'job', 'product', 'seller'],
    Query: ['audit', 'codeStock', 'product', 'waiting'],
    UpdateItem: ['apiToken', 'rateLimit'],
  },
};
