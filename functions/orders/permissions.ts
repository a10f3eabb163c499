import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license', 'licenseId', 'order'],
    ConditionCheckItem: ['seller'],
    GetItem: ['license', 'licenseId', 'order', 'seller', 'user'],
    PutItem: ['audit', 'job', 'order'],
    Query: ['buyer', 'license', 'seller'],
    UpdateItem: ['license', 'rateLimit'],
  },
};
