import { userSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';
import { queueSettings } from '../../shared/queue/messages.ts';

export const settingNames = [
  ...userSettings,
  'ADMIN_ALLOWLIST',
  'TABLE_NAME',
  ...queueSettings,
  'PUBLIC_BASE_URL',
  'DISCARD_AFTER_HOURS',
  'REVIEW_DUE_HOURS',
  'TOKEN_KEYS',
  'ENCRYPTION_KEYS',
  'LICENSE_PEPPERS',
  'RATE_LIMIT_SEARCH',
  'BUCKET_NAME',
] as const;
export const parts = ['table', 'sender', 'store'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license', 'licenseId', 'order', 'product', 'release', 'seller'],
    ConditionCheckItem: ['product', 'release'],
    DeleteItem: ['buyer', 'release', 'seat', 'upgrade'],
    GetItem: ['buyer', 'job', 'license', 'licenseId', 'order', 'payment', 'product', 'release', 'seller', 'slug'],
    PutItem: ['audit', 'buyer', 'job', 'order', 'preview', 'product', 'release', 'upgrade'],
    Query: ['audit', 'buyer', 'codeStock', 'discount', 'license', 'order', 'product', 'seller'],
    UpdateItem: ['job', 'license', 'product', 'rateLimit', 'release', 'seller'],
  },
  indexes: ['list', 'pending', 'queue'],
  objects: { 'files/': ['s3:GetObjectVersion'] },
};
