import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...sellerSettings,
  'TABLE_NAME',
  'PUBLIC_BASE_URL',
  'MAIL_QUEUE_URL',
  'LICENSE_PEPPERS',
  'ENCRYPTION_KEYS',
  'RATE_LIMIT_EMAIL_REQUESTS',
  'RATE_LIMIT_SEARCH',
] as const;
export const parts = ['table', 'sender'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license', 'licenseId', 'order'],
    ConditionCheckItem: ['seller'],
    DeleteItem: ['seat'],
    GetItem: ['apiToken', 'buyer', 'license', 'licenseId', 'order', 'payment', 'seller', 'user'],
    PutItem: ['audit', 'buyer', 'job', 'licenseId', 'order'],
    Query: ['audit', 'buyer', 'discount', 'license', 'order', 'seller'],
    UpdateItem: ['apiToken', 'license', 'rateLimit'],
  },
};
