import { callerSettings } from '../../shared/http/caller-address.ts';
import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [
  ...callerSettings,
  ...identitySettings,
  'TABLE_NAME',
  'CONSOLE_ORIGINS',
  'MAIL_QUEUE_URL',
  'LICENSE_PEPPERS',
  'ENCRYPTION_KEYS',
  'RATE_LIMIT_SEARCH',
] as const;
