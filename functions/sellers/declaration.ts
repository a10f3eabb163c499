import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...sellerSettings,
  'ADMIN_ALLOWLIST',
  'TABLE_NAME',
  'PUBLIC_BASE_URL',
  'CONSOLE_CLIENT_ID',
  'REVIEW_DUE_HOURS',
  'PAYMENT_SECRET_KEY',
  'PAYMENT_API_BASE',
  'PAYMENT_ACCOUNT_COUNTRY',
] as const;
export const parts = ['table', 'provider'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product', 'release'],
    GetItem: ['apiToken', 'order', 'seller', 'user'],
    PutItem: ['account', 'audit', 'seller', 'user'],
    Query: ['codeStock', 'product', 'release', 'seller', 'waiting'],
    UpdateItem: ['apiToken', 'rateLimit', 'seller'],
  },
};
