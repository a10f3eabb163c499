import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license', 'product'],
    ConditionCheckItem: ['license', 'product'],
    DeleteItem: ['buyer'],
    GetItem: ['license', 'licenseId', 'order', 'payment', 'product', 'seller'],
    PutItem: ['audit', 'buyer', 'job', 'license', 'licenseId', 'mailing', 'order'],
    Query: ['license', 'product'],
    UpdateItem: ['license', 'licenseId', 'product', 'rateLimit'],
  },
  objects: { 'files/': ['s3:GetObjectVersion'] },
};
