import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'TABLE_NAME',
  'BUCKET_NAME',
  'PUBLIC_BASE_URL',
  'LEASE_KEYS',
  'TOKEN_KEYS',
  'UPDATE_URL_SECONDS',
  'RATE_LIMIT_UPDATES',
  'RATE_LIMIT_UPDATE_DOWNLOAD',
] as const;
export const parts = ['signedTable', 'downloadSigner'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license', 'licenseId', 'product', 'release', 'seller'],
    UpdateItem: ['rateLimit'],
  },
  objects: { 'files/': ['s3:GetObjectVersion'] },
};
