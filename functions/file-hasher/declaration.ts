import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = ['STAGE', 'TABLE_NAME', 'BUCKET_NAME', 'HASH_QUEUE_URL', 'SCAN_QUEUE_URL', 'DISCARD_AFTER_HOURS'] as const;
export const parts = ['table', 'sender', 'stores'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product'],
    DeleteItem: ['job'],
    GetItem: ['product', 'release', 'seller'],
    PutItem: ['audit', 'job', 'product', 'seller'],
    Query: ['product', 'seller'],
    UpdateItem: ['job', 'product', 'seller'],
  },
  bucket: ['s3:ListBucket', 's3:ListBucketVersions'],
  objects: {
    'files/': ['s3:AbortMultipartUpload', 's3:DeleteObjectVersion', 's3:GetObjectVersion', 's3:ListMultipartUploadParts'],
    'pictures/': ['s3:PutObject', 's3:DeleteObjectVersion'],
  },
};
