import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...sellerSettings, 'TABLE_NAME', 'DISCARD_AFTER_HOURS', 'REVIEW_DUE_HOURS'] as const;
export const parts = ['table'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product', 'release'],
    ConditionCheckItem: ['product'],
    DeleteItem: ['release'],
    GetItem: ['apiToken', 'product', 'release', 'seller', 'user'],
    PutItem: ['audit', 'job', 'product', 'release'],
    Query: ['release'],
    UpdateItem: ['apiToken', 'rateLimit', 'release'],
  },
};
