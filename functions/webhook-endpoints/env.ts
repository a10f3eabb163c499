import { callerSettings } from '../../shared/http/caller-address.ts';
import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [
  ...callerSettings,
  ...identitySettings,
  'CONSOLE_ORIGINS',
  'TABLE_NAME',
  'ENCRYPTION_KEYS',
  'DELIVERY_QUEUE_URL',
] as const;
