import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...sellerSettings, 'TABLE_NAME'] as const;
export const parts = ['table'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['discount'],
    GetItem: ['apiToken', 'discount', 'product', 'seller', 'user'],
    PutItem: ['audit', 'discount'],
    Query: ['discount'],
    UpdateItem: ['apiToken', 'discount', 'rateLimit'],
  },
};
