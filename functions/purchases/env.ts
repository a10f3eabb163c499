import { callerSettings } from '../../shared/http/caller-address.ts';

export const settingNames = [
  ...callerSettings,
  'STAGE',
  'TABLE_NAME',
  'BUCKET_NAME',
  'MAIL_QUEUE_URL',
  'TOKEN_KEYS',
  'ENCRYPTION_KEYS',
  'LICENSE_PEPPERS',
  'BUYER_MOVES',
  'RATE_LIMIT_COMPLETE',
  'RATE_LIMIT_DOWNLOAD',
] as const;
