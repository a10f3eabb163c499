import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'TABLE_NAME',
  'PUBLIC_BASE_URL',
  'LICENSE_PEPPERS',
  'LEASE_KEYS',
  'TOKEN_KEYS',
  'RATE_LIMIT_UNKNOWN_KEYS',
  'RATE_LIMIT_OFFLINE',
] as const;
export const parts = ['signedTable'] as const;

export const permissions: Permissions = {
  table: {
    BatchGetItem: ['license'],
    ConditionCheckItem: ['license'],
    DeleteItem: ['seat'],
    PutItem: ['job', 'seat'],
    UpdateItem: ['license', 'rateLimit'],
  },
};
