import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product'],
    GetItem: ['product', 'seller'],
    PutItem: ['audit', 'job', 'product', 'seller'],
    Query: ['product', 'seller'],
    UpdateItem: ['product', 'seller'],
  },
  bucket: ['s3:ListBucket'],
  objects: { 'files/': ['s3:GetObject', 's3:PutObject'] },
};
