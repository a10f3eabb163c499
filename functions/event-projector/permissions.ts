import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    ConditionCheckItem: ['license', 'order'],
    DeleteItem: ['codeStock', 'job', 'waiting'],
    GetItem: ['account', 'charge', 'license', 'licenseId', 'order', 'payment', 'seller', 'webhookEvent'],
    PutItem: ['audit', 'buyer', 'charge', 'job', 'license', 'licenseId', 'order', 'payment', 'seller', 'waiting'],
    Query: ['codeStock', 'waiting'],
    UpdateItem: ['job', 'license', 'order', 'seller', 'webhookEvent'],
  },
};
