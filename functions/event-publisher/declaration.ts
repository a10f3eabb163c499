import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = ['STAGE', 'TABLE_NAME', 'EVENT_QUEUE_URL', 'DELIVERY_QUEUE_URL'] as const;
export const parts = ['table', 'sender'] as const;

export const permissions: Permissions = {
  table: {
    DeleteItem: ['job'],
    GetItem: ['sellerEvents'],
    PutItem: ['endpoint', 'job', 'sellerEvents'],
    Query: ['seller'],
    UpdateItem: ['job', 'seller'],
  },
};
