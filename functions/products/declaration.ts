import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...sellerSettings, 'TABLE_NAME', 'CURRENCIES', 'PUBLIC_BASE_URL', 'REVIEW_DUE_HOURS'] as const;
export const parts = ['table'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product', 'seller'],
    DeleteItem: ['slug', 'upgrade'],
    GetItem: ['apiToken', 'product', 'seller', 'user'],
    PutItem: ['audit', 'preview', 'product', 'seller', 'slug', 'upgrade'],
    Query: ['codeStock', 'seller'],
    UpdateItem: ['apiToken', 'rateLimit', 'seller'],
  },
};
