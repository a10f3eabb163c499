import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product', 'seller'],
    DeleteItem: ['checkout', 'order', 'seller'],
    GetItem: ['checkout', 'order', 'slug'],
    PutItem: ['checkout', 'order', 'seller'],
    Query: ['codeStock'],
    UpdateItem: ['order', 'rateLimit'],
  },
};
