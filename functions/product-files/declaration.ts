import { sellerSettings } from '../../shared/http/callers/create-authenticate.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...sellerSettings,
  'TABLE_NAME',
  'BUCKET_NAME',
  'HASH_QUEUE_URL',
  'MAX_FILE_BYTES',
  'SELLER_STORAGE_BYTES',
  'DISCARD_AFTER_HOURS',
  'REVIEW_DUE_HOURS',
] as const;
export const parts = ['table', 'sender', 'stores'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product'],
    GetItem: ['apiToken', 'product', 'release', 'seller', 'user'],
    ConditionCheckItem: ['release'],
    PutItem: ['audit', 'job', 'product', 'seller'],
    Query: ['product', 'seller'],
    UpdateItem: ['apiToken', 'product', 'rateLimit', 'release', 'seller'],
  },
  bucket: ['s3:ListBucket'],
  objects: { 'files/': ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'] },
};
