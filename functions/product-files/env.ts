import { callerSettings } from '../../shared/http/caller-address.ts';
import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [
  ...callerSettings,
  ...identitySettings,
  'CONSOLE_ORIGINS',
  'TABLE_NAME',
  'BUCKET_NAME',
  'HASH_QUEUE_URL',
  'MAX_FILE_BYTES',
  'SELLER_STORAGE_BYTES',
  'DISCARD_AFTER_HOURS',
] as const;
