import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = ['STAGE', 'PUBLIC_BASE_URL', 'TABLE_NAME', 'DELIVERY_QUEUE_URL', 'MAIL_QUEUE_URL', 'ENCRYPTION_KEYS'] as const;
export const parts = ['table', 'sender'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['endpoint', 'sellerEvents'],
    DeleteItem: ['endpoint', 'job'],
    GetItem: ['endpoint', 'seller', 'sellerEvents'],
    PutItem: ['endpoint', 'job'],
    Query: ['endpoint', 'sellerEvents'],
    UpdateItem: ['endpoint', 'job', 'seller'],
  },
};
