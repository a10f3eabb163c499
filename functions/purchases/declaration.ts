import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'TABLE_NAME',
  'BUCKET_NAME',
  'MAIL_QUEUE_URL',
  'TOKEN_KEYS',
  'ENCRYPTION_KEYS',
  'LICENSE_PEPPERS',
  'BUYER_MOVES',
  'RATE_LIMIT_COMPLETE',
  'RATE_LIMIT_DOWNLOAD',
] as const;
export const parts = ['table', 'sender', 'store'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license', 'order', 'product', 'release', 'seller'],
    ConditionCheckItem: ['license', 'product'],
    DeleteItem: ['buyer', 'order', 'seat'],
    GetItem: ['license', 'licenseId', 'order', 'payment', 'product', 'release'],
    PutItem: ['audit', 'buyer', 'job', 'license', 'licenseId', 'mailing', 'order'],
    Query: ['buyer', 'codeStock', 'license', 'product', 'seat', 'upgrade'],
    UpdateItem: ['license', 'licenseId', 'product', 'rateLimit'],
  },
  objects: { 'files/': ['s3:GetObjectVersion'] },
};
