import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    ConditionCheckItem: ['seller'],
    DeleteItem: ['endpoint', 'seller'],
    GetItem: ['seller', 'sellerEvents', 'user'],
    PutItem: ['audit', 'job', 'seller'],
    Query: ['endpoint', 'seller'],
    UpdateItem: ['endpoint', 'job', 'seller'],
  },
};
