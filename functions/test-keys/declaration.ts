import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...sellerSettings, 'TABLE_NAME', 'LICENSE_PEPPERS', 'ENCRYPTION_KEYS'] as const;
export const parts = ['table'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license', 'licenseId'],
    ConditionCheckItem: ['license'],
    GetItem: ['apiToken', 'license', 'licenseId', 'product', 'seller', 'user'],
    PutItem: ['audit', 'license', 'licenseId', 'product'],
    Query: ['product'],
    UpdateItem: ['apiToken', 'license', 'product', 'rateLimit'],
  },
};
