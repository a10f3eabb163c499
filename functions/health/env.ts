import { callerSettings } from '../../shared/http/caller-address.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'TABLE_NAME',
  'BUCKET_NAME',
  'WEBHOOK_QUEUE_URL',
  'MAIL_QUEUE_URL',
  'HASH_QUEUE_URL',
  'SCAN_QUEUE_URL',
  'IMPORT_QUEUE_URL',
  'RATE_LIMIT_HEALTH',
] as const;
