import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [...callerSettings, 'STAGE', 'TABLE_NAME', 'BUCKET_NAME'] as const;
export const parts = ['table', 'store'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['product', 'seller'],
    GetItem: ['preview', 'product'],
  },
  objects: { 'pictures/': ['s3:GetObjectVersion'] },
};
