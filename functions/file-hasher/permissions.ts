import type { Permissions } from '../../shared/permissions.ts';

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product'],
    DeleteItem: ['job'],
    GetItem: ['product', 'seller'],
    PutItem: ['audit', 'job', 'product', 'seller'],
    Query: ['product', 'seller'],
    UpdateItem: ['job', 'product', 'seller'],
  },
  bucket: ['s3:ListBucket', 's3:ListBucketVersions'],
  objects: { 'files/': ['s3:GetObjectVersion', 's3:DeleteObjectVersion'], 'pictures/': ['s3:PutObject', 's3:DeleteObjectVersion'] },
};
