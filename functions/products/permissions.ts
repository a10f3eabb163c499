import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product'],
    GetItem: ['product', 'seller', 'user'],
    PutItem: ['audit', 'product', 'seller', 'slug'],
    Query: ['seller'],
    UpdateItem: ['seller'],
  },
};
