import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    GetItem: ['seller', 'user'],
    PutItem: ['account', 'audit', 'seller', 'user'],
    UpdateItem: ['seller'],
  },
};
