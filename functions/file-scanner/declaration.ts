import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  'STAGE',
  'TABLE_NAME',
  'BUCKET_NAME',
  'SCAN_QUEUE_URL',
  'TRUSTED_SCANNERS',
  'CLAMD_URL',
  'MALWARE_PLAN_ARN',
] as const;
export const parts = ['table', 'sender', 'store'] as const;

export const permissions: Permissions = {
  table: {
    DeleteItem: ['job'],
    GetItem: ['product', 'release'],
    PutItem: ['audit', 'job', 'product'],
    Query: ['product'],
    UpdateItem: ['job', 'product', 'release'],
  },
  bucket: ['s3:ListBucket'],
  objects: { 'files/': ['s3:GetObjectVersion'] },
};
