import { callerSettings } from '../../shared/http/caller-address.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'TABLE_NAME',
  'PUBLIC_BASE_URL',
  'LICENSE_PEPPERS',
  'LEASE_KEYS',
  'RATE_LIMIT_UNKNOWN_KEYS',
  'RATE_LIMIT_OFFLINE',
] as const;
