import { callerSettings } from '../../shared/http/caller-address.ts';
import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [
  ...callerSettings,
  ...identitySettings,
  'ADMIN_ALLOWLIST',
  'CONSOLE_ORIGINS',
  'TABLE_NAME',
  'MAIL_QUEUE_URL',
  'PUBLIC_BASE_URL',
  'DISCARD_AFTER_HOURS',
  'TOKEN_KEYS',
  'ENCRYPTION_KEYS',
  'LICENSE_PEPPERS',
  'RATE_LIMIT_SEARCH',
  'BUCKET_NAME',
] as const;
