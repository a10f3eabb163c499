import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    DeleteItem: ['job'],
    PutItem: ['endpoint', 'sellerEvents'],
    Query: ['seller'],
    UpdateItem: ['job'],
  },
};
