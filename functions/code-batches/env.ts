import { callerSettings } from '../../shared/http/caller-address.ts';
import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [
  ...callerSettings,
  ...identitySettings,
  'CONSOLE_ORIGINS',
  'ENCRYPTION_KEYS',
  'TABLE_NAME',
  'IMPORT_QUEUE_URL',
] as const;
