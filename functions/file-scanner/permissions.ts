import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    DeleteItem: ['job'],
    GetItem: ['product'],
    PutItem: ['audit', 'job', 'product'],
    Query: ['product'],
    UpdateItem: ['job', 'product'],
  },
  bucket: ['s3:ListBucket'],
  objects: { 'files/': ['s3:GetObjectVersion'] },
};
