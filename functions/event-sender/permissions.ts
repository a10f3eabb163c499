import type { Permissions } from '../../shared/permissions.ts';

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
