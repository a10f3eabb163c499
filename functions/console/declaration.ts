import { callerSettings } from '../../shared/http/callers/caller-address.ts';
import type { Permissions } from '../../shared/permissions.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'AUTH_MODE',
  'OIDC_ISSUER',
  'OIDC_AUDIENCE',
  'OIDC_KEYS_SECONDS',
  'CONSOLE_CLIENT_ID',
  'CONSOLE_TOKEN',
  'PUBLIC_BASE_URL',
  'CURRENCIES',
  'MAX_FILE_BYTES',
  'SELLER_STORAGE_BYTES',
  'BUCKET_NAME',
] as const;

/** It tells browsers where the bucket is, and does nothing in it. */
export const permissions: Permissions = { objects: {} };
