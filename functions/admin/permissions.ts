import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license', 'licenseId', 'order', 'product'],
    ConditionCheckItem: ['product'],
    DeleteItem: ['buyer'],
    GetItem: ['license', 'licenseId', 'order', 'payment', 'product', 'seller'],
    PutItem: ['audit', 'buyer', 'job', 'order', 'product'],
    Query: ['audit', 'buyer', 'license', 'product', 'seller'],
    UpdateItem: ['license', 'product', 'rateLimit', 'seller'],
  },
  indexes: ['list'],
  objects: { 'files/': ['s3:GetObjectVersion'] },
};
