import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  'STAGE',
  'TABLE_NAME',
  'WEBHOOK_QUEUE_URL',
  'MAIL_QUEUE_URL',
  'PAYMENT_SECRET_KEY',
  'PAYMENT_API_BASE',
  'PAYMENT_ACCOUNT_COUNTRY',
  'PUBLIC_BASE_URL',
  'LICENSE_PEPPERS',
  'ENCRYPTION_KEYS',
] as const;
export const parts = ['table', 'sender', 'provider'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['licenseId', 'order', 'payment'],
    ConditionCheckItem: ['license', 'order'],
    DeleteItem: ['codeStock', 'job', 'seller', 'waiting'],
    GetItem: ['account', 'charge', 'license', 'licenseId', 'order', 'payment', 'seller', 'webhookEvent'],
    PutItem: ['audit', 'buyer', 'charge', 'discount', 'job', 'license', 'licenseId', 'order', 'payment', 'seller', 'waiting'],
    Query: ['codeStock', 'waiting'],
    UpdateItem: ['discount', 'job', 'license', 'order', 'seller', 'webhookEvent'],
  },
};
